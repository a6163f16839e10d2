//! The shipped cases: public reports of a timeout, a retry or a redelivery that did it, each as a scenario file.

use super::Scenario;

/// The files, in the order in which they are listed, each with its name.
pub const FILES: [(&str, &str); 21] = [
    ("01-new-key-each-call", include_str!("../../assets/cases/01-new-key-each-call.json")),
    ("02-unique-for-every-request", include_str!("../../assets/cases/02-unique-for-every-request.json")),
    ("03-plain-retry", include_str!("../../assets/cases/03-plain-retry.json")),
    ("04-pressed-again", include_str!("../../assets/cases/04-pressed-again.json")),
    ("05-key-from-changing-fields", include_str!("../../assets/cases/05-key-from-changing-fields.json")),
    ("06-no-key-taken", include_str!("../../assets/cases/06-no-key-taken.json")),
    ("07-key-silently-ignored", include_str!("../../assets/cases/07-key-silently-ignored.json")),
    ("08-sent-again-beneath", include_str!("../../assets/cases/08-sent-again-beneath.json")),
    ("09-sdk-retries-without-a-key", include_str!("../../assets/cases/09-sdk-retries-without-a-key.json")),
    ("10-error-after-the-commit", include_str!("../../assets/cases/10-error-after-the-commit.json")),
    ("11-read-back-times-out", include_str!("../../assets/cases/11-read-back-times-out.json")),
    ("12-timeout-as-success", include_str!("../../assets/cases/12-timeout-as-success.json")),
    ("13-redelivered-while-running", include_str!("../../assets/cases/13-redelivered-while-running.json")),
    ("14-webhook-an-hour-later", include_str!("../../assets/cases/14-webhook-an-hour-later.json")),
    ("15-finished-step-runs-again", include_str!("../../assets/cases/15-finished-step-runs-again.json")),
    ("16-after-the-keys-day", include_str!("../../assets/cases/16-after-the-keys-day.json")),
    ("17-check-then-act", include_str!("../../assets/cases/17-check-then-act.json")),
    ("18-stored-failure", include_str!("../../assets/cases/18-stored-failure.json")),
    ("19-second-payment-swallowed", include_str!("../../assets/cases/19-second-payment-swallowed.json")),
    ("20-lagging-replica", include_str!("../../assets/cases/20-lagging-replica.json")),
    ("21-webhook-and-checkout-race", include_str!("../../assets/cases/21-webhook-and-checkout-race.json")),
];

/// The cases, in the order in which they are listed, each with the name of its file.
///
/// # Panics
///
/// Never: the shipped files are read in a test.
pub fn cases() -> impl Iterator<Item = (&'static str, Scenario)> {
    FILES.into_iter().map(|(name, text)| {
        let scenario = Scenario::from_json(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, scenario)
    })
}
