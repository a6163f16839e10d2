//! What a contract promises, in one sentence that is short enough for a screen.

use super::{Contract, InProgress, Keys, Mismatch, ReadPath, Recorded, Repeat, Retention, Stores};
use crate::model::time::Span;

impl Contract {
    /// The promise in one short sentence: what is done with keys, and what is out of the ordinary besides.
    /// [`Contract::describe`] tells all of it.
    #[must_use]
    pub fn brief(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut say = |text: &str| parts.push(text.to_owned());
        match self.keys {
            Keys::Ignored => say("Keys are ignored, and every request is a new charge"),
            Keys::Refused => say("A request with a key is refused, and every other one is a new charge"),
            Keys::Required | Keys::Stored => {
                if self.keys == Keys::Required {
                    say("A key is required");
                }
                let again = match self.repeat {
                    Repeat::Replay => "the first answer",
                    Repeat::Conflict => "a conflict",
                };
                match self.mismatch {
                    Mismatch::Refuse => say(&format!("a known key gets {again}, with other arguments a refusal")),
                    Mismatch::Answer => say(&format!("a known key gets {again}, whatever its arguments")),
                }
                match self.retention {
                    Retention::Forever => say("keys never expire"),
                    Retention::For(kept) => say(&format!("keys are kept for {}", kept.human())),
                }
                if self.stores == Stores::Everything {
                    say("errors are stored too");
                }
                match self.recorded {
                    Recorded::WithEffect => {}
                    Recorded::Before => say("the key is recorded before the charge"),
                    Recorded::After => say("the key is recorded after the charge"),
                }
                match self.in_progress {
                    InProgress::Conflict => {}
                    InProgress::Wait => say("a repeat of a running request waits"),
                    InProgress::BothRun => say("a repeat of a running request runs too"),
                }
            }
        }
        if self.processing > Span::ZERO {
            say(&format!("a charge takes {}", self.processing.human()));
        }
        match (self.reads.path, self.reads.lag) {
            (ReadPath::Works, Span::ZERO) => {}
            (ReadPath::Works, lag) => say(&format!("a lookup sees what was there {} ago", lag.human())),
            (ReadPath::Fails, _) => say("lookups fail"),
            (ReadPath::None, _) => say("nothing can be looked up"),
        }
        let text = parts.join("; ");
        let mut chars = text.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect::<String>() + ".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_is_one_short_sentence_of_its_own() {
        let briefs: Vec<String> = Contract::presets().iter().map(Contract::brief).collect();
        assert!(briefs.iter().all(|brief| brief.len() <= 200 && brief.ends_with('.')), "{briefs:#?}");
        assert_eq!(briefs[0], "A known key gets the first answer, with other arguments a refusal; keys never expire.");
        let ignored = Contract::preset("github-create-issue").expect("a preset").brief();
        assert_eq!(ignored, "Keys are ignored, and every request is a new charge.");
    }
}
