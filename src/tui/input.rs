//! Everything that can happen to a terminal program, as messages in one channel.
//!
//! Three threads sleep until something happens: one reads keys, one receives signals, one watches for the
//! terminal to vanish. The loop in [`super::run`] waits on the channel only, so it costs nothing while nothing
//! happens. The two threads that can end the program also end it where the loop no longer listens.

use std::io;
use std::process;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::{stdin, stdout};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::terminal;

/// The signals that end the program.
const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// How long the loop has to end the program itself once it was told to.
const GRACE: Duration = Duration::from_millis(300);

/// How long giving the terminal back may take when the loop did not.
const GRACE_WRITING: Duration = Duration::from_millis(200);

/// How long the watcher leaves input to the thread that reads it, before it looks again.
const WATCH_PAUSE: Duration = Duration::from_millis(50);

/// The most messages handled before the next frame, so that a flood of them cannot hide the screen.
const BATCH_MAX: usize = 1000;

/// One thing that happened.
#[derive(Debug)]
pub(super) enum Message {
    /// A key was pressed or repeats.
    Key(KeyEvent),
    /// The terminal has another size.
    Resized,
    /// Somebody asked the program to stop until it is continued.
    Stop,
    /// The program runs again after a stop.
    Continued,
    /// The program has to end, because of this signal or as if by it.
    End(i32),
    /// Something outside happened, see [`Outside`].
    Outside,
    /// Keys can no longer be read.
    Unreadable(io::Error),
}

/// A handle with which another thread says that something outside happened: a file changed, a trace grew.
///
/// It carries no data. The program looks for itself in [`super::Program::outside`].
#[derive(Clone, Debug)]
pub struct Outside(Sender<Message>);

impl Outside {
    /// Wakes the program. Says whether it is still there to be woken.
    #[must_use = "a thread that nobody listens to should end"]
    pub fn happened(&self) -> bool {
        self.0.send(Message::Outside).is_ok()
    }
}

/// The receiving end of the channel.
#[derive(Debug)]
pub(super) struct Inbox {
    sender: Sender<Message>,
    receiver: Receiver<Message>,
}

impl Inbox {
    /// Starts to listen for signals and for the terminal to vanish: before the terminal is taken, so that
    /// from then on no signal leaves it behind taken.
    ///
    /// # Errors
    ///
    /// Where a signal cannot be received or a thread not be started.
    pub(super) fn open() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let inbox = Self { sender, receiver };
        let wanted = ENDING.into_iter().filter(|&signal| !is_ignored(signal)).chain([SIGTSTP, SIGCONT, SIGWINCH]);
        let signals = Signals::new(wanted)?;
        inbox.start("signals", |sender| receive_signals(signals, &sender))?;
        inbox.start("watch", |sender| watch_terminal(&sender))?;
        Ok(inbox)
    }

    /// Starts to read keys: after the terminal is taken, so that no key is read in line mode.
    ///
    /// # Errors
    ///
    /// Where the thread cannot be started.
    pub(super) fn read_keys(&self) -> io::Result<()> {
        self.start("keys", |sender| read_keys(&sender))
    }

    /// A handle for other threads.
    pub(super) fn outside(&self) -> Outside {
        Outside(self.sender.clone())
    }

    /// Waits until something happens, or until `limit` has passed, and takes all that happened so far.
    /// Empty means that the time has passed.
    pub(super) fn wait(&self, limit: Option<Duration>) -> Vec<Message> {
        let first = match limit {
            Some(limit) => self.receiver.recv_timeout(limit),
            None => self.receiver.recv().map_err(RecvTimeoutError::from),
        };
        // The inbox holds a sender itself, so the channel is never closed: an error is the time.
        let Ok(first) = first else { return Vec::new() };
        std::iter::once(first).chain(self.receiver.try_iter().take(BATCH_MAX - 1)).collect()
    }

    fn start(&self, name: &str, work: impl FnOnce(Sender<Message>) + Send + 'static) -> io::Result<()> {
        let sender = self.sender.clone();
        thread::Builder::new().name(name.to_owned()).spawn(move || work(sender))?;
        Ok(())
    }
}

/// Whether whoever started us had this signal ignored (`nohup` does so), which is then theirs to decide.
/// Where the system does not say, it is not.
fn is_ignored(signal: i32) -> bool {
    let ignored = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        Some(mask >> (signal - 1) & 1 == 1)
    };
    ignored().unwrap_or(false)
}

fn receive_signals(mut signals: Signals, sender: &Sender<Message>) {
    for signal in signals.forever() {
        let message = match signal {
            SIGWINCH => Message::Resized,
            SIGTSTP => Message::Stop,
            SIGCONT => Message::Continued,
            ending => end(sender, ending),
        };
        // After the loop has ended there is nothing left to tell, but ending signals still end the program.
        let _ = sender.send(message);
    }
}

/// Tells the loop to end the program, and ends it here where the loop is stuck: in a computation, or in a
/// write to a terminal that nobody reads.
fn end(sender: &Sender<Message>, signal: i32) -> ! {
    if sender.send(Message::End(signal)).is_ok() {
        thread::sleep(GRACE);
    }
    terminal::give_back_within(GRACE_WRITING);
    process::exit(128 + signal)
}

/// Ends the program, as a hangup would, when the terminal is gone: crossterm would go on reading from it for
/// ever, at full speed, and the signal may be ignored. Also mends what crossterm leaves unread.
fn watch_terminal(sender: &Sender<Message>) {
    loop {
        match watch(None) {
            Ok(Watched::Nothing) => continue,
            Ok(Watched::Input) => thread::sleep(WATCH_PAUSE),
            Ok(Watched::Gone) | Err(_) => end(sender, SIGHUP),
        }
        if matches!(watch(Some(&Timespec::default())), Ok(Watched::Input)) {
            // Failing means that the terminal is gone, which the next turn sees.
            let _ = terminal::wake_reader();
        }
    }
}

/// What the watcher sees of the terminal.
enum Watched {
    Nothing,
    Input,
    Gone,
}

/// Waits, for no longer than `limit`, for input or for the end of the terminal, and takes neither.
fn watch(limit: Option<&Timespec>) -> io::Result<Watched> {
    let (input, output) = (stdin(), stdout());
    let mut terminals = [PollFd::new(&input, PollFlags::IN), PollFd::new(&output, PollFlags::empty())];
    match poll(&mut terminals, limit) {
        Ok(0) | Err(Errno::INTR) => return Ok(Watched::Nothing),
        Ok(_) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    if terminals.iter().any(|fd| fd.revents().intersects(gone)) {
        return Ok(Watched::Gone);
    }
    // A program whose shell was killed is left in the background, where reading fails for ever although the
    // terminal is still there. Reading no bytes tells, and takes nothing from the thread that reads keys.
    Ok(match rustix::io::read(input, &mut [0_u8; 0]) {
        Err(Errno::IO) => Watched::Gone,
        _ => Watched::Input,
    })
}

/// Passes key presses and repeats on. All else that crossterm reports is left out: releases, pasted text,
/// mouse and focus (neither is asked for), and sizes, which come with the signal.
fn read_keys(sender: &Sender<Message>) {
    loop {
        let message = match event::read() {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Message::Key(key),
            Ok(_) => continue,
            Err(error) => Message::Unreadable(error),
        };
        let last = matches!(message, Message::Unreadable(_));
        if sender.send(message).is_err() || last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inbox() -> Inbox {
        let (sender, receiver) = mpsc::channel();
        Inbox { sender, receiver }
    }

    #[test]
    fn what_happened_meanwhile_is_taken_at_once() {
        let inbox = inbox();
        for _ in 0..30 {
            inbox.sender.send(Message::Resized).expect("an open inbox");
        }
        assert!(inbox.outside().happened());
        assert_eq!(inbox.wait(None).len(), 31);
    }

    #[test]
    fn a_flood_leaves_room_for_a_frame() {
        let inbox = inbox();
        for _ in 0..3 * BATCH_MAX {
            assert!(inbox.outside().happened());
        }
        assert_eq!(inbox.wait(None).len(), BATCH_MAX);
    }

    #[test]
    fn the_time_passes_without_a_message() {
        assert!(inbox().wait(Some(Duration::from_millis(1))).is_empty());
    }
}
