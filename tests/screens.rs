//! Screens as pictures: each fault at its telling instant, at three sizes, with and without its styles.
//!
//! A picture that changed is read before it is accepted: `cargo insta review`, or compare the `.snap.new` file
//! that the failed test leaves beside the old one.

mod paint;

use std::fmt::Write as _;

use paint::{app, paint, text};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use retryscope::model::Time;
use retryscope::tui::app::{App, Over, Screen};
use retryscope::tui::theme::{Look, Theme};

/// A low screen, the one that all is designed for, a roomy one.
const SIZES: [(u16, u16); 3] = [(60, 18), (80, 24), (120, 40)];

/// Each fault where it shows: strategy, fault, second.
const TELLING: [(&str, &str, u64); 4] = [
    // The answer is on its way back, and all is well.
    ("naive-retry", "none", 3),
    // The second attempt charges again, and the agent cannot know.
    ("naive-retry", "lost-ack", 33),
    // The lookup has found nothing, and the late request is still on its way.
    ("verify-then-retry", "late-commit", 37),
    // The copy arrives, and the service knows its key.
    ("pinned-intent-key", "redelivery", 3),
];

fn at(strategy: &str, fault: &str, second: u64, theme: Theme) -> App {
    let mut app = app(strategy, fault, Look { theme, ascii: false });
    app.set_clock(Time::from_ms(second * 1_000));
    app
}

/// The text, then a letter for the style of each cell, then what the letters mean. A dot is plain text, a
/// blank a cell that shows nothing but the ground.
fn with_styles(buffer: &Buffer, look: Look) -> String {
    let ground = look.ground();
    let (fg, bg) = (ground.fg.unwrap_or(Color::Reset), ground.bg.unwrap_or(Color::Reset));
    let mut legend: Vec<String> = Vec::new();
    let mut map = String::new();
    for y in 0..buffer.area.height {
        let letters: String = (0..buffer.area.width).map(|x| letter(&buffer[(x, y)], (fg, bg), &mut legend)).collect();
        writeln!(map, "{}", letters.trim_end()).expect("a string");
    }
    let mut page = format!("{}\n\n{map}\nground: {fg:?} on {bg:?}\n", text(buffer));
    for (letter, style) in ('a'..).zip(&legend) {
        writeln!(page, "{letter} {style}").expect("a string");
    }
    page
}

fn letter(cell: &Cell, ground: (Color, Color), legend: &mut Vec<String>) -> char {
    let shows = Modifier::REVERSED | Modifier::UNDERLINED;
    if cell.symbol().trim().is_empty() && cell.bg == ground.1 && !cell.modifier.intersects(shows) {
        return ' ';
    }
    if (cell.fg, cell.bg) == ground && cell.modifier.is_empty() {
        return '.';
    }
    let mut style = String::new();
    if cell.fg != ground.0 {
        write!(style, "{:?} ", cell.fg).expect("a string");
    }
    if cell.bg != ground.1 {
        write!(style, "on {:?} ", cell.bg).expect("a string");
    }
    write!(style, "{}", cell.modifier.iter_names().map(|(name, _)| name).collect::<Vec<_>>().join(" "))
        .expect("a string");
    let style = style.trim().to_lowercase();
    let place = legend.iter().position(|known| *known == style).unwrap_or_else(|| {
        legend.push(style);
        legend.len() - 1
    });
    ('a'..).nth(place).expect("fewer styles than letters")
}

#[test]
fn each_fault_at_its_telling_instant() {
    for (strategy, fault, second) in TELLING {
        let app = at(strategy, fault, second, Theme::Default);
        for (columns, rows) in SIZES {
            let name = format!("{fault}-{second}s-{columns}x{rows}");
            insta::assert_snapshot!(name, text(&paint(&app, (columns, rows))));
        }
    }
}

#[test]
fn each_fault_with_the_styles_of_a_painted_theme() {
    for (strategy, fault, second) in TELLING {
        let app = at(strategy, fault, second, Theme::Light);
        for (columns, rows) in SIZES {
            let name = format!("{fault}-{second}s-{columns}x{rows}-light");
            insta::assert_snapshot!(name, with_styles(&paint(&app, (columns, rows)), app.look));
        }
    }
}

#[test]
fn without_colours_bold_and_reverse_still_tell() {
    let app = at("verify-then-retry", "late-commit", 90, Theme::Mono);
    insta::assert_snapshot!("late-commit-90s-80x24-mono", with_styles(&paint(&app, (80, 24)), app.look));
}

#[test]
fn the_late_commit_from_start_to_end() {
    for second in [0, 39, 90, 92] {
        let app = at("verify-then-retry", "late-commit", second, Theme::Default);
        insta::assert_snapshot!(format!("late-commit-{second}s-80x24"), text(&paint(&app, (80, 24))));
    }
}

#[test]
fn in_ascii() {
    let mut app = at("verify-then-retry", "late-commit", 37, Theme::Default);
    app.look.ascii = true;
    insta::assert_snapshot!("late-commit-37s-80x24-ascii", text(&paint(&app, (80, 24))));
}

#[test]
fn the_future_hidden() {
    let mut app = at("verify-then-retry", "late-commit", 37, Theme::Default);
    app.future = false;
    insta::assert_snapshot!("late-commit-37s-80x24-hidden", text(&paint(&app, (80, 24))));
}

#[test]
fn the_summary_and_the_help() {
    let mut app = at("verify-then-retry", "late-commit", 37, Theme::Default);
    for (columns, rows) in SIZES {
        app.over = Some(Over::Help);
        insta::assert_snapshot!(format!("help-{columns}x{rows}"), text(&paint(&app, (columns, rows))));
        app.over = None;
        app.screen = Screen::Summary;
        insta::assert_snapshot!(format!("summary-{columns}x{rows}"), text(&paint(&app, (columns, rows))));
        app.screen = Screen::Run;
    }
}
