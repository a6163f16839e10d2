//! The contracts that have a name, each with where it was read and what it does not say.

use super::{Contract, InProgress, Keys, Mismatch, Reads, Repeat, Retention, Source, Stores};
use crate::model::text::Text;
use crate::model::time::Span;

/// The names of all presets.
pub(super) const NAMES: [&str; 14] = [
    "keyed",
    "stripe-v1",
    "stripe-v2",
    "ietf-draft",
    "aws-ec2",
    "adyen",
    "paypal",
    "square",
    "google-aip-155",
    "checkout-com",
    "qonto",
    "primer",
    "github-create-issue",
    "limbo-keys-everywhere",
];

/// The day on which the pages were read.
const READ: &str = "2026-12-01";

const RUNNING: &str = "a repeat while the first still runs (assumed: a conflict)";
const MISMATCH: &str = "a known key with other arguments (assumed: refused)";
const KEPT: &str = "how long a key is kept (assumed: for ever)";
const ERRORS: &str = "whether errors are stored (assumed: not)";

fn read_at(address: &str, unsaid: &[&str]) -> Source {
    let unsaid = unsaid.iter().map(|text| Text::new(text)).collect();
    Source { address: Text::new(address), read: Text::new(READ), unsaid }
}

fn kept_for(hours: u64) -> Retention {
    Retention::For(Span::hours(hours))
}

impl Contract {
    /// All presets, `keyed` first.
    #[must_use]
    pub fn presets() -> Vec<Self> {
        let by_key = Reads { by_key: true, ..Reads::default() };
        let mut presets = Self::of_payments();
        presets.extend([
            Self {
                source: Some(read_at(
                    "https://google.aip.dev/155",
                    &["how long is \"a reasonable time\"", MISMATCH, RUNNING],
                )),
                ..Self::default()
            },
            Self {
                retention: kept_for(24),
                in_progress: InProgress::Wait,
                source: Some(read_at("https://www.checkout.com/docs", &[MISMATCH])),
                ..Self::default()
            },
            Self {
                retention: Retention::For(Span::secs(30 * 60)),
                mismatch: Mismatch::Answer,
                source: Some(read_at("https://docs.qonto.com", &[RUNNING])),
                ..Self::default()
            },
            Self {
                repeat: Repeat::Conflict,
                source: Some(read_at("https://primer.io/docs", &[KEPT, MISMATCH, RUNNING, ERRORS])),
                ..Self::default()
            },
            Self {
                keys: Keys::Ignored,
                source: Some(read_at(
                    "https://github.com/jaxblack/limbo-bench (PREREGISTRATION.md, deviations 26 and 27)",
                    &["anything: the header is not documented; two identical requests made two issues"],
                )),
                ..Self::default()
            },
            Self {
                reads: by_key,
                source: Some(read_at("https://github.com/jaxblack/limbo-bench", &[RUNNING])),
                ..Self::default()
            },
        ]);
        presets.into_iter().zip(NAMES).map(|(preset, name)| Self { name: Text::new(name), ..preset }).collect()
    }

    fn of_payments() -> Vec<Self> {
        vec![
            Self::default(),
            Self {
                retention: kept_for(24),
                stores: Stores::Everything,
                source: Some(read_at(
                    "https://docs.stripe.com/api/idempotent_requests",
                    &["when exactly a key is pruned after 24 h (assumed: at once)"],
                )),
                ..Self::default()
            },
            Self {
                retention: kept_for(30 * 24),
                source: Some(read_at("https://docs.stripe.com/api-v2-overview", &[MISMATCH, RUNNING])),
                ..Self::default()
            },
            Self {
                keys: Keys::Required,
                stores: Stores::Everything,
                source: Some(read_at(
                    "https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/",
                    &["how long a key is kept: the service publishes it (assumed: for ever)"],
                )),
                ..Self::default()
            },
            Self {
                retention: kept_for(24),
                source: Some(read_at(
                    "https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html",
                    &[RUNNING, ERRORS],
                )),
                ..Self::default()
            },
            Self {
                retention: kept_for(31 * 24),
                source: Some(read_at(
                    "https://docs.adyen.com/development-resources/api-idempotency",
                    &[MISMATCH, RUNNING, ERRORS],
                )),
                ..Self::default()
            },
            Self {
                retention: kept_for(6),
                source: Some(read_at("https://developer.paypal.com/reference/guidelines/idempotency", &[ERRORS])),
                ..Self::default()
            },
            Self {
                source: Some(read_at("https://developer.squareup.com/forums", &[KEPT, RUNNING, ERRORS])),
                ..Self::default()
            },
        ]
    }
}
