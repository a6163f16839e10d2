//! Painting the program onto a screen that is only a buffer, and reading it back.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use retryscope::model::text::width;
use retryscope::model::{Fault, Scenario, Strategy};
use retryscope::tui::Program;
use retryscope::tui::app::App;
use retryscope::tui::guide::Guide;
use retryscope::tui::theme::Look;

/// The program, opened on a run of two presets.
pub(crate) fn app(strategy: &str, fault: &str, look: Look) -> App {
    let strategy = Strategy::preset(strategy).expect("a strategy");
    let fault = Fault::preset(fault).expect("a fault");
    open(Scenario::new(strategy, fault), look)
}

/// The program, opened on any scenario.
pub(crate) fn open(scenario: Scenario, look: Look) -> App {
    App::new(scenario, Guide::built_in(), look).expect("a short run")
}

/// The screen, so many columns by so many rows.
pub(crate) fn paint(app: &App, (columns, rows): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a buffer");
    terminal.draw(|frame| app.draw(frame)).expect("a buffer");
    terminal.backend().buffer().clone()
}

/// A row as it is read, without the blanks at its end.
pub(crate) fn row(buffer: &Buffer, y: u16) -> String {
    let mut text = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        text.push_str(symbol);
        x += u16::try_from(width(symbol)).unwrap_or(1).max(1);
    }
    text.truncate(text.trim_end().len());
    text
}

/// All rows.
pub(crate) fn text(buffer: &Buffer) -> String {
    let rows: Vec<String> = (0..buffer.area.height).map(|y| row(buffer, y)).collect();
    rows.join("\n")
}
