//! The commands explore, odds and study: what they print, what they refuse, and how they end.

use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn retryscope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_retryscope")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn refused(args: &[&str], said: &str) {
    let output = retryscope(args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(error.contains(said), "{args:?}: {error}");
}

/// A path in the directory for temporary files that is this test's alone.
fn scratch(name: &str) -> String {
    let path = std::env::temp_dir().join(format!("retryscope-{}-{name}", std::process::id()));
    std::fs::remove_file(&path).ok();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_safe_policy_gets_a_certificate_and_status_0() {
    let output = retryscope(&["explore", "--strategy", "pinned-intent-key", "--contract", "stripe-v1"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("Bounds: at most 4 calls and 3 faults"), "{said}");
    assert!(said.contains("Certificate: ") && said.contains(": 0 duplicates, "), "{said}");
}

#[test]
fn an_unsafe_policy_gets_the_smallest_counterexample_as_a_file_and_status_1() {
    let file = scratch("worst.json");
    let args =
        ["explore", "--strategy", "naive-retry", "--outcomes", "request-late", "--format", "json", "--out", &file];
    let output = retryscope(&args);
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["certificate"], &found["complete"]), (&Value::from(false), &Value::from(true)));
    assert_eq!(found["counterexample"]["faults"], 1);
    let opened: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(opened, found["counterexample"]["scenario"]);
    let run = retryscope(&["run", "--scenario", &file, "--format", "json"]);
    let run: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&run["verdict"], &run["outcome"]), (&"duplicate".into(), &found["counterexample"]["outcome"]));
    refused(&args, "it is there already");
    assert_eq!(retryscope(&[&args[..], &["--force"]].concat()).status.code(), Some(1));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn threads_do_not_change_a_byte() {
    for args in [
        &["explore", "--strategy", "verify-then-retry", "--format", "json"][..],
        &["odds", "--samples", "20000", "--seed", "7", "--format", "json"],
    ] {
        let with = |jobs| text(&retryscope(&[args, &["--jobs", jobs]].concat()).stdout);
        assert!(with("1").len() > 500);
        assert_eq!(with("1"), with("3"), "{args:?}");
    }
}

#[test]
fn bounds_that_would_take_long_are_refused_with_what_they_need() {
    let args = ["explore", "--strategy", "exponential-backoff", "--outcomes", "all", "--calls", "6", "--faults", "6"];
    refused(&args, "plans, allowed: 5,000,000; --faults ");
    refused(&["explore", "--calls", "0"], "1..=100");
    refused(&["explore", "--faults", "9"], "0..=8");
    refused(&["explore", "--delays", "soon"], "soon");
    refused(&["explore", "--outcomes", "explosion"], "request-lost");
    refused(&["explore", "--forbid", "bad-luck"], "honest-unknown");
    refused(&["explore", "--jobs", "0"], "1..=1024");
    refused(&["explore", "--strategy", "verify-by-key", "--contract", "github-create-issue"], "strategy.verify");
    refused(&["explore", "--table", "--calls", "3"], "cannot be used with");
}

#[test]
fn wrong_chances_are_refused_with_their_place() {
    let file = scratch("chances.json");
    std::fs::write(&file, r#"{"calls": {"request-lost": 1.5}}"#).unwrap();
    refused(&["odds", "--odds", &file], "calls.request-lost: found 1.5");
    std::fs::write(&file, r#"{"calls": {"delivered": 0.5, "request-lost": 0.4}}"#).unwrap();
    refused(&["odds", "--odds", &file], "calls: found a sum of 0.9");
    std::fs::remove_file(&file).unwrap();
    refused(&["odds", "--samples", "0"], "1..=1000000000");
    refused(&["odds", "--seed", "1"], "--samples");
}

#[test]
fn odds_stand_side_by_side_and_say_how_they_were_found() {
    let exact: Value = serde_json::from_slice(&retryscope(&["odds", "--format", "json"]).stdout).unwrap();
    assert_eq!(exact["strategies"].as_array().unwrap().len(), 4);
    assert_eq!(exact["strategies"][0]["method"], "enumeration");
    assert!(exact["strategies"][0]["reportedAfterMs"].as_f64().unwrap() > 4_000.0);
    let sampled = text(&retryscope(&["odds", "--samples", "1000", "--strategy", "guard"]).stdout);
    assert!(sampled.contains("SAMPLED, 1,000 runs"), "{sampled}");
}

#[test]
fn the_study_says_what_is_a_model_and_what_was_measured() {
    let said = text(&retryscope(&["study"]).stdout);
    for part in ["arXiv 2609.29095", "measured on language models", "Levels are not comparable", "recount: 51"] {
        assert!(said.contains(part), "{part}");
    }
    let study: Value = serde_json::from_slice(&retryscope(&["study", "--format", "json"]).stdout).unwrap();
    assert_eq!(study["parts"].as_array().unwrap().len(), 4);
}

#[test]
fn an_interrupted_search_says_that_it_is_partial_and_ends_with_130() {
    let args = [
        "explore",
        "--strategy",
        "sdk-retries-with-key",
        "--outcomes",
        "all",
        "--calls",
        "8",
        "--faults",
        "8",
        "--force",
    ];
    let mut search = Command::new(env!("CARGO_BIN_EXE_retryscope")).args(args).stdout(Stdio::piped()).spawn().unwrap();
    // Until it catches the signal.
    std::thread::sleep(Duration::from_secs(1));
    let pid = search.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let mut said = String::new();
    search.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(search.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("PARTIAL") && said.contains("plans so far") && !said.contains("Certificate"), "{said}");
}

/// No build may take what could not be searched for a certificate.
#[test]
fn what_could_not_be_searched_is_no_success() {
    let file = scratch("endless.json");
    let policy = r#"{"strategy": {"name": "endless", "key": "per-intent", "verify": "look-alike", "maxAttempts": 1000,
        "timeout": "1ms", "backoff": "0s", "onRefused": "retry", "onExhausted": "failed"}, "fault": "none"}"#;
    std::fs::write(&file, policy).unwrap();
    let output = retryscope(&["explore", "--scenario", &file, "--calls", "1", "--faults", "0"]);
    let said = text(&output.stdout);
    assert!(!said.contains("Certificate"), "{said}");
    assert_eq!(output.status.code(), Some(2), "{said}{}", text(&output.stderr));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_check_names_what_was_expected() {
    let file = scratch("three.json");
    let run = r#"{"strategy": "naive-retry", "fault": "none", "expect": {"outcome": "right", "charges": 3}}"#;
    std::fs::write(&file, run).unwrap();
    let output = retryscope(&["check", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("but right with charges=3 was expected"));
    std::fs::remove_file(file).unwrap();
}
