//! Where the clock can stand: the whole ticks, and every instant at which something happens.
//!
//! Forward and back go through the same stops, so a step back lands exactly where one was.

use std::time::Duration;

use crate::model::{TICK, Time};
use crate::trace::Trace;

/// What the clock goes through: one run, or several beside each other, which then have all their stops in common.
pub trait Course {
    /// The next instant after `at` at which something happens.
    fn next_event(&self, at: Time) -> Option<Time>;
    /// The last instant before `at` at which something happens.
    fn event_before(&self, at: Time) -> Option<Time>;
    /// When the last event happens.
    fn end(&self) -> Time;
}

impl Course for Trace {
    fn next_event(&self, at: Time) -> Option<Time> {
        let next = self.events().partition_point(|event| event.at <= at);
        self.events().get(next).map(|event| event.at)
    }

    fn event_before(&self, at: Time) -> Option<Time> {
        let before = self.events().partition_point(|event| event.at < at);
        before.checked_sub(1).map(|n| self.events()[n].at)
    }

    fn end(&self) -> Time {
        self.end()
    }
}

impl Course for [&Trace] {
    fn next_event(&self, at: Time) -> Option<Time> {
        self.iter().filter_map(|trace| trace.next_event(at)).min()
    }

    fn event_before(&self, at: Time) -> Option<Time> {
        self.iter().filter_map(|trace| trace.event_before(at)).max()
    }

    fn end(&self) -> Time {
        self.iter().map(|trace| trace.end()).max().unwrap_or_default()
    }
}

/// The stop after `at`: the next tick, an event if one comes sooner, the end at the latest.
#[must_use]
pub fn next_stop<C: Course + ?Sized>(course: &C, at: Time) -> Time {
    let tick = Time::from_ms((at.as_ms() / TICK.as_ms() + 1) * TICK.as_ms());
    next_event(course, at).unwrap_or(course.end()).min(tick).min(course.end()).max(at.min(course.end()))
}

/// The stop before `at`: the tick before, or an event if one comes later.
#[must_use]
pub fn stop_before<C: Course + ?Sized>(course: &C, at: Time) -> Time {
    let tick = Time::from_ms(at.as_ms().saturating_sub(1) / TICK.as_ms() * TICK.as_ms());
    event_before(course, at).unwrap_or(Time::ZERO).max(tick)
}

/// The next instant after `at` at which something happens.
#[must_use]
pub fn next_event<C: Course + ?Sized>(course: &C, at: Time) -> Option<Time> {
    course.next_event(at)
}

/// The last instant before `at` at which something happens.
#[must_use]
pub fn event_before<C: Course + ?Sized>(course: &C, at: Time) -> Option<Time> {
    course.event_before(at)
}

/// Plays a run: so many ticks a second of wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Whether it plays.
    pub playing: bool,
    speed: usize,
    owed: Duration,
    stretch: Option<Stretch>,
}

/// A part of a run that is played by itself, at its own speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    until: Time,
    ticks_a_second: u32,
}

impl Default for Player {
    /// Paused, at 4 ticks a second.
    fn default() -> Self {
        Self { playing: false, speed: 2, owed: Duration::ZERO, stretch: None }
    }
}

impl Player {
    /// The speeds, in ticks a second.
    pub const SPEEDS: [u32; 6] = [1, 2, 4, 8, 16, 32];

    /// Ticks a second.
    #[must_use]
    pub fn speed(&self) -> u32 {
        self.stretch.map_or(Self::SPEEDS[self.speed], |stretch| stretch.ticks_a_second)
    }

    /// Where it stops by itself, if before the end.
    #[must_use]
    pub fn until(&self) -> Option<Time> {
        self.stretch.map(|stretch| stretch.until)
    }

    /// Plays up to an instant, as many ticks a second as asked for but at least 4.
    pub fn play_until(&mut self, until: Time, ticks_a_second: u64) {
        let ticks_a_second = u32::try_from(ticks_a_second).unwrap_or(u32::MAX).max(4);
        *self = Self { playing: true, owed: Duration::ZERO, stretch: Some(Stretch { until, ticks_a_second }), ..*self };
    }

    /// The next speed up.
    pub fn faster(&mut self) {
        self.speed = (self.speed + 1).min(Self::SPEEDS.len() - 1);
    }

    /// The next speed down.
    pub fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }

    /// Starts to play, or pauses.
    pub fn toggle(&mut self) {
        *self = Self { playing: !self.playing, owed: Duration::ZERO, stretch: None, ..*self };
    }

    /// Pauses.
    pub fn pause(&mut self) {
        *self = Self { playing: false, owed: Duration::ZERO, stretch: None, ..*self };
    }

    /// How long until the next step, while it plays.
    #[must_use]
    pub fn wait(&self) -> Option<Duration> {
        self.playing.then(|| self.step().saturating_sub(self.owed))
    }

    /// Wall time has passed: how many steps are due.
    pub fn pass(&mut self, elapsed: Duration) -> u32 {
        if !self.playing {
            return 0;
        }
        self.owed += elapsed;
        let mut due = 0;
        while self.owed >= self.step() {
            self.owed -= self.step();
            due += 1;
        }
        due
    }

    fn step(&self) -> Duration {
        Duration::from_secs(1) / self.speed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Scenario, Span, Strategy};
    use crate::sim::simulate;

    fn traces() -> Vec<Trace> {
        let odd = |mut scenario: Scenario| {
            scenario.network.latency = Span::ms(730);
            simulate(&scenario).unwrap()
        };
        Scenario::presets().map(|scenario| simulate(&scenario).unwrap()).chain(Scenario::presets().map(odd)).collect()
    }

    #[test]
    fn every_step_forward_is_undone_by_a_step_back() {
        for trace in traces() {
            let mut at = Time::ZERO;
            while at < trace.end() {
                let next = next_stop(&trace, at);
                assert!(next > at && (next - at) <= TICK);
                assert_eq!(stop_before(&trace, next), at, "back from {next}");
                at = next;
            }
            assert_eq!(next_stop(&trace, at), at, "the end is the end");
        }
        let first = simulate(&Scenario::new(Strategy::presets()[0].clone(), Fault::presets()[0].clone())).unwrap();
        assert_eq!(stop_before(&first, Time::ZERO), Time::ZERO);
    }

    #[test]
    fn no_event_is_stepped_over() {
        for trace in traces() {
            let stops: Vec<Time> =
                std::iter::successors(Some(Time::ZERO), |at| Some(next_stop(&trace, *at)).filter(|next| next > at))
                    .collect();
            assert!(trace.events().iter().all(|event| stops.contains(&event.at)));
        }
    }

    #[test]
    fn playing_owes_a_step_for_each_part_of_a_second() {
        let mut player = Player::default();
        player.toggle();
        assert_eq!(player.wait(), Some(Duration::from_millis(250)));
        assert_eq!(player.pass(Duration::from_millis(200)), 0);
        assert_eq!(player.wait(), Some(Duration::from_millis(50)));
        assert_eq!(player.pass(Duration::from_millis(300)), 2);
        player.pause();
        assert_eq!((player.pass(Duration::from_secs(9)), player.wait()), (0, None));
    }
}
