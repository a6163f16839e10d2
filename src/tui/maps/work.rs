//! Work that goes on beside the screen, on a thread of its own: no key ever waits for it.
//!
//! The thread tells how far it is, and is told to stop by a flag that it looks at between pieces. What it tells is
//! always a whole picture, so that only the last has to be looked at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::Duration;

/// How often the screen looks at what a thread has told.
pub const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Work, and what it has told so far.
#[derive(Debug)]
pub struct Task<T> {
    /// What was told last.
    pub told: Option<T>,
    /// Whether somebody stopped it before it was done.
    pub stopped: bool,
    work: Option<Work<T>>,
}

/// What can be done with work of any kind.
pub trait UnderWay {
    /// Takes note of what was told since the last look.
    fn look(&mut self);
    /// Waits until it is done. For those who have no screen to keep alive.
    fn finish(&mut self);
    /// Ends it for now, and keeps what was told.
    fn leave(&mut self);
    /// Ends it until it is asked for again, and keeps what was told. Whether there was anything to end.
    fn stop(&mut self) -> bool;
    /// Whether it is under way.
    fn is_under_way(&self) -> bool;
}

impl<T> Default for Task<T> {
    fn default() -> Self {
        Self { told: None, stopped: false, work: None }
    }
}

impl<T: Send + 'static> Task<T> {
    /// Starts from the beginning, in place of what is under way.
    pub fn start(&mut self, at_first: Option<T>, job: impl FnOnce(&Telling<T>) + Send + 'static) {
        *self = Self { told: at_first, stopped: false, work: Some(Work::start(job)) };
    }

    /// Whether it neither works nor was stopped: what is not done yet should be started.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.work.is_none() && !self.stopped
    }

    fn take(&mut self, told: Option<T>) {
        self.told = told.or(self.told.take());
        if self.work.as_ref().is_some_and(|work| work.over) {
            self.work = None;
        }
    }
}

impl<T: Send + 'static> UnderWay for Task<T> {
    fn look(&mut self) {
        let told = self.work.as_mut().and_then(Work::look);
        self.take(told);
    }

    fn finish(&mut self) {
        let told = self.work.as_mut().and_then(Work::wait);
        self.take(told);
    }

    fn leave(&mut self) {
        self.look();
        self.work = None;
    }

    fn stop(&mut self) -> bool {
        self.look();
        let was = self.work.take().is_some();
        self.stopped |= was;
        was
    }

    fn is_under_way(&self) -> bool {
        self.work.is_some()
    }
}

/// A piece of work under way, as the screen sees it. Dropping it stops it.
#[derive(Debug)]
struct Work<T> {
    receiver: Receiver<T>,
    stop: Arc<AtomicBool>,
    over: bool,
}

/// The same, as the thread sees it.
#[derive(Debug)]
pub struct Telling<T> {
    sender: Sender<T>,
    stop: Arc<AtomicBool>,
}

impl<T: Send + 'static> Work<T> {
    /// Starts to work. Where no thread can be started, the work is over at once and has told nothing.
    fn start(job: impl FnOnce(&Telling<T>) + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let telling = Telling { sender, stop: Arc::clone(&stop) };
        let started = thread::Builder::new().name("evidence".to_owned()).spawn(move || job(&telling));
        Self { receiver, stop, over: started.is_err() }
    }

    /// What was told since the last look, if anything.
    fn look(&mut self) -> Option<T> {
        let mut last = None;
        while !self.over {
            match self.receiver.try_recv() {
                Ok(told) => last = Some(told),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.over = true,
            }
        }
        last
    }

    /// Waits until the work is over, and gives the last that was told.
    fn wait(&mut self) -> Option<T> {
        let last = self.receiver.iter().last();
        self.over = true;
        last
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl<T> Telling<T> {
    /// Tells how things stand. Whether to go on.
    pub fn tell(&self, told: T) -> bool {
        self.sender.send(told).is_ok() && !self.is_stopped()
    }

    /// Whether to go no further.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that says so, for work that looks at it by itself.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_was_told_is_what_counts() {
        let mut work = Work::start(|telling| {
            for n in 0..1_000 {
                telling.tell(n);
            }
        });
        assert_eq!(work.wait(), Some(999));
        assert!(work.over && work.look().is_none());
    }

    #[test]
    fn work_that_is_let_go_ends() {
        let (ended, end) = mpsc::channel();
        let work = Work::start(move |telling| {
            while telling.tell(()) {
                thread::yield_now();
            }
            ended.send(()).unwrap();
        });
        drop(work);
        assert_eq!(end.recv_timeout(Duration::from_secs(10)), Ok(()));
    }
}
