//! Storyboards: keys, and between them what the screen says. Each reads as a flip-book.
//!
//! A frame of a story is the key, the clock, the sentence, and the feet of the panes: belief, report, charges.

mod paint;

use std::fmt::Write as _;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use paint::{app, paint, row, text};
use proptest::prelude::*;
use retryscope::tui::app::{App, Screen};
use retryscope::tui::clock;
use retryscope::tui::theme::Look;
use retryscope::tui::{Program, Wish};

const SIZE: (u16, u16) = (80, 24);

/// The program as it opens.
fn opened() -> App {
    app("verify-then-retry", "late-commit", Look::default())
}

/// A key by the name that it has in the footer.
fn key(name: &str) -> KeyEvent {
    let code = match name {
        "→" => KeyCode::Right,
        "←" => KeyCode::Left,
        "↑" => KeyCode::Up,
        "↓" => KeyCode::Down,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "BackTab" => KeyCode::BackTab,
        "space" => KeyCode::Char(' '),
        "Ctrl-C" => return KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
        "Ctrl-Z" => return KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL),
        name if name.chars().count() == 1 => KeyCode::Char(name.chars().next().expect("one character")),
        name => KeyCode::F(name.strip_prefix('F').and_then(|n| n.parse().ok()).expect("a key")),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

fn press(app: &mut App, names: &str) {
    for name in names.split_whitespace() {
        app.key(key(name));
    }
}

/// What is on screen, in a few lines.
fn frame(app: &App) -> String {
    let screen = paint(app, SIZE);
    let bar = row(&screen, 0);
    let bar: Vec<&str> = bar.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
    let foot = (1..SIZE.1).find(|y| row(&screen, *y).starts_with(" belief "));
    let (Some(foot), [_, run, clock, state]) = (foot, bar.as_slice()) else {
        return if bar.is_empty() { "(nothing)".to_owned() } else { bar.join(", ") };
    };
    let caption: Vec<String> = (1..4).map(|y| row(&screen, y).trim().to_owned()).collect();
    let pane = |y, n| row(&screen, y).split('│').nth(n).unwrap_or_default().trim().to_owned();
    let last = (foot..SIZE.1).find(|y| row(&screen, *y).contains("Space and time")).expect("a ladder") - 1;
    let feet = [pane(foot, 0), pane(foot + 1, 0), pane(last, 2)].join(", ");
    format!("{clock} {state}, {run}: {feet}\n{}", caption.join(" ").trim())
}

/// Presses keys one by one, with the screen after each.
fn tell(app: &mut App, names: &str) -> String {
    let mut story = String::new();
    for name in names.split_whitespace() {
        press(app, name);
        writeln!(story, "{name:<6}  {}", frame(app).replace('\n', "\n        ")).expect("a string");
    }
    story
}

/// The rows of the ladder.
fn ladder(app: &App) -> String {
    let screen = paint(app, SIZE);
    let first = (0..SIZE.1).find(|y| row(&screen, *y).contains("Space and time")).expect("a ladder") + 1;
    let last = (first..SIZE.1).find(|y| row(&screen, *y).contains("00:00")).expect("a scale");
    (first..=last).map(|y| row(&screen, y) + "\n").collect()
}

#[test]
fn why_verify_then_retry_charges_twice() {
    let mut app = opened();
    assert_snapshot!(frame(&app), @r"
    00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
    Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    ");
    assert_snapshot!(tell(&mut app, "] ] ] ] ] ] ] ] ]"), @r"
    ]       00:30 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Attempt 1 times out. The agent has seen no answer; it cannot know whether the charge was made. Request #1 is still on its way, and nobody waits for it.
    ]       00:31 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Before it goes on, the agent looks for the charge of attempt 1: lookup #2 leaves. Request #1 is still on its way, and nobody waits for it.
    ]       00:33 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            The service looks in the ledger: no charge for acme and $49.00 is there now. Request #1 is still on its way, and nobody waits for it.
    ]       00:35 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Attempt 2 starts with no key and waits 30 s at most. Request #1 is still on its way, and nobody waits for it.
    ]       00:37 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, 1 charge
            The service charges acme $49.00 for request #4: ch_1. Request #1 is still on its way, and nobody waits for it.
    ]       00:39 ▮▮ paused, verify then retry × late-commit: belief done: one charge, report completed 00:39, 1 charge
            The agent reports: completed. Request #1 is still on its way, and nobody waits for it.
    ]       01:30 ▮▮ paused, verify then retry × late-commit: belief done: one charge, report completed 00:39, 2 charges: DUPLICATE
            The service charges acme $49.00 for request #1: ch_2. This is charge number 2. The agent believes in one charge; the ledger holds 2 charges. Answer #6 is still on its way, and nobody waits for it.
    ]       01:32 ■ end, verify then retry × late-commit: belief done: one charge, report completed 00:39, 2 charges: DUPLICATE
            The answer #6 reaches the agent, but nobody is waiting for it any more. Quiet duplicate: more than one charge, and the agent says that it completed.
    ]       01:32 ■ end, verify then retry × late-commit: belief done: one charge, report completed 00:39, 2 charges: DUPLICATE
            The answer #6 reaches the agent, but nobody is waiting for it any more. Quiet duplicate: more than one charge, and the agent says that it completed.
    ");
}

#[test]
fn back_goes_through_the_same_screens() {
    for (forward, back) in [("]", "["), ("→", "←"), ("PgDn", "PgUp"), ("↓", "↑")] {
        let mut app = opened();
        let mut screens = vec![text(&paint(&app, SIZE))];
        while app.at() < app.trace().end() {
            press(&mut app, forward);
            screens.push(text(&paint(&app, SIZE)));
        }
        for screen in screens.iter().rev() {
            assert_eq!(&text(&paint(&app, SIZE)), screen, "with {back}");
            press(&mut app, back);
        }
        assert_eq!(app.at().as_ms(), 0);
    }
}

#[test]
fn a_wrong_key_loses_nothing() {
    let mut app = opened();
    press(&mut app, "] ] ] ]");
    let before = frame(&app);
    assert_snapshot!(tell(&mut app, "1 2 f F 3 ] 2"), @r"
    1       00:00 ▮▮ paused, naive retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    2       00:35 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Attempt 2 starts with no key and waits 30 s at most. Request #1 is still on its way, and nobody waits for it.
    f       00:00 ▮▮ paused, verify then retry × redelivery: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    F       00:35 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Attempt 2 starts with no key and waits 30 s at most. Request #1 is still on its way, and nobody waits for it.
    3       00:00 ▮▮ paused, new key per attempt × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with the key task-42-retry1 and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    ]       00:30 ▮▮ paused, new key per attempt × late-commit: belief unknown, report none yet, no charge yet
            Attempt 1 times out. The agent has seen no answer; it cannot know whether the charge was made. Request #1 is still on its way, and nobody waits for it.
    2       00:35 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Attempt 2 starts with no key and waits 30 s at most. Request #1 is still on its way, and nobody waits for it.
    ");
    assert_eq!(frame(&app), before, "the clock stands where it was left in this run");
    press(&mut app, "y z # 7 9 8");
    assert_eq!(frame(&app), before, "keys without a meaning do nothing");
}

#[test]
fn strategies_and_faults() {
    assert_snapshot!(tell(&mut opened(), "1 2 3 4 Tab f f F2"), @r"
    1       00:00 ▮▮ paused, naive retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    2       00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    3       00:00 ▮▮ paused, new key per attempt × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with the key task-42-retry1 and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    4       00:00 ▮▮ paused, pinned intent key × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with the key task-42:create_charge:d92921d3b53e and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    Tab     00:00 ▮▮ paused, naive retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    f       00:00 ▮▮ paused, naive retry × redelivery: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    f       00:00 ▮▮ paused, naive retry × none: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    F2      00:00 ▮▮ paused, naive retry × redelivery: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    ");
}

#[test]
fn the_summary_opens_a_run() {
    let mut app = opened();
    press(&mut app, "s");
    assert_snapshot!(text(&paint(&app, SIZE)), @r"
    the 16 runs                                        what is true, what was said
                                verify then     new key per     pinned intent
                naive retry     retry           attempt         key

    none        ✓ ok 1          ✓ ok 1          ✓ ok 1          ✓ ok 1
                  completed       completed       completed       completed

    lost-ack    ✗ DUPLICATE 2   ✓ ok 1          ✗ DUPLICATE 2   ✓ ok 1
                  completed       completed       completed       completed

    late-commit ✗ DUPLICATE 2   ✗ DUPLICATE 2   ✗ DUPLICATE 2   ✓ ok 1
                  completed       completed       completed       completed

    redelivery  ✗ DUPLICATE 2   ✗ DUPLICATE 2   ✓ ok 1          ✓ ok 1
                  completed       completed       completed       completed

    ✗ quiet duplicate: verify then retry × late-commit.
    Contract 1 of 14: keyed. A known key gets the first answer, with other
    arguments a refusal; keys never expire.
    Duplicates: 7 of 16 runs
    Duplicates the agent reported as completed: 7
    One key for another amount: refused, idempotency key reused with different
    parameters.
    → move  Enter open  p contract  m all strategies  M all faults  ? help  q quit
    ");
    press(&mut app, "↑ ← ← ←");
    assert_eq!((app.choice.strategy, app.choice.fault), (0, 1), "the choice stops at the edge");
    assert_snapshot!(tell(&mut app, "Enter s s s Esc"), @r"
    Enter   00:00 ▮▮ paused, naive retry × lost-ack: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    s       the 16 runs, what is true, what was said
    s       00:00 ▮▮ paused, naive retry × lost-ack: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    s       the 16 runs, what is true, what was said
    Esc     00:00 ▮▮ paused, naive retry × lost-ack: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    ");
}

#[test]
fn help_closes_and_esc_never_quits() {
    let mut app = opened();
    assert_snapshot!(tell(&mut app, "? → s 3 Esc ? ? Esc Esc Esc"), @r"
    ?       retryscope: keys, ▸ page 1 of 2, Esc closes
    →       retryscope: keys, ▸ page 2 of 2, Esc closes
    s       retryscope: keys, ▸ page 2 of 2, Esc closes
    3       retryscope: keys, ▸ page 2 of 2, Esc closes
    Esc     00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    ?       retryscope: keys, ▸ page 1 of 2, Esc closes
    ?       00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    Esc     00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    Esc     00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    Esc     00:00 ▮▮ paused, verify then retry × late-commit: belief waiting, report none yet, no charge yet
            Attempt 1 starts with no key and waits 30 s at most. Right arrow steps, ] next event, space plays, ? help
    ");
    assert_eq!(app.wish(), Wish::Continue);
    assert_eq!(app.at().as_ms(), 0, "keys under the help turn its pages and do nothing else");
}

#[test]
fn a_blank_screen_wakes_and_does_nothing_else() {
    let mut app = opened();
    press(&mut app, "] ]");
    assert_snapshot!(tell(&mut app, ". → b 3 . Esc"), @r"
    .       (nothing)
    →       00:31 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Before it goes on, the agent looks for the charge of attempt 1: lookup #2 leaves. Request #1 is still on its way, and nobody waits for it.
    b       (nothing)
    3       00:31 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Before it goes on, the agent looks for the charge of attempt 1: lookup #2 leaves. Request #1 is still on its way, and nobody waits for it.
    .       (nothing)
    Esc     00:31 ▮▮ paused, verify then retry × late-commit: belief unknown, report none yet, no charge yet
            Before it goes on, the agent looks for the charge of attempt 1: lookup #2 leaves. Request #1 is still on its way, and nobody waits for it.
    ");
    press(&mut app, ". q");
    assert_eq!(app.wish(), Wish::Quit(0), "it can still be left");
}

#[test]
fn it_plays_and_stops_at_the_end() {
    let mut app = opened();
    let mut story = String::new();
    for what in ["", "space", "1 s", "+", "1 s", "- - -", "1 s", "space", "1 s", "End", "space", "+ + + + + +", "10 s"]
    {
        if let Some(secs) = what.strip_suffix(" s") {
            app.advance(Duration::from_secs(secs.parse().expect("a number")));
        } else {
            press(&mut app, what);
        }
        let frame = frame(&app);
        let clock = frame.split(',').next().unwrap_or_default();
        let wake = app.wake().map_or_else(|| "asleep".to_owned(), |wake| format!("wakes in {wake:?}"));
        writeln!(story, "{what:<12}{clock}, {wake}").expect("a string");
    }
    assert_snapshot!(story, @r"
                00:00 ▮▮ paused, asleep
    space       00:00 ▶ 4/s, wakes in 250ms
    1 s         00:04 ▶ 4/s, wakes in 250ms
    +           00:04 ▶ 8/s, wakes in 125ms
    1 s         00:12 ▶ 8/s, wakes in 125ms
    - - -       00:12 ▶ 1/s, wakes in 1s
    1 s         00:13 ▶ 1/s, wakes in 1s
    space       00:13 ▮▮ paused, asleep
    1 s         00:13 ▮▮ paused, asleep
    End         01:32 ■ end, asleep
    space       00:00 ▶ 1/s, wakes in 1s
    + + + + + + 00:00 ▶ 32/s, wakes in 31.25ms
    10 s        01:32 ■ end, asleep
    ");
}

#[test]
fn any_step_pauses() {
    for step in ["→", "←", "]", "[", "Home", "End", "1", "f", "s", "?", "."] {
        let mut app = opened();
        press(&mut app, "] space");
        assert!(app.wake().is_some());
        press(&mut app, step);
        assert!(app.wake().is_none(), "{step}");
    }
}

#[test]
fn the_future_is_hidden_and_shown() {
    let mut app = opened();
    let mut story = String::new();
    for names in ["h", "]", "] ] ] ]", "End", "Home h"] {
        press(&mut app, names);
        writeln!(story, "{names}\n{}", ladder(&app)).expect("a string");
    }
    assert_snapshot!(story, @r"
    h
     agent  1
            ⠁
            │
     wire   │
            │
            │
     ledger │
     belief ·
            █00:00   ╵00:15   ╵00:30   ╵00:45    ╵01:00   ╵01:15   ╵01:30

    ]
     agent  1─────────────────✗
            ⠉⠉⠉⠒⠒⠒⠤⠤⠤⣀⣀⣀      │
                        ⠉⠉⠉⠒⠒⠒⠤
     wire                     │
                              │
                              │
     ledger                   │
     belief waiting············
            ╵00:00   ╵00:15   █00:30   ╵00:45    ╵01:00   ╵01:15   ╵01:30

    ] ] ] ]
     agent  1─────────────────✗?╌2─
            ⠉⠉⠉⠒⠒⠒⠤⠤⠤⣀⣀⣀       ⡇ ⣸│
                        ⠉⠉⠉⠒⠒⠒⠤⢵⠤⣏⣆
     wire                      ⢸⢀⠇⡇
                               ⠈⣾ ⢱
                                ⡿ ⢸
     ledger                     ? $1
     belief waiting···········unk…·
            ╵00:00   ╵00:15   ╵00:30   ╵00:45    ╵01:00   ╵01:15   ╵01:30

    End
     agent  1─────────────────✗?╌2──✓ completed                      │
            ⠉⠉⠉⠒⠒⠒⠤⠤⠤⣀⣀⣀       ⡇ ⣸ ⢀⠇                               ⢰⠁
                        ⠉⠉⠉⠒⠒⠒⠤⢵⠤⣏⣆⣸                                ⢸│
     wire                      ⢸⢀⠇⡇⡸⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀⣀⡀                    ⡇│
                               ⠈⣾ ⢱⡇           ⠈⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀⣀         ⡇│
                                ⡿ ⢸⠃                       ⠉⠉⠉⠒⠒⠒⠤⠤⢼ │
     ledger                     ? $1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━$2▓▓▓▓▓▓▓▓▓▓▓▓▓▓
     belief waiting···········unkno…done: one charge···············still: one······
            ╵00:00   ╵00:15   ╵00:30   ╵00:45    ╵01:00   ╵01:15   ╵01:30

    Home h
     agent  1─────────────────✗?╌2──✓ completed
            ⠉⠉⠉⠒⠒⠒⠤⠤⠤⣀⣀⣀       ⡇ ⣸ ⢀⠇                               ⢰⠁
            │           ⠉⠉⠉⠒⠒⠒⠤⢵⠤⣏⣆⣸                                ⢸
     wire   │                  ⢸⢀⠇⡇⡸⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀⣀⡀                    ⡇
            │                  ⠈⣾ ⢱⡇           ⠈⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀⣀         ⡇
            │                   ⡿ ⢸⠃                       ⠉⠉⠉⠒⠒⠒⠤⠤⢼
     ledger │                   ? $1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━$2▓▓▓▓▓▓▓▓▓▓▓▓▓▓
     belief waiting···········unkno…done: one charge···············still: one······
            █00:00   ╵00:15   ╵00:30   ╵00:45    ╵01:00   ╵01:15   ╵01:30
    ");
}

#[test]
fn themes_go_round() {
    let mut app = opened();
    let names: Vec<&str> = (0..6)
        .map(|_| {
            press(&mut app, "t");
            app.look.theme.name()
        })
        .collect();
    assert_eq!(names, ["light", "dark", "high-contrast", "mono", "default", "light"]);
}

#[test]
fn caps_lock_and_other_layouts() {
    // The same story with the letters that the same keys give: caps lock, Cyrillic, Greek, and no letters at all.
    let told = |names: &str| {
        let mut app = opened();
        let story: Vec<String> = names
            .split_whitespace()
            .map(|name| {
                press(&mut app, name);
                format!("{:?} {:?} {}", app.wish(), app.look.theme, frame(&app))
            })
            .collect();
        story
    };
    let latin = told("] [ s s t h b b f ? Esc p P o k K Esc d Esc s m M s");
    assert_eq!(told("] [ S S T H B B f ? Esc p P O k K Esc D Esc S m M S"), latin, "caps lock");
    assert_eq!(told("ъ х ы ы е р и и а F1 Esc з З щ л Л Esc в Esc ы ь Ь ы"), latin, "Cyrillic");
    assert_eq!(told("] [ σ σ τ η β β φ ? Esc π Π ο κ Κ Esc δ Esc σ μ Μ σ"), latin, "Greek");
    let none = "PgDn PgUp F4 F4 F6 F7 . . F3 F1 Esc > < , Tab BackTab Esc % Esc F4 Tab BackTab F4";
    assert_eq!(told(none), latin, "no letters");
    for quit in ["q", "Q", "й", "Й", ";", "F10"] {
        assert!(told(quit)[0].starts_with("Quit(0)"), "{quit}");
    }
}

#[test]
fn leaving() {
    for (name, wish) in [("q", Wish::Quit(0)), ("Ctrl-C", Wish::Quit(130)), ("Ctrl-Z", Wish::Suspend)] {
        for before in ["", "?", "s", ".", "space"] {
            let mut app = opened();
            press(&mut app, before);
            press(&mut app, name);
            assert_eq!(app.wish(), wish, "{name} after {before:?}");
            assert_eq!(app.wish(), Wish::Continue, "a wish is told once");
        }
    }
}

const KEYS: [&str; 50] = [
    "→", "←", "↑", "↓", "]", "[", "PgUp", "PgDn", "Home", "End", "space", "+", "-", "1", "2", "3", "4", "5", "Tab",
    "f", "F", "h", "s", "t", ".", "b", "?", "Esc", "Enter", "F1", "F5", "w", "x", "c", "ъ", "Ctrl-Z", "p", "P", "0",
    "m", "M", "o", "d", "k", "з", "π", "e", "r", "y", "z",
];

#[test]
fn a_smaller_grid_keeps_the_choice_inside() {
    let mut app = opened();
    // A case with a strategy of its own, then a strategy that has a name, then another contract.
    press(&mut app, "o PgDn [ Enter 1 p");
    assert_valid(&app);
}

#[test]
fn a_case_that_plays_is_paused_on_the_way_back_to_the_list() {
    let mut app = opened();
    press(&mut app, "o Enter space Esc");
    assert_eq!(app.screen, Screen::Cases);
    assert_valid(&app);
}

/// Whether the clock stands where a step can bring it, the choice in the grid, and all of it can be drawn.
fn assert_valid(app: &App) {
    let at = app.at();
    let on_screen = app.on_screen();
    assert!(at <= on_screen.iter().map(|trace| trace.end()).max().expect("a run"));
    let on_tick = at.as_ms().is_multiple_of(1_000);
    assert!(on_tick || on_screen.iter().any(|trace| trace.events().iter().any(|event| event.at == at)));
    for cell in [app.chosen(), app.choice] {
        assert!(cell.strategy < app.grid().strategies.len() && cell.fault < app.grid().faults.len());
    }
    assert_eq!(&app.grid().scenario(app.chosen()), app.trace().scenario());
    assert!(
        !(app.player.playing
            && (app.over.is_some() || !matches!(app.screen, Screen::Run | Screen::Fork | Screen::Compare))),
        "it plays unseen"
    );
    paint(app, SIZE);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_keys_leave_a_valid_state(names in proptest::collection::vec((0..KEYS.len(), 0_u64..400), 0..60)) {
        let mut app = opened();
        for (name, wait_ms) in names {
            press(&mut app, KEYS[name]);
            app.advance(Duration::from_millis(wait_ms));
            assert_valid(&app);
        }
    }

    #[test]
    fn as_many_steps_back_as_forward_end_where_they_began(
        names in proptest::collection::vec(0..KEYS.len(), 0..20),
        steps in 0_usize..120,
    ) {
        let mut app = opened();
        for name in names {
            press(&mut app, KEYS[name]);
        }
        press(&mut app, ". . Esc Esc");
        // Back from whatever is open: from a case's run Esc leads to the list of cases first.
        while app.screen != Screen::Run {
            press(&mut app, "Esc");
        }
        let began = text(&paint(&app, SIZE));
        let ahead = std::iter::successors(Some(app.at()), |at| {
            Some(clock::next_stop(app.trace(), *at)).filter(|next| next > at)
        });
        // At the end a step forward goes nowhere, so there is none to take back.
        let steps = steps.min(ahead.count() - 1);
        for name in std::iter::repeat_n("→", steps).chain(std::iter::repeat_n("←", steps)) {
            press(&mut app, name);
        }
        prop_assert_eq!(text(&paint(&app, SIZE)), began);
    }
}
