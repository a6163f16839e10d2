//! Which rows or columns are in sight, where there are more than fit.

/// A stretch of a list that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// The first that is shown, counted from 0.
    pub(super) first: usize,
    /// How many are shown.
    pub(super) shown: usize,
    /// How many there are.
    pub(super) all: usize,
}

impl Window {
    /// As many of `all` as have room, the choice among them, in the middle where it can be. At least one is shown.
    pub(super) fn around(choice: usize, all: usize, room: u16) -> Self {
        let shown = usize::from(room.max(1)).min(all);
        let first = choice.saturating_sub((shown.max(1) - 1) / 2).min(all - shown);
        Self { first, shown, all }
    }

    /// Where the `n`-th stands, counted from the first that is shown.
    pub(super) fn place(self, n: usize) -> Option<u16> {
        let place = n.checked_sub(self.first).filter(|place| *place < self.shown)?;
        u16::try_from(place).ok()
    }

    pub(super) const fn before(self) -> usize {
        self.first
    }

    pub(super) const fn after(self) -> usize {
        self.all - self.first - self.shown
    }

    pub(super) const fn is_whole(self) -> bool {
        self.shown == self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_always_in_sight_and_nothing_is_counted_twice() {
        for all in 1..20 {
            for room in 0..25 {
                for choice in 0..all {
                    let window = Window::around(choice, all, room);
                    assert!(window.place(choice).is_some(), "{choice} of {all} in {room}: {window:?}");
                    assert_eq!(window.before() + window.shown + window.after(), all);
                }
            }
        }
    }
}
