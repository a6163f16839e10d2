//! What the service promises, in a few lines: its name, the promise, where it was read, what is not said there.

use ratatui::text::Line;

use super::lines::{Words, first};
use crate::model::Contract;
use crate::sim::{KeyReuse, key_reuse_under};
use crate::trace::Answer;
use crate::tui::grid::Grid;
use crate::tui::theme::{Look, Role};

/// The contract of a grid: one line where it is the scenario's own and nobody asked, else all of it, in at most `rows`.
pub(super) fn lines(look: Look, grid: &Grid, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let contract = grid.contract();
    let place = format!("{} of {}", grid.contract_place() + 1, grid.contracts().len());
    let whose = if grid.is_under_own() { "the scenario's own" } else { "what if" };
    let head = format!("Contract {place}, {whose}: {}. ", contract.name);
    let (source, unsaid) = sources(contract);
    let rest = [source, unsaid].map(|text| text.map_or_else(Vec::new, |text| first(look, &text, columns, 1)));
    let left = rows.saturating_sub(rest.iter().map(Vec::len).sum());
    let promise = first(look, &format!("{head}{}.", capital(&contract.describe())), columns, left.max(1));
    let promise = promise.into_iter().enumerate().map(|(n, line)| {
        // The name stands out, as far as it is on the first line.
        let cut = if n == 0 { head.trim_end().len().min(line.len()) } else { 0 };
        let (name, line) = if line.is_char_boundary(cut) { line.split_at(cut) } else { ("", line.as_str()) };
        Words::new(look).say(Role::Title, format!(" {name}")).say(Role::Text, line.to_owned()).line()
    });
    let rest = rest.into_iter().flatten().map(|line| Words::new(look).say(Role::Dim, format!(" {line}")).line());
    promise.chain(rest).take(rows).collect()
}

/// Where the promise was read and when, and what is not said there; nothing where it has no source.
pub(super) fn sources(contract: &Contract) -> (Option<String>, Option<String>) {
    let Some(source) = &contract.source else { return (None, None) };
    let read = format!("Read {} at {}", source.read, source.address);
    let unsaid: Vec<&str> = source.unsaid.iter().map(|text| &**text).collect();
    (Some(read), (!unsaid.is_empty()).then(|| format!("Not said: {}.", unsaid.join("; "))))
}

/// What the service does with one key for two amounts, in a sentence.
pub(super) fn key_reuse(contract: &Contract) -> String {
    let KeyReuse { first, second, .. } = key_reuse_under(contract);
    match (first, second) {
        (Answer::Refused(refusal), _) => format!("A request with a key: refused, {refusal}."),
        (_, Answer::Refused(refusal)) => format!("One key for another amount: refused, {refusal}."),
        (_, Answer::Success { replayed: true, .. }) => {
            "One key for another amount: answered with the first charge, and nothing is charged.".to_owned()
        }
        (_, Answer::Success { replayed: false, .. }) => "One key for another amount: charged again.".to_owned(),
        (_, Answer::Error { .. }) => "One key for another amount: a server error.".to_owned(),
    }
}

/// The text with a capital at its head.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
