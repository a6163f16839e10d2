//! The strategies that have a name.

use super::{
    Attempts, Backoff, Crash, Jitter, KeyPolicy, Memo, OnExhausted, Reaction, Strategy, Survival, Transport, Verify,
};
use crate::model::number::WholeNumber;
use crate::model::text::Text;
use crate::model::time::Span;

/// The names of all presets: first the four of the grid.
pub(super) const NAMES: [&str; 16] = [
    "naive-retry",
    "verify-then-retry",
    "new-key-per-attempt",
    "pinned-intent-key",
    "wait-then-verify",
    "verify-by-key",
    "guard",
    "escalate-at-once",
    "timeout-is-success",
    "keyless-first-attempt",
    "exponential-backoff",
    "sdk-retries",
    "sdk-retries-with-key",
    "remember-successes",
    "resume-with-key",
    "resume-without-key",
];

impl Strategy {
    /// The four presets of the grid: naive retry, verify then retry, new key per attempt, pinned intent key.
    #[must_use]
    pub fn presets() -> [Self; 4] {
        let naive = naive();
        let verify = Self { name: Text::new(Self::PRESETS[1]), verify: Verify::LookAlike, ..naive.clone() };
        let new_key = Self { name: Text::new(Self::PRESETS[2]), key: KeyPolicy::PerAttempt, ..naive.clone() };
        let pinned = Self {
            name: Text::new(Self::PRESETS[3]),
            key: KeyPolicy::PerIntent,
            on_refused: Reaction::Fail,
            on_exhausted: OnExhausted::Escalate,
            ..naive.clone()
        };
        [naive, verify, new_key, pinned]
    }

    /// All presets, those of the grid first.
    #[must_use]
    pub fn named_presets() -> Vec<Self> {
        let grid = Self::presets();
        let [naive, _, _, pinned] = grid.clone();
        let name = |n: usize| Text::new(NAMES[n]);
        let sdk = |repeats_key| {
            let backoff = Backoff { factor: WholeNumber::new(2), ..Backoff::fixed(Span::secs(1)) };
            Some(Transport { retries: WholeNumber::new(3), timeout: Span::secs(10), backoff, repeats_key })
        };
        let crash =
            |key| Some(Crash { at: Span::secs(3), resume_after: Span::secs(10), key, progress: Survival::Lost });
        let growing =
            Backoff { first: Span::secs(1), factor: WholeNumber::new(2), cap: Span::secs(60), jitter: Jitter::Full };
        let beyond = [
            Self {
                verify: Verify::LookAlikeSince,
                verify_after: Span::secs(120),
                on_exhausted: OnExhausted::Escalate,
                ..naive.clone()
            },
            Self { verify: Verify::ByKey, on_unverified: Reaction::Escalate, ..pinned.clone() },
            Self {
                verify: Verify::LookAlikeSince,
                verify_knows_lag: true,
                on_unverified: Reaction::Escalate,
                ..pinned.clone()
            },
            Self {
                on_timeout: Reaction::Escalate,
                on_server_error: Reaction::Escalate,
                on_conflict: Reaction::Escalate,
                ..pinned.clone()
            },
            Self { on_timeout: Reaction::Completed, ..naive.clone() },
            Self { key: KeyPolicy::AfterFirst, ..pinned.clone() },
            Self { max_attempts: Attempts::new(6), backoff: growing, ..pinned.clone() },
            Self { timeout: Span::secs(60), transport: sdk(false), ..naive.clone() },
            Self { timeout: Span::secs(60), transport: sdk(true), ..pinned.clone() },
            Self { memo: Memo::ByTask, ..naive.clone() },
            Self { crash: crash(Survival::Kept), ..pinned.clone() },
            Self { crash: crash(Survival::Lost), ..pinned },
        ];
        let beyond =
            beyond.into_iter().enumerate().map(|(n, strategy)| Self { name: name(n + grid.len()), ..strategy });
        grid.iter().cloned().chain(beyond).collect()
    }
}

fn naive() -> Strategy {
    Strategy {
        name: Text::new(Strategy::PRESETS[0]),
        key: KeyPolicy::None,
        verify: Verify::None,
        max_attempts: Attempts::new(3),
        timeout: Span::secs(30),
        backoff: Backoff::fixed(Span::secs(1)),
        on_refused: Reaction::Retry,
        on_exhausted: OnExhausted::Failed,
        on_timeout: Reaction::Retry,
        on_server_error: Reaction::Retry,
        on_conflict: Reaction::Retry,
        on_unavailable: Reaction::Retry,
        on_unverified: Reaction::Retry,
        verify_after: Span::ZERO,
        verify_knows_lag: false,
        memo: Memo::None,
        transport: None,
        drift: None,
        crash: None,
    }
}
