//! The state of the screen that compares: several runs at the same clock.

use super::grid::{Cell, Grid};
use crate::model::Time;
use crate::sim::{TooManyEvents, simulate};
use crate::trace::{Trace, first_parting};

/// What the rows differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The strategies, under one fault.
    Strategies,
    /// The faults, under one strategy.
    Faults,
}

/// Several runs beside each other. They are simulated once, when they are chosen.
#[derive(Clone, Debug)]
pub struct Compare {
    /// What the rows differ in.
    pub by: By,
    /// The runs.
    pub rows: Vec<Row>,
    /// The chosen row, counted from 0.
    pub row: usize,
    /// The first instant at which any two of them differ.
    pub parts_at: Option<Time>,
}

/// One of the runs.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which cell of the grid.
    pub cell: Cell,
    /// Its run.
    pub trace: Result<Trace, TooManyEvents>,
}

impl Compare {
    /// The runs that have one thing in common with a cell; that cell's is chosen.
    #[must_use]
    pub fn new(grid: &Grid, chosen: Cell, by: By) -> Self {
        let cells: Vec<Cell> = match by {
            By::Strategies => (0..grid.strategies.len()).map(|strategy| Cell { strategy, ..chosen }).collect(),
            By::Faults => (0..grid.faults.len()).map(|fault| Cell { fault, ..chosen }).collect(),
        };
        let row = cells.iter().position(|cell| *cell == chosen).unwrap_or(0);
        let rows: Vec<Row> =
            cells.into_iter().map(|cell| Row { cell, trace: simulate(&grid.scenario(cell)) }).collect();
        let parts_at = first_parting(rows.iter().filter_map(|row| row.trace.as_ref().ok()));
        Self { by, rows, row, parts_at }
    }

    /// The runs that can be shown.
    pub fn traces(&self) -> impl Iterator<Item = &Trace> {
        self.rows.iter().filter_map(|row| row.trace.as_ref().ok())
    }

    /// The cell of the chosen row.
    #[must_use]
    pub fn cell(&self) -> Cell {
        self.rows[self.row].cell
    }

    /// The cell that differs from the chosen one in what all rows have in common.
    #[must_use]
    pub fn turned(&self, grid: &Grid, forward: bool) -> Cell {
        let turn = |n: usize, count: usize| (n + if forward { 1 } else { count - 1 }) % count;
        let cell = self.cell();
        match self.by {
            By::Strategies => Cell { fault: turn(cell.fault, grid.faults.len()), ..cell },
            By::Faults => Cell { strategy: turn(cell.strategy, grid.strategies.len()), ..cell },
        }
    }
}

impl By {
    /// The other way round.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Strategies => Self::Faults,
            Self::Faults => Self::Strategies,
        }
    }
}
