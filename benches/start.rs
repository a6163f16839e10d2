//! How long it takes from exec to the first frame, in a pseudo-terminal. It has to take less than 30 ms.
//!
//! The first frame is there when the last words of its footer are.

use std::io::Read;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const STARTS: usize = 40;
const MS_MAX: f64 = 30.0;

fn main() {
    let mut times: Vec<Duration> = (0..STARTS).map(|_| start()).collect();
    times.sort();
    let ms = |n: usize| times[n].as_secs_f64() * 1_000.0;
    println!("exec to first frame, {STARTS} starts at 80x24");
    println!("fastest {:.1} ms   median {:.1} ms   slowest {:.1} ms", ms(0), ms(STARTS / 2), ms(STARTS - 1));
    if cfg!(not(debug_assertions)) {
        assert!(ms(STARTS / 2) < MS_MAX, "the median has to be below {MS_MAX} ms");
    }
}

fn start() -> Duration {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pty = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let mut screen = pty.master.try_clone_reader().expect("its other end");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_retryscope"));
    command.env("TERM", "xterm-256color");

    let begun = Instant::now();
    let mut program = pty.slave.spawn_command(command).expect("the program");
    let mut seen = Vec::new();
    let mut part = [0; 4096];
    // `q quit` ends the footer, which is the last row.
    while !String::from_utf8_lossy(&seen).contains("quit") {
        let n = screen.read(&mut part).expect("a frame");
        assert_ne!(n, 0, "it ends before its first frame: {}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&part[..n]);
    }
    let taken = begun.elapsed();
    program.kill().expect("to end it");
    program.wait().expect("to end it");
    taken
}
