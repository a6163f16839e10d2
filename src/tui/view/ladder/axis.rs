//! Time to scale along the width of the ladder, with idle stretches folded where it would not fit.

use std::ops::Range;

use crate::model::{Span, Time};
use crate::trace::Trace;

/// Where an instant stands on a line that is so many columns wide. Positions are counted in dots, two
/// to a column, as Braille cells have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pieces: Vec<Piece>,
    columns: u16,
}

/// A part of the line in which time runs evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    from: Time,
    until: Time,
    first_dot: u64,
    end_dot: u64,
    folded: bool,
}

/// Columns that a folded stretch takes.
const FOLD_COLUMNS: u64 = 5;
/// A stretch is folded only if that saves at least this many columns.
const SAVING_MIN: u64 = 5;
/// The most time that a column stands for before idle stretches are folded.
const COLUMN_MAX: Span = Span::secs(2);
/// The share of the columns, one in so many, that is kept after the last event.
const TAIL_SHARE: u64 = 5;
/// The least time that the whole line stands for.
const WHOLE_MIN: Span = Span::secs(10);

impl Axis {
    /// A line `columns` wide for a run in which something happens at `instants`, in order. Some room is
    /// kept after the last, so that what then holds for ever can be seen.
    #[must_use]
    pub fn new(instants: &[Time], columns: u16) -> Self {
        let last = instants.last().copied().unwrap_or_default();
        let mut stops: Vec<Time> = std::iter::once(Time::ZERO).chain(instants.iter().copied()).collect();
        stops.push((Time::ZERO + WHOLE_MIN).max(last));
        stops.dedup();
        let gaps: Vec<(Time, Time)> = stops.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let room = u64::from(columns) - u64::from(columns) / TAIL_SHARE;
        let folded = choose_folds(&gaps, room);
        Self { pieces: lay_out(&gaps, &folded, room), columns }
    }

    /// A line `columns` wide that several runs share, so that the same instant stands in the same column.
    #[must_use]
    pub fn over<'a>(traces: impl IntoIterator<Item = &'a Trace>, columns: u16) -> Self {
        let mut instants: Vec<Time> =
            traces.into_iter().flat_map(|trace| trace.events().iter().map(|event| event.at)).collect();
        instants.sort_unstable();
        instants.dedup();
        Self::new(&instants, columns)
    }

    /// The last column: beyond the end of the run.
    #[must_use]
    pub const fn last_column(&self) -> u16 {
        self.columns.saturating_sub(1)
    }

    /// How many columns the line is wide.
    #[must_use]
    pub const fn columns(&self) -> u16 {
        self.columns
    }

    /// The dot at which an instant stands.
    #[must_use]
    pub fn dot(&self, at: Time) -> u64 {
        let last = u64::from(self.columns).saturating_mul(2).saturating_sub(1);
        let Some(piece) = self.pieces.iter().find(|piece| at <= piece.until).or(self.pieces.last()) else { return 0 };
        let (gone, whole) = (at.min(piece.until).since(piece.from).as_ms(), (piece.until - piece.from).as_ms());
        let inside = (gone * (piece.end_dot - piece.first_dot)).checked_div(whole).unwrap_or(0);
        (piece.first_dot + inside).min(last)
    }

    /// The column in which an instant stands.
    #[must_use]
    pub fn column(&self, at: Time) -> u16 {
        u16::try_from(self.dot(at) / 2).unwrap_or(u16::MAX)
    }

    /// The first instant that stands at a dot.
    #[must_use]
    pub fn time(&self, dot: u64) -> Time {
        let Some(piece) = self.pieces.iter().find(|piece| dot < piece.end_dot).or(self.pieces.last()) else {
            return Time::ZERO;
        };
        let (inside, dots) = (dot.saturating_sub(piece.first_dot), piece.end_dot - piece.first_dot);
        let whole = (piece.until - piece.from).as_ms();
        piece.from + Span::ms((inside * whole).checked_div(dots).unwrap_or(0).min(whole))
    }

    /// The columns in which time is folded, and how much of it.
    pub fn folds(&self) -> impl Iterator<Item = (Range<u16>, Span)> {
        let column = |dot: u64| u16::try_from(dot / 2).unwrap_or(u16::MAX);
        let folded = self.pieces.iter().filter(|piece| piece.folded);
        folded.map(move |piece| (column(piece.first_dot)..column(piece.end_dot), piece.until - piece.from))
    }

    /// Round instants to write below the line, with their columns; a fold starts the count anew.
    #[must_use]
    pub fn marks(&self) -> Vec<(u16, Time)> {
        const STEPS: [u64; 17] =
            [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
        const APART_MIN: u64 = 8;
        let mut marks: Vec<(u16, Time)> = Vec::new();
        for piece in self.pieces.iter().filter(|piece| !piece.folded) {
            let columns = ((piece.end_dot - piece.first_dot) / 2).max(1);
            let per_column = (piece.until - piece.from).as_ms().div_ceil(columns).max(1);
            let step = STEPS.iter().map(|secs| secs * 1_000).find(|step| step / per_column >= APART_MIN);
            let step = step.unwrap_or(STEPS[STEPS.len() - 1] * 1_000);
            let first = piece.from.as_ms().div_ceil(step) * step;
            for at in (first..=piece.until.as_ms()).step_by(usize::try_from(step).unwrap_or(usize::MAX)).take(200) {
                let at = Time::from_ms(at);
                let column = self.column(at);
                if marks.last().is_none_or(|(last, _)| u64::from(column) >= u64::from(*last) + APART_MIN) {
                    marks.push((column, at));
                }
            }
        }
        marks
    }
}

/// Which gaps are folded: the longest ones, until the rest fits at [`COLUMN_MAX`] or folding saves nothing.
fn choose_folds(gaps: &[(Time, Time)], columns: u64) -> Vec<bool> {
    let mut folded = vec![false; gaps.len()];
    let length = |n: usize| (gaps[n].1 - gaps[n].0).as_ms();
    loop {
        let open: u64 = (0..gaps.len()).filter(|n| !folded[*n]).map(length).sum();
        let folds = folded.iter().filter(|folded| **folded).count() as u64;
        let left = columns.saturating_sub(folds * FOLD_COLUMNS).max(1);
        let per_column = open.div_ceil(left).max(1);
        let longest = (0..gaps.len()).filter(|n| !folded[*n]).max_by_key(|n| length(*n));
        match longest {
            Some(n)
                if per_column > COLUMN_MAX.as_ms()
                    && length(n) / per_column >= FOLD_COLUMNS + SAVING_MIN
                    && left > 2 * FOLD_COLUMNS =>
            {
                folded[n] = true;
            }
            _ => return folded,
        }
    }
}

fn lay_out(gaps: &[(Time, Time)], folded: &[bool], columns: u64) -> Vec<Piece> {
    let folds = folded.iter().filter(|folded| **folded).count() as u64;
    let open_dots = (columns * 2).saturating_sub(folds * FOLD_COLUMNS * 2);
    let open: u64 =
        gaps.iter().zip(folded).filter(|(_, folded)| !**folded).map(|(gap, _)| (gap.1 - gap.0).as_ms()).sum();
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut passed, mut folds_passed) = (0, 0);
    let dot = |passed: u64, folds: u64| (passed * open_dots).checked_div(open).unwrap_or(0) + folds * FOLD_COLUMNS * 2;
    for (gap, folded) in gaps.iter().zip(folded) {
        let first_dot = dot(passed, folds_passed);
        if *folded {
            folds_passed += 1;
        } else {
            passed += (gap.1 - gap.0).as_ms();
        }
        let end_dot = dot(passed, folds_passed);
        match pieces.last_mut() {
            Some(last) if !last.folded && !folded => {
                last.until = gap.1;
                last.end_dot = end_dot;
            }
            _ => pieces.push(Piece { from: gap.0, until: gap.1, first_dot, end_dot, folded: *folded }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(secs: &[u64], columns: u16) -> Axis {
        let instants: Vec<Time> = secs.iter().map(|s| Time::from_ms(s * 1_000)).collect();
        Axis::new(&instants, columns)
    }

    #[test]
    fn time_is_to_scale_where_it_fits() {
        let axis = axis(&[0, 2, 30, 31, 33, 35, 90, 92], 70);
        assert_eq!(axis.folds().count(), 0);
        let column = |s: u64| axis.column(Time::from_ms(s * 1_000));
        assert_eq!((column(0), column(46), column(92)), (0, 28, 56));
    }

    #[test]
    fn an_idle_hour_is_folded_and_time_outside_stays_even() {
        let axis = axis(&[0, 2, 4, 3_600, 3_602], 60);
        let folds: Vec<_> = axis.folds().collect();
        assert_eq!(folds.len(), 1);
        assert_eq!(folds[0].1, Span::secs(3_596));
        let dot = |s: u64| axis.dot(Time::from_ms(s * 1_000));
        assert!((dot(2) - dot(0)).abs_diff(dot(3_602) - dot(3_600)) <= 1);
    }

    #[test]
    fn a_position_and_its_time_agree_at_any_width() {
        for columns in [0, 1, 2, 7, 20, 52, 192] {
            let axis = axis(&[0, 2, 4, 60, 3_600, 3_602, 90_000], columns);
            let mut last = 0;
            for s in (0..90_000).step_by(97) {
                let dot = axis.dot(Time::from_ms(s * 1_000));
                assert!(dot >= last && dot < u64::from(columns.max(1)) * 2, "{columns} {s}");
                assert!(axis.dot(axis.time(dot)) <= dot, "{columns} {s}");
                last = dot;
            }
        }
    }

    #[test]
    fn marks_are_round_and_apart() {
        let axis = axis(&[0, 2, 92], 70);
        let marks: Vec<u64> = axis.marks().iter().map(|(_, at)| at.as_ms() / 1_000).collect();
        assert_eq!(marks, [0, 15, 30, 45, 60, 75, 90]);
    }
}
