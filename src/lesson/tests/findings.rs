//! Each thing that can be wrong.
