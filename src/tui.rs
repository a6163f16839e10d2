//! The terminal program: the loop between a [`Program`] and the terminal that it borrows.
//!
//! Only this file knows the wall clock, and only `terminal.rs` and `input.rs` touch the terminal.

pub mod app;
pub mod cases;
pub mod clock;
pub mod compare;
pub mod follower;
pub mod grid;
pub mod guide;
mod input;
pub mod keys;
pub mod maps;
pub mod prompter;
pub mod stage;
mod terminal;
pub mod theme;
pub mod view;
pub mod what_if;
pub mod why;

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Size;
use rustix::process::{Signal, kill_current_process_group};
use signal_hook::consts::{SIGHUP, SIGTSTP};
use signal_hook::low_level::emulate_default_handler;

use input::{Inbox, Message};
use terminal::Screen;

pub use input::Outside;

/// The exit status of a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// The shortest wait for something that moves by itself: at most a hundred frames a second.
const WAKE_MIN: Duration = Duration::from_millis(10);

/// How late a turn of the loop may be and still count in full. What holds it up for longer, a stop or a
/// terminal that stalls, must not make the picture leap.
const LATE_MAX: Duration = Duration::from_millis(500);

/// What the loop needs of a terminal program.
pub trait Program {
    /// Called once, when the terminal is taken. A program that watches something outside gives this handle
    /// to the thread that does so.
    fn begin(&mut self, _outside: Outside) {}

    /// Paints the state. Drawing never changes it. Not called while the terminal has no cells at all.
    fn draw(&self, frame: &mut Frame<'_>);

    /// A key was pressed or repeats. Releases and pasted text never get here.
    fn key(&mut self, key: KeyEvent);

    /// The terminal has this size, in cells, capped at what is drawn. Told once at the start, and when it changes.
    fn resized(&mut self, _size: Size) {}

    /// Something outside happened, as said with [`Outside::happened`].
    fn outside(&mut self) {}

    /// Wall time has passed while [`Program::wake`] gave a time: at most that time and half a second, however
    /// long the program was stopped.
    fn advance(&mut self, elapsed: Duration);

    /// How long until something moves by itself; at least 10 ms are waited. `None` while nothing does: the
    /// loop then sleeps until something happens.
    fn wake(&self) -> Option<Duration>;

    /// What the program wants of the loop. Asked after each event; a wish is told once.
    fn wish(&mut self) -> Wish;
}

/// What a [`Program`] wants of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To go on.
    Continue,
    /// To end with this exit status.
    Quit(u8),
    /// To stop until the shell continues it, as Ctrl-Z does everywhere.
    Suspend,
}

/// How a terminal program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By its own wish, with this exit status.
    Quit(u8),
    /// By this signal, or as if by it: a terminal that vanished counts as a hangup.
    Signal(u8),
}

impl Ending {
    /// The exit status that says so: 128 + n after signal n.
    #[must_use]
    pub fn exit_status(self) -> u8 {
        match self {
            Self::Quit(status) => status,
            Self::Signal(signal) => 128_u8.saturating_add(signal),
        }
    }
}

/// What the caller decides about the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The program draws no colours by itself, because `NO_COLOR` is set and not empty. crossterm would
    /// then drop colours in a way that drops reverse and bold with them, so its switch is overridden.
    pub mono: bool,
}

/// Why a terminal program could not run.
#[derive(Debug)]
pub enum Error {
    /// Signals cannot be received or threads not be started.
    Start(io::Error),
    /// The terminal cannot be taken: no raw mode, no size.
    Take(io::Error),
    /// Keys cannot be read.
    Read(io::Error),
    /// A frame cannot be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, cause) = match self {
            Self::Start(cause) => ("The terminal program cannot start", cause),
            Self::Take(cause) => ("The terminal cannot be used", cause),
            Self::Read(cause) => ("Keys cannot be read from the terminal", cause),
            Self::Write(cause) => ("The terminal cannot be written to", cause),
        };
        let cause = cause.to_string();
        // The number means nothing to a reader.
        let cause = cause.split(" (os error").next().unwrap_or_default();
        write!(f, "{what}: {cause}.")
    }
}

impl std::error::Error for Error {}

/// Runs a program on the terminal until it wants to end or a signal ends it. On return the terminal is given back.
///
/// To be called once, from the main thread, as the last thing that the process does: signals stay
/// received after it, and each that ends programs ends this one.
///
/// # Errors
///
/// Where the terminal cannot be taken, read or written. A terminal that vanished is no error but
/// [`Ending::Signal`] with a hangup.
///
/// # Panics
///
/// When the program does. The terminal is given back before the message is printed.
pub fn run(program: &mut impl Program, options: Options) -> Result<Ending, Error> {
    if options.mono {
        crossterm::style::force_color_output(true);
    }
    let inbox = Inbox::open().map_err(Error::Start)?;
    terminal::give_back_on_panic();
    let taken = Screen::take().and_then(|screen| inbox.read_keys().map(|()| screen));
    let ended = taken.map_err(Error::Take).and_then(|mut screen| {
        program.begin(inbox.outside());
        // Where the size cannot be told now, the first change of it tells.
        if let Ok(size) = screen.size() {
            program.resized(size);
        }
        turn(program, &mut screen, &inbox)
    });
    match ended {
        Err(Error::Take(cause) | Error::Write(cause)) if is_gone(&cause) => Ok(HANGUP),
        ended => ended,
    }
}

/// A hangup: what a vanished terminal amounts to.
const HANGUP: Ending = Ending::Signal(signal_number(SIGHUP));

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "signals are numbered from 1 to 64")]
const fn signal_number(signal: i32) -> u8 {
    signal as u8
}

/// Whether a write failed because nobody is at the other end any more.
fn is_gone(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::IO, Errno::PIPE, Errno::NXIO]
        .map(Errno::raw_os_error)
        .into_iter()
        .any(|gone| error.raw_os_error() == Some(gone))
}

/// The loop: draw, wait, tell the program what happened.
fn turn(program: &mut impl Program, screen: &mut Screen, inbox: &Inbox) -> Result<Ending, Error> {
    // When the program last heard how much time has passed, while something moves by itself.
    let mut since: Option<Instant> = None;
    loop {
        screen.draw(|frame| program.draw(frame)).map_err(Error::Write)?;
        let wake = program.wake().map(|wake| wake.max(WAKE_MIN));
        since = wake.and(since.or_else(|| Some(Instant::now())));
        let messages = inbox.wait(wake);
        if let (Some(wake), Some(last)) = (wake, since) {
            let now = Instant::now();
            program.advance((now - last).min(wake + LATE_MAX));
            since = Some(now);
        }
        // The wish is asked after what moved by itself, and after each message.
        let mut ending = grant(program.wish())?;
        for message in messages {
            if ending.is_some() {
                break;
            }
            ending = handle(message, program, screen)?;
            if ending.is_none() {
                ending = grant(program.wish())?;
            }
        }
        if let Some(ending) = ending {
            return Ok(ending);
        }
    }
}

/// Passes one message on. Gives the ending where it is the last.
fn handle(message: Message, program: &mut impl Program, screen: &mut Screen) -> Result<Option<Ending>, Error> {
    match message {
        Message::Key(key) => {
            panic_or_hang_if_told(key);
            program.key(key);
        }
        Message::Resized => program.resized(screen.repaint().map_err(Error::Write)?),
        Message::Outside => program.outside(),
        Message::Stop => {
            terminal::give_back();
            // Returns when somebody continues us, which comes as a message of its own.
            emulate_default_handler(SIGTSTP).map_err(Error::Start)?;
        }
        Message::Continued => screen.retake().map_err(Error::Take)?,
        Message::End(signal) => return Ok(Some(Ending::Signal(signal_number(signal)))),
        Message::Unreadable(cause) => return Err(Error::Read(cause)),
    }
    Ok(None)
}

/// Does what the program wants. Gives the ending where it wants to end.
fn grant(wish: Wish) -> Result<Option<Ending>, Error> {
    match wish {
        Wish::Continue => Ok(None),
        Wish::Quit(status) => Ok(Some(Ending::Quit(status))),
        Wish::Suspend => {
            // The terminal is given back first: a shell above takes it as soon as its child has stopped. The
            // whole group is told, as the terminal itself would, so that a wrapper script stops with us.
            // We hear of it as well, and stop then.
            terminal::give_back();
            kill_current_process_group(Signal::TSTP).map_err(|error| Error::Start(error.into()))?;
            Ok(None)
        }
    }
}

/// Makes a fault that is not supposed to exist, so that `tests/terminal.rs` can show that the terminal survives
/// it: in debug builds, with `RETRYSCOPE_FAULT` set to `panic` or `hang`, the key `!` does just that.
fn panic_or_hang_if_told(key: KeyEvent) {
    if !cfg!(debug_assertions) || key.code != crossterm::event::KeyCode::Char('!') {
        return;
    }
    match std::env::var("RETRYSCOPE_FAULT").as_deref() {
        Ok("panic") => panic!("RETRYSCOPE_FAULT asks for a panic"),
        Ok("hang") => loop {
            std::hint::spin_loop();
        },
        _ => {}
    }
}
