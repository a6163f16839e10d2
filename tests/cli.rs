//! The command line: what each command prints, what it refuses, and how it ends.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use retryscope::model::text::is_hidden;
use serde_json::{Value, json};

/// Exit status, standard output and standard error.
type Ran = (i32, String, String);

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retryscope"));
    program.stdin(Stdio::null()).env("LC_ALL", "C");
    program
}

fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    ran(program().args(args))
}

/// What a program printed, which is never anything that a terminal would not show.
fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    for printed in [&out, &err] {
        let hidden = printed.chars().find(|c| *c != '\n' && is_hidden(*c));
        assert_eq!(hidden, None, "{printed}");
        assert!(
            !printed.contains("Os {") && !printed.contains("os error") && !printed.contains("panicked"),
            "{printed}"
        );
    }
    (output.status.code().expect("an exit status"), out, err)
}

/// What a command prints that is to end well.
fn fine<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> String {
    let (status, out, err) = run(args);
    assert_eq!((status, err.as_str()), (0, ""));
    out
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// A file of that name, in a directory of the test's own.
fn file(test: &str, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// A file with a scenario of two presets.
fn preset(test: &str, strategy: &str, fault: &str) -> PathBuf {
    let scenario = json!({"strategy": strategy, "fault": fault}).to_string();
    file(test, format!("{strategy}-{fault}.json"), scenario)
}

#[test]
fn the_summary_is_a_table_by_fault_and_the_counts() {
    assert_snapshot!(fine(["summary"]), @r#"
    none: nothing goes wrong
      naive retry          charges=1  ok         agent said: completed
      verify then retry    charges=1  ok         agent said: completed
      new key per attempt  charges=1  ok         agent said: completed
      pinned intent key    charges=1  ok         agent said: completed

    lost-ack: call 1: the response is lost
      naive retry          charges=2  DUPLICATE  agent said: completed
      verify then retry    charges=1  ok         agent said: completed
      new key per attempt  charges=2  DUPLICATE  agent said: completed
      pinned intent key    charges=1  ok         agent said: completed

    late-commit: call 1: the request takes 90 s to arrive
      naive retry          charges=2  DUPLICATE  agent said: completed
      verify then retry    charges=2  DUPLICATE  agent said: completed
      new key per attempt  charges=2  DUPLICATE  agent said: completed
      pinned intent key    charges=1  ok         agent said: completed

    redelivery: call 1: the request arrives twice, 1 s apart
      naive retry          charges=2  DUPLICATE  agent said: completed
      verify then retry    charges=2  DUPLICATE  agent said: completed
      new key per attempt  charges=1  ok         agent said: completed
      pinned intent key    charges=1  ok         agent said: completed

    Duplicates: 7 of 16 runs
    Duplicates the agent reported as completed: 7

    One idempotency key, used for two amounts:
      $49.00               charged: ch_1
      $99.00               refused: idempotency key reused with different parameters
      charges in the end   1
    "#);
}

#[test]
fn a_run_is_a_story_line_by_line() {
    assert_snapshot!(fine(["run"]), @r#"
    Task: charge acme $49.00, exactly once (task-42, tool create_charge).
    Strategy: verify then retry. At most 3 attempts; each waits 30 s for an answer, and a pause of 1 s follows. No idempotency key. After the pause it looks in the ledger for a charge of the same customer and amount. A refusal is tried again. Out of attempts, it reports: failed.
    Fault: late-commit. Plan: call 1: the request takes 90 s to arrive.
    Service: keyed. Promise: a known key with the same arguments gets the first charge again; with other arguments it is refused; no key, or a new one, is a new charge.
    Network: 2 s each way. The world goes on for 1 h after the agent's report.

    00:00 agent: Attempt 1 starts with no key and waits 30 s at most.
    00:00 agent: Request #1 of attempt 1 leaves, and will take 90 s to arrive.
    00:30 agent: Attempt 1 times out. The agent has seen no answer; it cannot know whether the charge was made.
    00:30 agent: The harness pauses until 00:31.
    00:31 agent: Before it goes on, the agent looks for the charge of attempt 1: lookup #2 leaves.
    00:33 service: Lookup #2 reaches the service.
    00:33 service: The service looks in the ledger: no charge for acme and $49.00 is there now.
    00:33 service: The service answers lookup #2 with #3.
    00:35 agent: The agent learns that no such charge was in the ledger.
    00:35 agent: Attempt 2 starts with no key and waits 30 s at most.
    00:35 agent: Request #4 of attempt 2 leaves.
    00:37 service: Request #4 of attempt 2 reaches the service.
    00:37 service: The service charges acme $49.00 for request #4: ch_1.
    00:37 service: The service answers request #4 with #5.
    00:39 agent: The answer #5 reaches the agent: attempt 2 succeeded, with ch_1.
    00:39 agent: The agent reports: completed.
    01:30 service: Request #1 of attempt 1 reaches the service.
    01:30 service: The service charges acme $49.00 for request #1: ch_2. This is charge number 2.
    01:30 service: The service answers request #1 with #6.
    01:32 agent: The answer #6 reaches the agent, but nobody is waiting for it any more.
    01:32 world: Nothing is on its way any more. The run is over.

    Ledger: 2 charges.
    ch_1 at 00:37: acme, $49.00, no key.
    ch_2 at 01:30: acme, $49.00, no key.
    The agent reported at 00:39: completed.
    Verdict: duplicate: the task should have taken effect once, and took effect 2 times.
    Outcome: quiet duplicate. The agent reports success, so nobody is told that it charged too often.
    "#);
}

#[test]
fn every_run_agrees_with_the_right_facts() {
    let right: Value = parsed(include_str!("runs.json"));
    let summary = parsed(&fine(["summary", "--format", "json"]));
    assert_eq!(summary["duplicates"], 7);
    assert_eq!(summary["quietDuplicates"], 7);
    assert_eq!(
        summary["keyReuse"],
        json!({"amountsCents": [4900, 9900], "charges": 1, "refusal": "idempotency key reused with different parameters"})
    );
    let runs = summary["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    for (run, right) in runs.iter().zip(right["runs"].as_array().unwrap()) {
        for (name, value) in right.as_object().unwrap() {
            if name == "ledger" {
                let charges = run[name].as_array().unwrap().iter();
                let charges: Vec<Value> = charges.map(|c| json!({"id": c["id"], "atMs": c["atMs"]})).collect();
                assert_eq!(&json!(charges), value, "{name} in {right}");
            } else {
                assert_eq!(&run[name], value, "{name} in {right}");
            }
        }
    }
}

#[test]
fn the_markdown_tables_hold_all_runs() {
    let page = fine(["summary", "--format", "markdown"]);
    assert_eq!(page.lines().filter(|line| line.starts_with("| ")).count(), 1 + 16 + 1 + 2);
    assert!(page.contains("| late-commit | verify then retry | 2 | **DUPLICATE** | completed |"), "{page}");
    assert!(page.contains("| $99.00 | refused: idempotency key reused with different parameters |"), "{page}");
}

#[test]
fn a_run_as_json_holds_all_that_happened_and_can_be_fed_back() {
    let run = parsed(&fine(["run", "--strategy", "naive-retry", "--fault", "lost-ack", "--format", "json"]));
    assert_eq!(
        run["ledger"][1],
        json!({"id": "ch_2", "customer": "acme", "amountCents": 4900, "atMs": 33000, "key": null})
    );
    assert_eq!(
        (&run["strategy"], &run["fault"], &run["quiet"]),
        (&json!("naive-retry"), &json!("lost-ack"), &json!(true))
    );
    let events = run["events"].as_array().unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[..7], ["attemptStarted", "sent", "arrived", "committed", "lost", "timedOut", "paused"]);
    let commit = json!({"atMs": 2000, "who": "service", "kind": "committed", "charge": "ch_1", "message": 1,
        "messageKind": "request", "attempt": 1, "text": "The service charges acme $49.00 for request #1: ch_1."});
    assert_eq!(events[3], commit);
    assert!(events.iter().all(|event| !event["text"].as_str().unwrap().is_empty()));

    let again = file("fed-back", "again.json", run["scenario"].to_string());
    let again = fine(["run".as_ref(), "--scenario".as_ref(), again.as_os_str(), "--format".as_ref(), "json".as_ref()]);
    assert_eq!(parsed(&again), run);
}

#[test]
fn a_check_says_a_line_a_file_and_fails_when_one_does_not_hold() {
    let good = preset("check", "pinned-intent-key", "late-commit");
    let twice = preset("check", "verify-then-retry", "late-commit");
    let lost = json!({"strategy": {"key": "none", "verify": "none", "maxAttempts": 1, "timeout": "1s", "backoff": "0s",
        "onRefused": "fail", "onExhausted": "failed"}, "fault": [{"call": 1, "request": "lose"}]});
    let never = file("check", "never.json", lost.to_string());
    let (good, twice, never) = (good.to_str().unwrap(), twice.to_str().unwrap(), never.to_str().unwrap());

    assert_eq!(fine(["check", good]), format!("{good}: exactly-once, charges=1, agent said: completed\n"));
    let (status, out, err) = run(["check", twice, good, never]);
    assert_eq!((status, err.as_str()), (1, ""));
    let lines = [
        format!("{twice}: duplicate, charges=2, agent said: completed (a quiet duplicate)"),
        format!("{good}: exactly-once, charges=1, agent said: completed"),
        format!("{never}: missing, charges=0, agent said: failed"),
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), lines);

    let (status, out, _) = run(["check", "--format", "json", never, good]);
    let rows: Vec<Value> = out.lines().map(parsed).collect();
    assert_eq!((status, rows.len()), (1, 2));
    assert_eq!(
        (&rows[0]["file"], &rows[0]["verdict"], &rows[0]["charges"]),
        (&json!(never), &json!("missing"), &json!(0))
    );
    assert_eq!((&rows[1]["file"], &rows[1]["verdict"]), (&json!(good), &json!("exactly-once")));
    assert_eq!(rows[0]["scenario"]["fault"], json!({"name": "custom", "plan": [{"call": 1, "request": "lose"}]}));
}

#[test]
fn a_check_with_a_bad_file_names_every_bad_file_and_gives_no_verdict() {
    let good = preset("bad", "pinned-intent-key", "none");
    let bad = file("bad", "bad.json", r#"{"strategy": "naive-retry", "fault": "lost-ak"}"#);
    let (status, out, err) = run(["check".as_ref(), good.as_os_str(), bad.as_os_str(), "/no/such/file".as_ref()]);
    assert_eq!((status, out.as_str()), (2, ""));
    let problems: Vec<&str> = err.lines().collect();
    assert_eq!(problems.len(), 2, "{err}");
    let expected = format!("error: {}: fault: found \"lost-ak\", allowed: none, lost-ack, ", bad.display());
    assert!(problems[0].starts_with(&expected), "{err}");
    assert_eq!(problems[1], "error: /no/such/file: there is no such file");
}

#[test]
fn a_scenario_may_come_from_standard_input() {
    let scenario = preset("stdin", "naive-retry", "lost-ack");
    let (status, out, _) = ran(program().args(["check", "-"]).stdin(File::open(scenario).unwrap()));
    let expected = "standard input: duplicate, charges=2, agent said: completed (a quiet duplicate)\n";
    assert_eq!((status, out.as_str()), (1, expected));
}

#[test]
fn a_file_that_cannot_be_used_is_refused_in_a_sentence() {
    let many_copies: Vec<Value> = (1..=100)
        .map(|call| json!({"call": call, "request": {"copies": 100, "apart": "0s"}, "response": "lose"}))
        .collect();
    let endless = json!({"strategy": "naive-retry", "fault": many_copies, "task": null});
    let patient = json!({"strategy": {"key": "none", "verify": "none", "maxAttempts": 1000, "timeout": "1ms", "backoff": "0s",
        "onRefused": "fail", "onExhausted": "failed"}, "fault": many_copies});
    for (name, content, said) in [
        ("empty.json", b"".to_vec(), "found nothing, allowed: a JSON value (line 1, column 1)"),
        ("bytes.json", b"{\"a\": \"\xff\"}".to_vec(), "found bytes that are no text at byte 8, allowed: text in UTF-8"),
        (
            "large.json",
            vec![b' '; (1 << 20) + 1],
            "found a file of more than 1048576 bytes, allowed: at most that many (1 MiB)",
        ),
        ("null.json", endless.to_string().into_bytes(), "task: found null, allowed: an object (line 1, column"),
        (
            "endless.json",
            patient.to_string().into_bytes(),
            "the run has more than 10000 events; allowed: fewer attempts or fewer copies",
        ),
    ] {
        let path = file("refused", name, content);
        for command in [&["check"] as &[&str], &["run", "--scenario"], &["--scenario"]] {
            let (status, out, err) = run(command.iter().map(OsStr::new).chain([path.as_os_str()]));
            assert_eq!((status, out.as_str()), (2, ""), "{name}");
            assert!(err.starts_with(&format!("error: {}: {said}", path.display())), "{err}");
            assert_eq!(err.lines().count(), 1, "{err}");
        }
    }
    let (status, _, err) = run(["check", env!("CARGO_TARGET_TMPDIR")]);
    assert_eq!(status, 2);
    assert!(err.ends_with(": it is a directory, not a file\n"), "{err}");
    let (status, _, err) = run(["check", "/dev/zero"]);
    assert_eq!(status, 2);
    assert!(err.contains("more than 1048576 bytes"), "{err}");
}

#[test]
fn the_intent_key_stands_alone() {
    let key = |args| run(["key", "--task", "task-42", "--tool", "create_charge", "--args", args]);
    for args in [r#"{"customer":"acme","amountCents":4900}"#, r#"{ "amountCents": 4.9e3, "customer": "\u0061cme" }"#] {
        let expected = "task-42:create_charge:d92921d3b53e\n";
        assert_eq!(key(args), (0, expected.to_owned(), String::new()));
    }
    for (args, said) in [
        (r#"{"a": 1, "a": 2}"#, "error: --args: a: the name stands here twice, allowed: once (line 1, column 10)\n"),
        (r#"{"a": NaN}"#, "error: --args: found NaN, allowed: a number (JSON has no NaN)"),
        (r#"{"a": 1} {}"#, "error: --args: "),
        (r#"{"a": "\ud800"}"#, "error: --args: a: found half of a surrogate pair"),
        ("[1]", "error: --args: found an array, allowed: an object"),
        ("", "error: --args: found nothing, allowed: a JSON value"),
        ("{\"\u{1b}[31m\": \u{202e}}", "error: --args: "),
    ] {
        let (status, out, err) = key(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args}");
        assert!(err.starts_with(said), "{err}");
    }
    let (status, _, err) = run(["key", "--task", "", "--tool", "t", "--args", "{}"]);
    assert_eq!(status, 2);
    assert!(err.contains("found an empty name, allowed: 1 to 200 characters"), "{err}");
}

#[test]
fn completions_and_the_manual_are_for_the_real_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = fine(["completions", shell]);
        assert!(["retryscope", "summary", "strategy"].iter().all(|word| script.contains(word)));
    }
    let page = fine(["man"]);
    for part in [
        ".TH retryscope 1",
        "COMMAND CHECK",
        "COMMAND KEY",
        "COMMAND LESSON CHECK",
        "EXIT STATUS",
        "\\-\\-scenario",
        "FILE",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("(1)\n"), "the manual is one page");
}

#[test]
fn help_has_examples_and_goes_to_standard_output() {
    for args in
        [&["--help"] as &[&str], &["-h"], &["run", "--help"], &["check", "-h"], &["key", "-h"], &["summary", "-h"]]
    {
        assert!(fine(args).contains("Examples:\n  retryscope"), "{args:?}");
    }
    assert!(fine(["--version"]).starts_with("retryscope 0."));
    let wrapped = ran(program().arg("--help").env("COLUMNS", "60")).1;
    let prose = wrapped.split("Examples:").next().unwrap();
    assert!(prose.lines().all(|line| line.len() <= 60), "{prose}");
}

#[test]
fn wrong_usage_is_said_in_plain_text_and_ends_with_2() {
    let long = "x".repeat(10_000);
    for (args, said) in [
        (&["--strategy", "\u{1b}[31m\u{202e}abc"] as &[&str], r"invalid value '\u{1b}[31m\u{202e}abc' for '--strategy"),
        (&["--fault", "lost\nack"], r"invalid value 'lost\u{a}ack'"),
        (&["--fault", "lost-ak"], "a similar value exists: 'lost-ack'"),
        (&["--theme", "neon"], "default, light, dark, high-contrast, mono"),
        (&["--at", "5\u{9b}x"], r#"found "5\u{9b}x", allowed: a clock such as 00:37"#),
        (&["--at", "9999h"], r#"found "9999h""#),
        (&["ru\u{1b}n"], r"unrecognized subcommand 'ru\u{1b}n'"),
        (&["--f\u{1b}oo"], r"unexpected argument '--f\u{1b}oo'"),
        (&["--f\u{200b}oo=1"], r"unexpected argument '--f\u{200b}oo'"),
        (&["summary", "ex\u{7}tra"], r"unexpected argument 'ex\u{7}tra'"),
        (&["summary", "--\u{1b}"], r"unexpected argument '--\u{1b}'"),
        (&["summary", "--format", "yaml"], "possible values: text, json, markdown"),
        (&["run", "--format", "markdown"], "possible values: text, json"),
        (&["run", "--scenario", "a.json", "--fault", "none"], "cannot be used with"),
        (&["run", "--scenario", ""], "a value is required for '--scenario <FILE>'"),
        (&["--fault", "none", "summary"], "cannot be used with"),
        (&["check"], "<FILE>..."),
        (&["completions", "tcsh"], "possible values: bash, elvish, fish, powershell, zsh"),
        (&["key", "--task", "a"], "--tool <NAME>"),
        (&["--strategy", &long], "..."),
        (&["key", "--task", &long, "--tool", "t", "--args", "{}"], "found 10000 characters, allowed: 1 to 200"),
    ] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(err.starts_with("error: ") && err.contains(said), "{args:?} {err}");
        assert!(err.len() < 1_000, "{err}");
    }
    let not_text = OsStr::from_bytes(b"--strategy=\xff\x1b");
    assert_eq!(run([not_text]).0, 2);
    let (status, _, err) = run(["check".as_ref(), OsStr::from_bytes(b"\xff\x1b[31m")]);
    assert_eq!(status, 2);
    assert!(err.contains(r"\u{1b}[31m: there is no such file"), "{err}");
}

#[test]
fn names_from_outside_reach_no_output_raw() {
    let long = "\u{1b}wide 東京 ".repeat(1_000);
    let hostile = [
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "\u{9b}31m\u{85}\u{7f}",
        "\u{202e}evil\u{2066}",
        "a\u{200b}b\u{feff}\u{ad}\u{2060}",
        "line\nline\r\n\ttab",
        "|`|*_<b>",
        "\u{e0041}\u{fe0f}\u{301}",
        "",
        &long,
    ];
    for (n, name) in hostile.into_iter().enumerate() {
        // A task's id has 1 to 200 characters.
        let id = if name.is_empty() { "id" } else { &name.chars().take(15).collect::<String>() };
        let scenario = json!({
            "name": name,
            "task": {"id": id, "tool": id, "args": {"customer": name, "amountCents": 1, name: name}},
            "strategy": {"name": name, "key": "per-attempt", "verify": "look-alike", "maxAttempts": 3, "timeout": "30s",
                "backoff": "1s", "onRefused": "retry", "onExhausted": "failed"},
            "fault": {"name": name, "plan": [{"call": 1, "response": "lose"}]},
        });
        // A file's name has at most 255 bytes, no slash and no zero.
        let file_name = format!("{n}{}", name.chars().take(40).collect::<String>());
        let path = file("hostile", file_name, scenario.to_string());
        let path = path.as_os_str();
        for format in ["text", "json"] {
            let story = fine(["run".as_ref(), "--format".as_ref(), format.as_ref(), "--scenario".as_ref(), path]);
            let line = fine(["check".as_ref(), "--format".as_ref(), format.as_ref(), path]);
            assert_eq!(line.lines().count(), 1, "{line}");
            if format == "json" {
                assert_eq!(
                    parsed(&story)["scenario"]["task"]["args"],
                    scenario["task"]["args"],
                    "arguments stay as they are"
                );
                assert_eq!(parsed(&line)["file"], path.to_str().unwrap());
            } else {
                assert!(story.lines().all(|line| line.chars().count() < 1_000), "{story}");
            }
        }
        let (status, ..) = run(["check".as_ref(), "--format".as_ref(), OsStr::new(name)]);
        assert_eq!(status, 2);
        let broken =
            file("hostile-broken", format!("{n}"), json!({name: name, "fault": name, "strategy": name}).to_string());
        assert_eq!(run(["check".as_ref(), broken.as_os_str()]).0, 2);
    }
}

const PRINTING: [&[&str]; 8] = [
    &[],
    &["summary"],
    &["summary", "--format", "json"],
    &["run"],
    &["run", "--format", "json"],
    &["--help"],
    &["man"],
    &["completions", "bash"],
];

#[test]
fn a_closed_pipe_ends_quietly() {
    for args in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(ran(program().args(args).stdout(writer)), (0, String::new(), String::new()), "{args:?}");
    }
    // What a check found stands in its exit status, whether or not anyone reads the lines.
    let twice = preset("pipe", "naive-retry", "lost-ack");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let (status, _, err) = ran(program().arg("check").arg(twice).stdout(writer));
    assert_eq!((status, err.as_str()), (1, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_in_a_sentence() {
    for args in PRINTING {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (status, _, err) = ran(program().args(args).stdout(full));
        assert_eq!((status, err.as_str()), (1, "error: the output cannot be written: no space is left\n"), "{args:?}");
    }
    // With nowhere left to say it, the exit status still does.
    let full = || File::options().write(true).open("/dev/full").unwrap();
    assert_eq!(ran(program().arg("run").stdout(full()).stderr(full())).0, 1);
    assert_eq!(ran(program().arg("--nonsense").stderr(full())).0, 2);
}

#[test]
fn closed_streams_do_no_harm() {
    for (script, status, prints) in [
        ("\"$0\" <&-", 0, true),
        ("\"$0\" >&-", 0, false),
        ("\"$0\" summary >&- 2>&-", 0, false),
        ("\"$0\" run <&- 2>&-", 0, true),
        ("\"$0\" check - <&-", 2, false),
        ("\"$0\" --nonsense 2>&-", 2, false),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_retryscope")]);
        let (ended, out, _) = ran(&mut shell);
        assert_eq!((ended, !out.is_empty()), (status, prints), "{script}");
    }
}

#[test]
fn without_a_terminal_the_summary_is_printed() {
    let summary = fine(["summary"]);
    assert_eq!(fine::<&str>([]), summary);
    assert_eq!(
        fine(["--strategy", "naive-retry", "--fault", "none", "--theme", "mono", "--ascii", "--at", "00:37"]),
        summary
    );
    assert!(summary.is_ascii());
    assert!(fine(["run"]).is_ascii());
}

#[test]
fn a_dumb_terminal_gets_the_summary() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_retryscope"));
    command.env("TERM", "dumb");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut shown = Vec::new();
    // On Linux the end of a pseudo-terminal is an error; what came before it has been read.
    let _ = reader.read_to_end(&mut shown);
    assert_eq!(child.wait().unwrap().exit_code(), 0);
    assert_eq!(String::from_utf8(shown).unwrap().replace("\r\n", "\n"), fine(["summary"]));
}

#[test]
fn a_lesson_is_checked_whole() {
    let good = file("lesson", "good.json", fine(["lesson", "new"]));
    let said = fine([OsStr::new("lesson"), OsStr::new("check"), good.as_os_str()]);
    assert!(said.ends_with("good.json: nothing is wrong, chapters=2, beats=5, questions=1\n"), "{said}");

    let broken = file(
        "lesson",
        "broken.json",
        r#"{ "title": "\u001b[2J", "about": "", "chapters": [
  { "title": "One", "beats": [
    { "at": "90m", "run": { "strategy": "naive-retry", "fault": "none" }, "say": [] }
  ] } ] }"#,
    );
    let stdin = File::open(broken).unwrap();
    let (status, out, err) = ran(program().args(["lesson", "check", "-"]).stdin(stdin));
    assert_eq!((status, err.as_str()), (1, ""));
    assert_snapshot!(out, @r"
    standard input: about: found no words, allowed: text (line 1, column 34)
    standard input: chapters[0].beats[0].at: found 1:30:00, allowed: from 00:00 to 00:04, where the run ends (line 3, column 13)
    standard input: chapters[0].beats[0].say: found no sentences, allowed: one or two (line 3, column 82)
    ");

    let (status, out, err) = run(["lesson", "check", "no-such-file"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(err, "error: no-such-file: there is no such file\n");
}

/// Where there is no terminal, the summary is that of the service which the file is about.
#[test]
fn without_a_terminal_a_file_has_its_own_contract() {
    let scenario = r#"{"strategy": "pinned-intent-key", "fault": "lost-ack", "contract": "github-create-issue"}"#;
    let path = file("own-contract", "scenario.json", scenario);
    let shown = fine([OsStr::new("--scenario"), path.as_os_str()]);
    assert_eq!(shown, fine(["summary", "--contract", "github-create-issue"]));
    assert_ne!(shown, fine(["summary"]));
}
