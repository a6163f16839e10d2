//! What a second terminal is told: the presenter's notes and the next page, in a file that only this
//! user can read.
//!
//! The presenter holds a lock as long as it runs, so that a follower can tell a presenter that has gone
//! from one that is silent, however it went.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::Text;

/// The most that is read of a file of notes, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// The permissions of group and others.
const OTHERS: u32 = 0o077;

/// What the presenter's screen shows, and what comes next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prompt {
    /// The lesson and its chapter.
    pub title: Text,
    /// The number of the open page, counted from 1.
    pub page: usize,
    /// How many pages there are.
    pub pages: usize,
    /// What the room reads.
    pub say: Vec<Text>,
    /// The presenter's note.
    pub note: Option<Text>,
    /// The answers to the open question, the right ones marked.
    pub answers: Vec<(bool, Text)>,
    /// What the next page says.
    pub next: Vec<Text>,
}

/// The place where presenter and follower meet.
#[derive(Clone, Debug)]
pub struct Place {
    folder: PathBuf,
}

/// The presenter's end. What it has told is forgotten when it is dropped.
#[derive(Debug)]
pub struct Presenter {
    place: Place,
    _lock: File,
    told: Option<Prompt>,
}

impl Place {
    /// This user's own folder: `retryscope` below `XDG_RUNTIME_DIR`, else `retryscope-UID` below the
    /// folder for temporary files.
    #[must_use]
    pub fn of_this_user() -> Self {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
        let folder = runtime.map_or_else(
            || std::env::temp_dir().join(format!("retryscope-{}", rustix::process::getuid().as_raw())),
            |folder| PathBuf::from(folder).join("retryscope"),
        );
        Self { folder }
    }

    /// A folder of one's own choice.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The file that holds the notes.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.folder.join("notes.json")
    }

    fn lock_file(&self) -> PathBuf {
        self.folder.join("presenter.lock")
    }

    /// Makes the folder, and sees that nobody else can reach into it.
    fn secure(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let found = fs::symlink_metadata(&self.folder)?;
        let closed_to_others = found.mode() & OTHERS == 0;
        let mine = found.is_dir() && found.uid() == rustix::process::getuid().as_raw() && closed_to_others;
        let refused = || io::Error::new(io::ErrorKind::PermissionDenied, "others can reach into the folder");
        mine.then_some(()).ok_or_else(refused)
    }

    /// What the presenter last told; none where no presenter runs.
    #[must_use]
    pub fn listen(&self) -> Option<Prompt> {
        self.secure().ok()?;
        let lock = File::open(self.lock_file()).ok()?;
        // Who can have the lock is alone.
        if lock.try_lock_shared().is_ok() {
            return None;
        }
        let file = File::open(self.file()).ok()?;
        let mut text = String::new();
        io::Read::read_to_string(&mut io::Read::take(file, BYTES_MAX), &mut text).ok()?;
        serde_json::from_str(&text).ok()
    }
}

impl Presenter {
    /// Takes the presenter's place.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be made or others can reach into it, or another presenter runs already.
    pub fn take(place: Place) -> io::Result<Self> {
        place.secure()?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(place.lock_file())?;
        lock.try_lock().map_err(|_| io::Error::new(io::ErrorKind::AlreadyExists, "another presenter runs"))?;
        Ok(Self { place, _lock: lock, told: None })
    }

    /// Tells followers what is shown, if that is news. Whoever reads meanwhile sees the old or the new
    /// file, never a part.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn tell(&mut self, prompt: Prompt) -> io::Result<()> {
        if self.told.as_ref() == Some(&prompt) {
            return Ok(());
        }
        let half = self.place.folder.join("notes.new");
        let _ = fs::remove_file(&half);
        let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&half)?;
        file.write_all(&serde_json::to_vec(&prompt)?)?;
        fs::rename(&half, self.place.file())?;
        self.told = Some(prompt);
        Ok(())
    }
}

impl Drop for Presenter {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.place.file());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(note: &str) -> Prompt {
        Prompt {
            title: Text::new("A lesson"),
            page: 1,
            pages: 2,
            say: vec![Text::new("Look.")],
            note: Some(Text::new(note)),
            answers: vec![],
            next: vec![],
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("retryscope-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_follower_hears_the_last_word_and_that_the_presenter_has_gone() {
        let folder = folder("hears");
        let place = Place::at(&folder);
        assert_eq!(place.listen(), None, "nobody yet");
        let mut presenter = Presenter::take(place.clone()).unwrap();
        presenter.tell(prompt("one")).unwrap();
        presenter.tell(prompt("two")).unwrap();
        assert_eq!(place.listen(), Some(prompt("two")));
        assert!(Presenter::take(place.clone()).is_err(), "one presenter at a time");
        drop(presenter);
        assert_eq!(place.listen(), None, "gone");
        assert!(!place.file().exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_this_user_can_read_it() {
        let folder = folder("private");
        let place = Place::at(&folder);
        let mut presenter = Presenter::take(place.clone()).unwrap();
        presenter.tell(prompt("secret")).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(fs::metadata(place.file()).unwrap().mode() & 0o777, 0o600);
        drop(presenter);
        fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        assert!(Presenter::take(place).is_err(), "a folder that others can enter is refused");
        fs::remove_dir_all(folder).unwrap();
    }
}
