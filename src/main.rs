//! The `retryscope` program: parse, dispatch, exit code.

fn main() {}
