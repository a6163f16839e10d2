//! Chance, as a function: the same seed, stream and number give the same draw on every machine.
//!
//! Draws are counter-based: nothing is kept from one to the next, so that a fault plan can be changed in one place
//! without changing what is drawn anywhere else. The mixing is the finalizer of `SplitMix64` (Steele, Lea and Flood,
//! "Fast Splittable Pseudorandom Number Generators", 2014), in integers; `exp` and `ln` are those of the crate `libm`
//! in plain Rust, which give the same bits everywhere.

use super::time::Span;

/// What a draw is for. Draws for different ends do not depend on one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stream {
    /// How late a request is, by its call.
    Request = 1,
    /// How late an answer is, by the message that it answers.
    Response = 2,
    /// How long the harness pauses, by agent and attempt.
    Pause = 3,
    /// How long the transport pauses, by the call that failed.
    Resend = 4,
    /// How late a lookup is, by its number.
    Lookup = 5,
    /// How late a lookup's answer is, by the lookup's number.
    Finding = 6,
    /// What befalls a call in a sampled run, by its number.
    CallMishap = 7,
    /// What befalls a lookup in a sampled run, by its number.
    LookupMishap = 8,
    /// The seed of a sampled run, by its number.
    Sample = 9,
}

/// The golden ratio in 64 bits, the step of `SplitMix64`.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// 64 bits, each as likely as not, that depend on nothing but the three numbers.
#[must_use]
pub const fn bits(seed: u64, stream: Stream, number: u64) -> u64 {
    mix(mix(mix(seed.wrapping_add(STEP)) ^ (stream as u64).wrapping_mul(STEP)).wrapping_add(number.wrapping_mul(STEP)))
}

const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A span from nothing to `longest`, both included, each millisecond as likely as any other.
#[must_use]
pub const fn uniform(bits: u64, longest: Span) -> Span {
    // The high half of the product (Lemire 2019): the bias is below one in 2^64 / longest.
    let wide = (bits as u128) * (longest.as_ms() as u128 + 1);
    Span::ms((wide >> 64) as u64)
}

/// A span from `from` to `to`, log-uniform: every factor is as likely as any other of the same size, so that
/// P(span ≤ d) = ln(d / from) / ln(to / from). Rounded down to a millisecond.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "spans are below 2^53 ms, and the result lies between them"
)]
pub fn log_uniform(bits: u64, from: Span, to: Span) -> Span {
    let (low, high) = (from.as_ms().max(1), to.as_ms().max(1));
    let share = (bits >> 11) as f64 / (1_u64 << 53) as f64;
    let drawn = low as f64 * libm::exp(share * libm::log(high as f64 / low as f64));
    Span::ms((drawn as u64).clamp(low.min(high), high.max(low)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_on_every_machine() {
        let drawn: Vec<u64> = (1..=3)
            .map(|n| log_uniform(bits(7, Stream::Request, n), Span::secs(40), Span::secs(7_200)).as_ms())
            .collect();
        assert_eq!(drawn, DRAWN);
    }

    /// Computed apart, by a few lines of another language.
    const DRAWN: [u64; 3] = [1_939_675, 4_477_090, 846_601];

    /// P(delay ≤ d) = ln(d/40) / ln 180 for 40 s to 7,200 s, as in the paper (arXiv 2609.29095).
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts of at most 100,000")]
    fn the_heavy_tail_matches_its_closed_form() {
        const DRAWS: u64 = 100_000;
        for seed in [0, 1, 42] {
            let drawn: Vec<u64> = (1..=DRAWS)
                .map(|n| log_uniform(bits(seed, Stream::Request, n), Span::secs(40), Span::secs(7_200)).as_ms())
                .collect();
            assert!(drawn.iter().all(|ms| (40_000..=7_200_000).contains(ms)));
            for secs in [60_u64, 300, 900, 3_600] {
                let share = drawn.iter().filter(|ms| **ms <= secs * 1_000).count() as f64 / DRAWS as f64;
                let right = (secs as f64 / 40.0).ln() / 180_f64.ln();
                let error = (right * (1.0 - right) / DRAWS as f64).sqrt();
                assert!((share - right).abs() < 3.0 * error, "seed {seed}, {secs} s: {share} but {right} ± {error}");
            }
        }
    }

    #[test]
    fn uniform_draws_reach_both_ends() {
        assert_eq!(uniform(0, Span::ms(9)), Span::ZERO);
        assert_eq!(uniform(u64::MAX, Span::ms(9)), Span::ms(9));
        assert_eq!(uniform(u64::MAX, Span::MAX), Span::MAX);
    }
}
