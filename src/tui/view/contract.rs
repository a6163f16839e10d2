//! What the service promises, in a few lines: its name, the promise, where it was read, what is not said there.

use ratatui::text::Line;

use super::lines::{Words, first};
use crate::model::Contract;
use crate::model::text::fit;
use crate::sim::{KeyReuse, key_reuse_under};
use crate::trace::Answer;
use crate::tui::grid::Grid;
use crate::tui::theme::{Glyph, Look, Role};

/// The columns of a contract's name.
const NAME: usize = 40;

/// The contract of a grid: its promise alone where it is the scenario's own, else all of it, in at most `rows`.
pub(super) fn lines(look: Look, grid: &Grid, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let contract = grid.contract();
    let place = format!("{} of {}", grid.contract_place() + 1, grid.contracts().len());
    let whose = if grid.is_under_own() { "" } else { ", what if" };
    let name = fit(&contract.name, NAME, look.glyph(Glyph::Ellipsis));
    let head = format!("Contract {place}{whose}: {name}.");
    let (source, unsaid) = sources(contract);
    let (source, unsaid) = if grid.is_under_own() { (None, None) } else { (source, unsaid) };
    let one = |text: &str| first(look, text, columns, 1);
    let source = source.as_deref().map_or_else(Vec::new, one);
    let kept = source.len() + usize::from(unsaid.is_some());
    let promise = first(look, &format!("{head} {}", contract.brief()), columns, rows.saturating_sub(kept).max(1));
    let left = rows.saturating_sub(promise.len() + source.len());
    let unsaid = unsaid.map_or_else(Vec::new, |text| first(look, &text, columns, left.min(2)));
    let promise = promise.into_iter().enumerate().map(|(n, line)| {
        // The name stands out.
        let rest = if n == 0 { line.strip_prefix(&head).map(str::to_owned) } else { None };
        let (head, rest) = rest.map_or((String::new(), line), |rest| (head.clone(), rest));
        Words::new(look).say(Role::Title, format!(" {head}")).say(Role::Text, rest).line()
    });
    let rest = source.into_iter().chain(unsaid);
    let rest = rest.map(|line| Words::new(look).say(Role::Dim, format!(" {line}")).line());
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
