//! The paper's findings beside what this model gives: `retryscope study`.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::pretty;
use super::written;
use crate::search::study::{Line, Measured, Part};

/// What is compared, and what must not be read into it.
const PREFACE: &str = "\
The paper: \"Where Does Exactly-Once Live? Model, Harness, and Tool Contract\" (arXiv 2609.29095).
Its figures were measured on language models; version 1 and its later recount differ, and both stand here.
The other figures are this model's: a strategy that always does as it says, under the faults that are named.
Levels are not comparable. What helps, what harms and what does neither is.

In the first and the last part, one of eight faults strikes the first call, each as likely as any other: its request
lost, late by 90 s, or copied; an error before or after the commit; refused for now (503, 429); its answer lost.
";

/// The study for people.
#[must_use]
pub fn text(parts: &[Part]) -> String {
    written(|out| {
        write!(out, "{PREFACE}")?;
        for part in parts {
            writeln!(out, "\n{}", part.title)?;
            for line in wrapped(part.why, 100) {
                writeln!(out, "  {line}")?;
            }
            writeln!(out, "  {:<44}{:>32}   the paper", "", "this model, in percent")?;
            let what = part.measured;
            writeln!(out, "  {:<44}{:>12}{:>11}{:>9}   {what}", "", "exactly once", "duplicate", "missing")?;
            for line in &part.lines {
                write_line(out, line)?;
            }
        }
        Ok(())
    })
}

fn write_line(out: &mut String, line: &Line) -> std::fmt::Result {
    let shares = [line.exactly_once, line.duplicate, line.missing].map(|share| share * 100.0);
    write!(out, "  {:<44}{:>12.1}{:>11.1}{:>9.1}", line.what, shares[0], shares[1], shares[2])?;
    if let Some(Measured { first, recount }) = line.measured {
        write!(out, "   version 1: {first}, recount: {recount}")?;
    }
    if let Some(share) = line.closed_form {
        write!(out, "   P(landed by then): {:.1}", share * 100.0)?;
    }
    writeln!(out)
}

fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PartForm<'a> {
    title: &'a str,
    why: &'a str,
    paper_measures: &'a str,
    lines: Vec<LineForm<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineForm<'a> {
    condition: &'a str,
    model: ModelForm,
    paper: Option<PaperForm>,
    landed_by_then: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModelForm {
    exactly_once: f64,
    duplicate: f64,
    missing: f64,
    error: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PaperForm {
    version1_percent: f64,
    recount_percent: f64,
}

/// The same for programs.
#[must_use]
pub fn json(parts: &[Part]) -> String {
    let line = |line: &Line| ModelForm {
        exactly_once: line.exactly_once,
        duplicate: line.duplicate,
        missing: line.missing,
        error: line.error,
    };
    let parts: Vec<PartForm<'_>> = parts
        .iter()
        .map(|part| PartForm {
            title: part.title,
            why: part.why,
            paper_measures: part.measured,
            lines: part
                .lines
                .iter()
                .map(|each| LineForm {
                    condition: &each.what,
                    model: line(each),
                    paper: each.measured.map(|Measured { first, recount }| PaperForm {
                        version1_percent: first,
                        recount_percent: recount,
                    }),
                    landed_by_then: each.closed_form,
                })
                .collect(),
        })
        .collect();
    pretty(&serde_json::json!({
        "paper": "arXiv 2609.29095",
        "note": "The paper's figures were measured on language models, the others are this model's. Levels are not comparable.",
        "parts": parts,
    }))
}
