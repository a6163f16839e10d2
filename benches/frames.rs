//! What one frame costs: the state in, the cells out, at three sizes. A frame has to take less than 1 ms.

use divan::Bencher;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use retryscope::model::strategy::Attempts;
use retryscope::model::{Fault, Scenario, Span, Strategy, Time};
use retryscope::trace::Snapshot;
use retryscope::trace::snapshot::Gap;
use retryscope::tui::Program;
use retryscope::tui::app::{App, Screen};
use retryscope::tui::guide::Guide;
use retryscope::tui::keys::Action;
use retryscope::tui::theme::Look;

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

fn main() {
    divan::main();
}

/// The run that the program opens on, at 00:37.
fn app() -> App {
    let strategy = Strategy::preset("verify-then-retry").expect("a preset");
    let fault = Fault::preset("late-commit").expect("a preset");
    let mut app = App::new(Scenario::new(strategy, fault), Guide::built_in(), Look::default()).expect("a short run");
    app.set_clock(Time::from_ms(37_000));
    app
}

fn draw(bencher: Bencher, app: &App, (columns, rows): (u16, u16)) {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a buffer");
    bencher.bench_local(|| {
        terminal.draw(|frame| app.draw(frame)).expect("a buffer");
    });
}

/// The run screen.
#[divan::bench(args = SIZES)]
fn run(bencher: Bencher, size: (u16, u16)) {
    draw(bencher, &app(), size);
}

/// A run as long as a file can ask for: 1000 attempts that all time out, and all charge. Half way through.
#[divan::bench(args = SIZES)]
fn longest(bencher: Bencher, size: (u16, u16)) {
    let mut strategy = Strategy::preset("naive-retry").expect("a preset");
    strategy.max_attempts = Attempts::new(1_000);
    strategy.timeout = Span::secs(1);
    let mut app =
        App::new(Scenario::new(strategy, Fault::preset("none").expect("a preset")), Guide::built_in(), Look::default())
            .expect("a run below the cap");
    app.set_clock(Time::from_ms(app.trace().end().as_ms() / 2));
    draw(bencher, &app, size);
}

/// The summary.
#[divan::bench(args = SIZES)]
fn summary(bencher: Bencher, size: (u16, u16)) {
    let mut app = app();
    app.screen = Screen::Summary;
    draw(bencher, &app, size);
}

/// The sheets of the evidence, worked out.
#[divan::bench(args = SIZES, consts = [0, 1, 2, 3])]
fn evidence<const SHEET: usize>(bencher: Bencher, size: (u16, u16)) {
    let mut app = app();
    app.resized(Size::new(size.0, size.1));
    app.update(Some(Action::Evidence));
    app.update(Some(Action::Sheet(SHEET)));
    app.settle();
    draw(bencher, &app, size);
}

/// The run screen with the risk below the ladder.
#[divan::bench(args = SIZES)]
fn risk(bencher: Bencher, size: (u16, u16)) {
    let mut app = app();
    app.update(Some(Action::Odds));
    app.settle();
    draw(bencher, &app, size);
}

/// An empty frame: what the buffers cost by themselves.
#[divan::bench(args = SIZES)]
fn nothing(bencher: Bencher, (columns, rows): (u16, u16)) {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a buffer");
    bencher.bench_local(|| {
        terminal.draw(|_| {}).expect("a buffer");
    });
}

/// The world at the end of the run, folded from all its events.
#[divan::bench]
fn snapshot(bencher: Bencher) {
    let app = app();
    bencher.bench_local(|| Snapshot::at(divan::black_box(app.trace()), app.trace().end()));
}

/// All stretches in which belief and ledger part.
#[divan::bench]
fn gaps(bencher: Bencher) {
    let app = app();
    bencher.bench_local(|| Gap::stretches(divan::black_box(app.trace())));
}
