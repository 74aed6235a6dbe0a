//! Programs that a test runs, and waiting for their results.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time limit of all waiting; only a failing test takes so long.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running program, which never outlives the test.
pub struct Process(pub Child);

impl Process {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap_or_else(|why| panic!("{command:?}: {why}")))
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().unwrap()
    }

    /// Ends it now.
    pub fn end(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Polls until there is an answer.
pub fn until<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} for {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Runs a program that ends by itself, and returns its output.
pub fn printed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}: {complaint}", output.status);
    String::from_utf8(output.stdout).unwrap()
}
