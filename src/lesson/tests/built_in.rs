//! The built-in lesson: it passes its check, and what it says is true in the runs that it shows.

use super::*;

#[test]
fn the_lessons_that_come_along_pass_their_check() {
    for text in [include_str!("../../../assets/lesson.json"), starter()] {
        let findings: Vec<String> = check(text).iter().map(ToString::to_string).collect();
        assert_eq!(findings, Vec::<String>::new());
        assert!(from_str(text).unwrap().resolve().is_ok());
    }
}
