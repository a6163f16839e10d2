//! The built program in a real pseudo-terminal: on every way out the terminal is given back, once.
//!
//! Each test is a user at a shell. A small `sh` leads the session, as a shell would, and says on the screen how
//! the program left: the kernel itself puts a terminal right when the leader of its session ends, so that a
//! program started without a shell could leave it in any state unnoticed.

use std::fmt::Debug;
use std::fs;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

const RIGHT: &[u8] = b"\x1b[C";
const CTRL_C: &[u8] = b"\x03";
const CTRL_Z: &[u8] = b"\x1a";
const SPACE: &[u8] = b" ";

const LEAVES_ALTERNATE_SCREEN: &[u8] = b"\x1b[?1049l";
const FRAME: &[u8] = b"\x1b[?2026h";

/// How long anything may take on a busy machine before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the shell says after the program, before the exit status.
const LEFT_WITH: &str = "left with ";

#[test]
fn q_gives_the_terminal_back() {
    let mut user = User::at_shell().starts();
    user.types(b"q");
    user.sees_it_leave_with(0);
}

#[test]
fn ctrl_c_gives_the_terminal_back() {
    let mut user = User::at_shell().starts();
    user.types(CTRL_C);
    user.sees_it_leave_with(130);
}

#[test]
fn ending_signals_give_the_terminal_back() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)] {
        let user = User::at_shell().starts();
        user.sends(signal);
        user.sees_it_leave_with(status);
    }
}

#[test]
fn a_signal_ends_it_even_while_the_loop_is_stuck() {
    let Some(mut user) = User::at_shell().starts_with_fault("hang") else {
        return;
    };
    let idle = user.cpu_ticks();
    user.types(b"!");
    wait_for("the loop to spin", || user.cpu_ticks() > idle + 3);
    user.sends(Signal::TERM);
    user.sees_it_leave_with(143);
}

#[test]
fn a_signal_ends_it_even_while_nobody_reads_what_it_writes() {
    let user = User::at_shell().starts();
    user.looks_away(true);
    wait_for("a write to block", || {
        let before = user.written();
        for columns in [200, 150] {
            user.resizes(columns, 50);
            thread::sleep(Duration::from_millis(30));
        }
        user.written() == before
    });
    user.sends(Signal::TERM);
    user.sees_it_gone_within(Duration::from_secs(3));
    assert_eq!(user.mode(), user.mode_before, "raw mode is left");
    user.looks_away(false);
    wait_for("its exit status", || user.status() == Some(143));
}

#[test]
fn it_goes_with_its_terminal() {
    let mut user = User::at_shell().starts();
    let program = user.closes_the_window();
    assert_gone_within(program, Duration::from_secs(1));
}

#[test]
fn it_goes_with_its_terminal_even_where_hangups_are_ignored() {
    let mut user = User::at_shell().before("trap '' HUP;").starts();
    user.sends(Signal::HUP);
    let before = user.screen();
    user.types(RIGHT);
    user.sees_change_from(&before);
    let program = user.closes_the_window();
    assert_gone_within(program, Duration::from_secs(1));
}

#[test]
fn it_goes_with_its_terminal_even_while_it_plays() {
    let mut user = User::at_shell().before("trap '' HUP;").starts();
    user.types(SPACE);
    let program = user.closes_the_window();
    assert_gone_within(program, Duration::from_secs(1));
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_it_is_continued() {
    let mut user = User::at_shell().starts();
    user.types(CTRL_Z);
    user.sees_it_stopped();
    user.resizes(100, 30);
    user.sends(Signal::CONT);
    user.sees_it_painted_to_the_last_row();
    let before = user.screen();
    user.types(RIGHT);
    user.sees_change_from(&before);
    user.types(b"q");
    user.sees_it_leave(0, 2);
}

#[test]
fn a_stop_from_outside_gives_the_terminal_back_until_it_is_continued() {
    let mut user = User::at_shell().starts();
    let before = user.screen();
    user.sends(Signal::TSTP);
    user.sees_it_stopped();
    user.sends(Signal::CONT);
    wait_for("the same screen", || user.screen() == before);
    user.types(CTRL_Z);
    user.sees_it_stopped();
    user.sends(Signal::CONT);
    wait_for("the same screen", || user.screen() == before);
    user.types(b"q");
    user.sees_it_leave(0, 3);
}

#[test]
fn a_stop_that_cannot_be_noticed_is_mended_when_it_is_continued() {
    let mut user = User::at_shell().starts();
    let before = user.screen();
    user.sends(Signal::STOP);
    wait_for("it to stop", || user.state() == Some('T'));
    user.scribbles("a shell wrote this");
    user.sends(Signal::CONT);
    wait_for("the same screen", || user.screen() == before);
    user.types(b"q");
    user.sees_it_leave_with(0);
}

#[test]
fn a_panic_can_be_read_afterwards() {
    let Some(mut user) = User::at_shell().starts_with_fault("panic") else {
        return;
    };
    user.types(b"!");
    user.sees_it_leave_with(101);
    let screen = user.screen();
    assert!(screen.contains("asks for a panic"), "{screen}");
}

#[test]
fn without_colours_reverse_and_bold_stay() {
    let user = User::at_shell().env("NO_COLOR", "1").starts();
    let looks = user.looks();
    assert!(looks.bold && looks.inverse, "{looks:?}");
    assert!(!looks.colours, "{looks:?}");
    // What crossterm writes in place of a colour that it leaves out: it ends reverse and bold as well.
    assert_eq!(user.count(b"\x1b[m") + user.count(b"\x1b[;m"), 0);
}

#[test]
fn an_empty_no_color_counts_as_unset() {
    let with = |user: User| {
        let user = user.starts();
        user.looks()
    };
    let unset = with(User::at_shell());
    assert_eq!(with(User::at_shell().env("NO_COLOR", "")), unset);
    assert!(unset.colours, "{unset:?}");
}

#[test]
fn a_burst_of_resizes_is_drawn_once() {
    let mut user = User::at_shell().starts();
    user.sends(Signal::STOP);
    wait_for("it to stop", || user.state() == Some('T'));
    let frames = user.count(FRAME);
    for step in 0..30 {
        user.resizes(60 + step, 20 + step / 3);
    }
    user.resizes(100, 30);
    user.sends(Signal::CONT);
    user.sees_it_painted_to_the_last_row();
    user.settles();
    // The continuing and the resizing may come in two turns of the loop.
    let drawn = user.count(FRAME) - frames;
    assert!((1..=2).contains(&drawn), "{drawn} frames");
    user.types(b"q");
    user.sees_it_leave_with(0);
}

#[test]
fn any_size_is_survived() {
    let mut user = User::at_shell().starts();
    for (columns, rows) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 50), (9, 3)] {
        user.resizes(columns, rows);
        user.types(RIGHT);
        thread::sleep(Duration::from_millis(20));
    }
    let before = user.received();
    user.resizes(u16::MAX, u16::MAX);
    wait_for("a frame", || user.received() > before);
    user.settles();
    let frame = user.received() - before;
    assert!(frame < 500 * 200 * 8, "{frame} bytes for one frame");
    user.resizes(80, 24);
    user.sees_it_painted_to_the_last_row();
    user.types(b"q");
    user.sees_it_leave_with(0);
}

#[test]
fn paused_it_costs_nothing() {
    let user = User::at_shell().starts();
    user.settles();
    let before = user.cpu_ticks();
    user.is_quiet_for(Duration::from_millis(800));
    let spent = user.cpu_ticks() - before;
    assert!(spent <= 1, "{spent} ticks of processor time");
}

#[test]
fn what_changes_nothing_writes_nothing() {
    let mut user = User::at_shell().starts();
    user.settles();
    let before = user.received();
    user.types(b"\x1b[24~");
    user.types(b"\x1b[200~q\x1b[C1 \x03!\x1b[201~");
    user.types(b"\x1b[200~");
    user.types(&[b'q'; 5000]);
    user.types(b"\x1b[201~");
    thread::sleep(Duration::from_millis(200));
    assert_eq!(user.received(), before, "{}", user.screen());
    let before = user.screen();
    user.types(RIGHT);
    user.sees_change_from(&before);
}

#[test]
fn no_key_is_left_lying() {
    // More at once than crossterm reads at once.
    let mut user = User::at_shell().starts();
    let mut keys = b"\x1b[24~".repeat(600);
    keys.push(b'q');
    user.types(&keys);
    user.sees_it_leave_with(0);
}

#[test]
fn playing_moves_and_can_be_paused() {
    let mut user = User::at_shell().starts();
    let before = user.screen();
    user.types(SPACE);
    user.sees_change_from(&before);
    user.types(SPACE);
    user.settles();
    user.is_quiet_for(Duration::from_millis(300));
}

#[test]
fn left_in_the_background_by_a_killed_shell_it_ends() {
    // A shell with job control runs another one, which runs the program, and is killed.
    let script = "sh -c '\"$0\"; true' \"$0\"; while read -r line; do :; done; exit;";
    let mut user = User::at_shell().before(script).by("bash", &["-m"]).starts();
    let program = user.program;
    kill_process(pid(parent(program)), Signal::KILL).expect("the inner shell to be killed");
    // Who comes first to a key, the shell or the program, is a matter of luck; the program then cannot read it.
    let start = Instant::now();
    while !is_gone(program) {
        assert!(start.elapsed() < PATIENCE, "it stays");
        user.types(b"x\r");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_open_file_is_shown_anew_when_it_is_saved() {
    let file = std::env::temp_dir().join(format!("retryscope-saved-{}.json", std::process::id()));
    let save = |fault: &str| {
        // As editors do it: a whole file takes the place of the other.
        let new = file.with_extension("new");
        fs::write(&new, format!(r#"{{"strategy": "naive-retry", "fault": "{fault}"}}"#)).expect("to write");
        fs::rename(&new, &file).expect("to save");
    };
    save("lost-ack");
    let mut user = User::at_shell().with("--scenario").with(&file.to_string_lossy()).starts();
    wait_for("the run", || user.screen().contains("naive retry × lost-ack"));
    save("redelivery");
    wait_for("the saved run", || user.screen().contains("naive retry × redelivery"));
    save("redelivry");
    wait_for("what is wrong", || user.screen().contains("The saved file is not shown"));
    assert!(user.screen().contains("naive retry × redelivery"), "the last good run stays");
    assert!(user.screen().contains("fault: found"), "{}", user.screen());
    save("late-commit");
    wait_for("the mended run", || user.screen().contains("naive retry × late-commit"));
    user.types(b"q");
    user.sees_it_leave_with(0);
    fs::remove_file(&file).expect("to tidy up");
}

/// Someone with a terminal, a shell in it, and the program.
struct User {
    before_program: String,
    shell: (String, Vec<String>),
    env: Vec<(String, String)>,
    arguments: Vec<String>,
    master: Option<Box<dyn MasterPty + Send>>,
    slave: Option<Box<dyn SlavePty + Send>>,
    keyboard: Option<Box<dyn Write + Send>>,
    child: Option<Box<dyn Child + Send + Sync>>,
    program: i32,
    received: Arc<Mutex<Received>>,
    looks_away: Arc<AtomicBool>,
    closes: Arc<AtomicBool>,
    mode_before: String,
}

/// What came from the program, and what a terminal makes of it.
struct Received {
    bytes: Vec<u8>,
    terminal: vt100::Parser,
}

/// How what is on the screen looks.
#[derive(Debug, PartialEq, Eq)]
struct Looks {
    bold: bool,
    inverse: bool,
    colours: bool,
}

impl User {
    fn at_shell() -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).expect("a pseudo-terminal");
        let mut user = Self {
            before_program: String::new(),
            shell: ("sh".to_owned(), Vec::new()),
            env: Vec::new(),
            arguments: Vec::new(),
            keyboard: Some(pair.master.take_writer().expect("a keyboard")),
            master: Some(pair.master),
            slave: Some(pair.slave),
            child: None,
            program: 0,
            received: Arc::new(Mutex::new(Received { bytes: Vec::new(), terminal: vt100::Parser::new(24, 80, 0) })),
            looks_away: Arc::default(),
            closes: Arc::default(),
            mode_before: String::new(),
        };
        user.mode_before = user.mode();
        user
    }

    /// Has the shell do something first.
    fn before(mut self, script: &str) -> Self {
        script.clone_into(&mut self.before_program);
        self
    }

    /// Uses another shell.
    fn by(mut self, shell: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        self.shell = (shell.to_owned(), options);
        self
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Gives the program an argument.
    fn with(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Starts the program with a fault that only debug builds know; `None` in others.
    fn starts_with_fault(self, fault: &str) -> Option<Self> {
        cfg!(debug_assertions).then(|| self.env("RETRYSCOPE_FAULT", fault).starts())
    }

    /// Starts the program and waits until it has drawn something.
    fn starts(mut self) -> Self {
        let script = format!("{} \"$0\" \"$@\"; echo '{LEFT_WITH}'$?.; read -r line", self.before_program);
        let mut command = CommandBuilder::new(&self.shell.0);
        command.args(&self.shell.1);
        command.args(["-c", &script, env!("CARGO_BIN_EXE_retryscope")]);
        command.args(&self.arguments);
        command.env("TERM", "xterm-256color");
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("NO_COLOR");
        for (name, value) in &self.env {
            command.env(name, value);
        }
        self.reads();
        let slave = self.slave.as_ref().expect("a terminal");
        let child = slave.spawn_command(command).expect("a shell");
        let shell = child.process_id().expect("a process");
        self.child = Some(child);
        wait_for("the program's first frame", || {
            let received = self.lock();
            let screen = received.terminal.screen();
            screen.alternate_screen() && !screen.contents().trim().is_empty()
        });
        self.program = program_below(i32::try_from(shell).expect("a process id"));
        assert!(self.lock().terminal.screen().hide_cursor());
        assert!(self.lock().terminal.screen().bracketed_paste());
        assert_ne!(self.mode(), self.mode_before, "raw mode is taken");
        self
    }

    /// Reads what the terminal shows, in a thread of its own.
    fn reads(&self) {
        let master = self.master.as_ref().expect("an open window");
        let mut reader = master.try_clone_reader().expect("a reader");
        let received = Arc::clone(&self.received);
        let (looks_away, closes) = (Arc::clone(&self.looks_away), Arc::clone(&self.closes));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while !closes.load(Ordering::SeqCst) {
                if looks_away.load(Ordering::SeqCst) {
                    thread::sleep(Duration::from_millis(5));
                    continue;
                }
                let Ok(count @ 1..) = reader.read(&mut buffer) else {
                    return;
                };
                let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
                received.bytes.extend(&buffer[..count]);
                received.terminal.process(&buffer[..count]);
            }
        });
    }

    fn types(&mut self, keys: &[u8]) {
        let keyboard = self.keyboard.as_mut().expect("an open window");
        keyboard.write_all(keys).expect("keys to be taken");
    }

    fn sends(&self, signal: Signal) {
        kill_process(pid(self.program), signal).expect("the signal to be sent");
    }

    fn looks_away(&self, away: bool) {
        self.looks_away.store(away, Ordering::SeqCst);
    }

    fn resizes(&self, columns: u16, rows: u16) {
        // The emulated terminal fails at tiny sizes, and needs no more memory than it deserves.
        let (width, height) = (columns.clamp(80, 500), rows.clamp(24, 200));
        self.lock().terminal.screen_mut().set_size(height, width);
        let master = self.master.as_ref().expect("an open window");
        master.resize(size(columns, rows)).expect("a resize");
    }

    /// Another program writes to the terminal.
    fn scribbles(&self, text: &str) {
        self.lock().terminal.process(text.as_bytes());
    }

    /// Closes the terminal's window. Gives the program's process id.
    fn closes_the_window(&mut self) -> i32 {
        self.closes.store(true, Ordering::SeqCst);
        let before = self.received();
        self.types(RIGHT);
        wait_for("the reader to end", || self.received() > before);
        wait_for("the reader to end", || Arc::strong_count(&self.closes) == 1);
        // A keyboard types an end of file when it is dropped.
        self.keyboard = None;
        self.slave = None;
        self.master = None;
        self.program
    }

    fn lock(&self) -> MutexGuard<'_, Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn screen(&self) -> String {
        self.lock().terminal.screen().contents()
    }

    fn received(&self) -> usize {
        self.lock().bytes.len()
    }

    fn count(&self, sequence: &[u8]) -> usize {
        let bytes = &self.lock().bytes;
        bytes.windows(sequence.len()).filter(|window| *window == sequence).count()
    }

    fn looks(&self) -> Looks {
        let received = self.lock();
        let screen = received.terminal.screen();
        let (rows, columns) = screen.size();
        let mut looks = Looks { bold: false, inverse: false, colours: false };
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
            let Some(cell) = screen.cell(row, column) else {
                continue;
            };
            looks.bold |= cell.bold();
            looks.inverse |= cell.inverse();
            looks.colours |= cell.fgcolor() != vt100::Color::Default;
            looks.colours |= cell.bgcolor() != vt100::Color::Default;
        }
        looks
    }

    /// The terminal's mode, as text to compare.
    fn mode(&self) -> String {
        let master = self.master.as_ref().expect("an open window");
        debug(&master.get_termios().expect("the terminal's mode"))
    }

    /// The exit status that the shell shows, once it does.
    fn status(&self) -> Option<u8> {
        let screen = self.screen();
        let (_, rest) = screen.split_once(LEFT_WITH)?;
        rest.split_once('.')?.0.parse().ok()
    }

    fn state(&self) -> Option<char> {
        stat(self.program)?.first()?.chars().next()
    }

    /// Processor time spent, in ticks of 10 ms.
    fn cpu_ticks(&self) -> u64 {
        let stat = stat(self.program).expect("a running program");
        [11, 12].map(|field| stat[field].parse::<u64>().expect("ticks")).iter().sum()
    }

    /// Bytes that the program has asked to write.
    fn written(&self) -> String {
        let io = fs::read_to_string(format!("/proc/{}/io", self.program)).expect("a program");
        let line = io.lines().find(|line| line.starts_with("wchar"));
        line.expect("a count of what is written").to_owned()
    }

    fn sees_change_from(&self, before: &str) {
        wait_for("the screen to change", || self.screen() != before);
    }

    fn sees_it_painted_to_the_last_row(&self) {
        wait_for("the last row to be painted", || {
            let received = self.lock();
            let screen = received.terminal.screen();
            let columns = screen.size().1;
            let last = screen.rows(0, columns).last();
            screen.alternate_screen() && last.is_some_and(|row| !row.trim().is_empty())
        });
    }

    fn sees_it_stopped(&self) {
        wait_for("it to stop", || self.state() == Some('T'));
        wait_for("the terminal", || !self.lock().terminal.screen().alternate_screen());
        self.has_the_terminal_back();
    }

    fn sees_it_gone_within(&self, limit: Duration) {
        assert_gone_within(self.program, limit);
    }

    fn sees_it_leave_with(&self, status: u8) {
        self.sees_it_leave(status, 1);
    }

    fn sees_it_leave(&self, status: u8, times_given_back: usize) {
        wait_for("its exit status", || self.status().is_some());
        assert_eq!(self.status(), Some(status), "{}", self.screen());
        self.has_the_terminal_back();
        let times = self.count(LEAVES_ALTERNATE_SCREEN);
        assert_eq!(times, times_given_back, "times given back");
    }

    fn has_the_terminal_back(&self) {
        let received = self.lock();
        let screen = received.terminal.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "pastes are plain");
        assert_eq!(self.mode(), self.mode_before, "raw mode is left");
    }

    /// Waits until nothing has been written for a while.
    fn settles(&self) {
        wait_for("the program to fall silent", || {
            let before = self.received();
            thread::sleep(Duration::from_millis(150));
            self.received() == before
        });
    }

    fn is_quiet_for(&self, time: Duration) {
        let before = self.received();
        thread::sleep(time);
        assert_eq!(self.received(), before, "nothing is written");
    }
}

impl Drop for User {
    fn drop(&mut self) {
        if self.program > 0 {
            let _ = kill_process(pid(self.program), Signal::KILL);
        }
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn debug(value: &impl Debug) -> String {
    format!("{value:?}")
}

fn pid(number: i32) -> Pid {
    Pid::from_raw(number).expect("a process id")
}

/// The fields of `/proc/PID/stat` after the name: the first is the state, the second the parent.
fn stat(process: i32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

fn parent(process: i32) -> i32 {
    let stat = stat(process).expect("a running process");
    stat[1].parse().expect("a process id")
}

/// The program that this shell, or a shell below it, has started.
fn program_below(shell: i32) -> i32 {
    let name = |process| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    fs::read_dir("/proc")
        .expect("a list of processes")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&process| name(process).trim() == "retryscope")
        .find(|&process| {
            let above = stat(process).map_or(0, |stat| stat[1].parse().unwrap_or(0));
            above == shell || stat(above).is_some_and(|stat| stat[1] == shell.to_string())
        })
        .expect("the program to run")
}

fn is_gone(process: i32) -> bool {
    // Who is left without a parent may stay as a zombie.
    stat(process).is_none_or(|stat| stat[0] == "Z")
}

fn assert_gone_within(process: i32, limit: Duration) {
    let start = Instant::now();
    wait_for("it to go", || is_gone(process));
    let took = start.elapsed();
    assert!(took < limit, "it took {took:?} to go");
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
