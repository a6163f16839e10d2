//! Borrowing the terminal: taking it, painting frames on it, and giving it back.
//!
//! The terminal belongs to the user's shell. Whatever ends this program (the loop, a panic, a thread that
//! answers a signal because the loop is stuck) gives it back through [`give_back`], and one lock sees to it
//! that this happens once.

use std::io;
use std::panic;
use std::process;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::queue;
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::{Frame, Terminal};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcgetwinsize, tcsetattr};

/// The largest area that is drawn, in cells. A terminal may claim 65535 × 65535, which would be 4 billion
/// cells twice over; beyond this size the rest of the screen stays empty.
const SIZE_MAX: Size = Size::new(500, 200);

/// What is drawn where nobody set the size: a serial line or a container reports 0 × 0 and shows this much.
const SIZE_UNKNOWN: Size = Size::new(80, 24);

/// How the standard library ends a program whose main thread panicked; other threads end it alike.
const EXIT_PANIC: i32 = 101;

/// Whether the terminal is ours at this moment.
static TAKEN: Mutex<bool> = Mutex::new(false);

fn taken() -> MutexGuard<'static, bool> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the terminal: raw mode, alternate screen, bracketed paste, no cursor.
///
/// Taking it again after somebody else stopped us puts right whatever the shell did meanwhile.
fn take() -> io::Result<()> {
    {
        let mut taken = taken();
        if *taken {
            disable_raw_mode()?;
        }
        // First, because a background process is stopped here, before it has drawn over the shell.
        enable_raw_mode()?;
        *taken = true;
    }
    let mut bytes = Vec::new();
    queue!(bytes, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    write_all(&bytes)
}

/// Gives the terminal back as it was. Does nothing where it is not taken, so every way out may call it.
///
/// Failing is not reported: there is no better place to report it to than the terminal that just failed.
pub(super) fn give_back() {
    let mut taken = taken();
    if !*taken {
        return;
    }
    *taken = false;
    // First, because it works even where nobody reads what is written.
    let _ = disable_raw_mode();
    let mut bytes = Vec::new();
    // A frame may have been cut short, hence the end of the update and of the attributes.
    let queued = queue!(
        bytes,
        EndSynchronizedUpdate,
        SetAttribute(Attribute::Reset),
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    if queued.is_ok() {
        let _ = write_all(&bytes);
    }
}

/// Gives the terminal back, but waits no longer than `limit`: a terminal that nobody reads blocks every write.
///
/// What nobody has read by then is thrown away. It makes room for what gives the terminal back, and a frame
/// that was cut short in the middle of a control sequence would swallow the first words of whoever writes next.
pub(super) fn give_back_within(limit: Duration) {
    let _ = tcflush(stdout(), QueueSelector::OFlush);
    let (done, wait) = mpsc::channel();
    let started = thread::Builder::new().spawn(move || {
        give_back();
        let _ = done.send(());
    });
    if started.is_ok() {
        let _ = wait.recv_timeout(limit);
    }
}

/// Wakes whoever reads from the terminal, where input lies there unread.
///
/// crossterm sleeps until input *arrives*, and leaves some lying: a key that comes together with a resize, and
/// what comes after the first 1024 bytes. Setting the terminal's mode, to what it is, makes Linux announce
/// the input again.
pub(super) fn wake_reader() -> io::Result<()> {
    let taken = taken();
    if *taken {
        let mode = tcgetattr(stdin())?;
        tcsetattr(stdin(), OptionalActions::Now, &mode)?;
    }
    Ok(())
}

/// From now on a panic gives the terminal back before its message is printed, so that it can be read.
///
/// The calling thread then unwinds as usual. In any other thread a panic ends the program, which would
/// otherwise wait for ever for what that thread no longer says.
pub(super) fn give_back_on_panic() {
    let usual = panic::take_hook();
    let main = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        give_back();
        usual(info);
        if thread::current().id() != main {
            process::exit(EXIT_PANIC);
        }
    }));
}

/// Writes all bytes to the terminal, past the lock and the buffer of [`io::stdout`]: a thread blocked in a
/// write must not keep another one from giving the terminal back.
fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(stdout(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Some programs leave the terminal in non-blocking mode for whoever comes next.
            Err(Errno::AGAIN) => wait_until_writable()?,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn wait_until_writable() -> io::Result<()> {
    match poll(&mut [PollFd::new(&stdout(), PollFlags::OUT)], None) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// How many cells are drawn on a terminal that reports this size.
fn drawn_size(columns: u16, rows: u16) -> Size {
    if (columns, rows) == (0, 0) {
        return SIZE_UNKNOWN;
    }
    Size { width: columns.min(SIZE_MAX.width), height: rows.min(SIZE_MAX.height) }
}

/// The taken terminal, on which frames are drawn. Dropping it gives the terminal back.
pub(super) struct Screen {
    terminal: Terminal<Painter>,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    ///
    /// Where it cannot be put into raw mode or written to; it is then given back.
    pub(super) fn take() -> io::Result<Self> {
        let mut screen = Self { terminal: Terminal::new(Painter::default())? };
        screen.retake()?;
        Ok(screen)
    }

    /// Takes the terminal again, after a stop, and paints all of it with the next frame.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        take()?;
        self.repaint().map(drop)
    }

    /// Paints the whole screen with the next frame, since the terminal may show anything now. Gives the size
    /// that it has, in cells.
    pub(super) fn repaint(&mut self) -> io::Result<Size> {
        self.terminal.clear()?;
        self.terminal.size()
    }

    /// The size that the terminal has, in cells.
    pub(super) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Draws one frame: what changed, at the size that the terminal has now, in one write. Draws nothing while
    /// the terminal is given back.
    pub(super) fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        if !*taken() {
            return Ok(());
        }
        self.terminal.draw(|frame| {
            if !frame.area().is_empty() {
                paint(frame);
            }
        })?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Collects a frame and writes it at once, as one synchronized update. A frame without a change writes nothing.
///
/// ratatui's own backend writes some 30 bytes for every frame, changed or not, and starts `tput` where the
/// size is unknown. The cursor stays hidden, so that what concerns it is left out.
#[derive(Debug, Default)]
struct Painter {
    bytes: Vec<u8>,
}

impl Backend for Painter {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut content = content.peekable();
        if content.peek().is_none() {
            return Ok(());
        }
        CrosstermBackend::new(&mut self.bytes).draw(content)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        if clear_type == ClearType::All {
            // Whatever was to be painted before is not seen.
            self.bytes.clear();
        }
        CrosstermBackend::new(&mut self.bytes).clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        let size = tcgetwinsize(stdout())?;
        Ok(drawn_size(size.ws_col, size.ws_row))
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let mut update = Vec::with_capacity(self.bytes.len() + 16);
        queue!(update, BeginSynchronizedUpdate)?;
        update.append(&mut self.bytes);
        queue!(update, EndSynchronizedUpdate)?;
        write_all(&update)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _position: P) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_the_terminal_within_reason() {
        assert_eq!(drawn_size(80, 24), Size::new(80, 24));
        assert_eq!(drawn_size(1, 0), Size::new(1, 0));
        assert_eq!(drawn_size(0, 0), SIZE_UNKNOWN);
        assert_eq!(drawn_size(u16::MAX, 50), Size::new(SIZE_MAX.width, 50));
        assert_eq!(drawn_size(u16::MAX, u16::MAX), SIZE_MAX);
    }

    #[test]
    fn a_frame_is_one_update_and_none_where_nothing_changed() {
        let mut painter = Painter::default();
        painter.draw(std::iter::empty()).expect("to be collected");
        assert!(painter.bytes.is_empty());
        painter.draw([(3, 1, &Cell::new("x"))].into_iter()).expect("to be collected");
        assert!(painter.bytes.starts_with(b"\x1b[2;4Hx"));
        painter.clear().expect("to be collected");
        assert_eq!(painter.bytes, b"\x1b[2J");
    }

    #[test]
    fn giving_back_what_is_not_taken_writes_nothing() {
        give_back();
        give_back_within(Duration::from_millis(10));
        assert!(!*taken());
    }
}
