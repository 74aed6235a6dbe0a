//! A network namespace for one test, made by `ip netns` and removed with the test; without
//! permission, the machine's own loopback device.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::ffi::OsStr;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crate::needs;

/// The network of a test's packets.
pub struct Net {
    /// The `ip` program and the namespace's name; `None` on the machine's own loopback device.
    own: Option<(PathBuf, String)>,
    test: String,
}

impl Net {
    /// A namespace with its loopback device up. Without permission to make one, the machine's
    /// loopback device is used, with a message; without permission to capture `None`, with a
    /// message.
    pub fn new(test: &str) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let [ip] = needs::programs(test, ["ip"])?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fragshark-{}-{number}", std::process::id());
        let net = Self { own: Some((ip.clone(), name.clone())), test: test.to_owned() };
        if run(Command::new(&ip).args(["netns", "add", &name])) {
            assert!(run(net.command(&ip).args(["link", "set", "lo", "up"])));
            return Some(net);
        }
        std::mem::forget(net);
        needs::not_run(test, "netns", "no network namespace can be made; trying on loopback");
        if interfaces().contains("not permitted") {
            needs::not_run(test, "capture", "capturing is not permitted");
            return None;
        }
        Some(Self { own: None, test: test.to_owned() })
    }

    /// A network as [`Net::new`] makes it, for a test that captures; without libpcap `None`, with a
    /// message.
    pub fn for_capture(test: &str) -> Option<Self> {
        if interfaces().contains("libpcap, which is not there") {
            needs::not_run(test, "libpcap", "libpcap is not installed");
            return None;
        }
        Self::new(test)
    }

    /// Whether it is a namespace.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// A program that will run in it.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let Some((ip, name)) = &self.own else {
            return Command::new(program);
        };
        let mut command = Command::new(ip);
        command.args(["netns", "exec", name]).arg(program);
        command
    }

    /// Two connected Ethernet devices; only in a namespace.
    pub fn pair(&self) -> Option<[String; 2]> {
        let Some((ip, _)) = &self.own else {
            needs::not_run(&self.test, "netns", "devices are made in a namespace only");
            return None;
        };
        let add = ["link", "add", "near", "type", "veth", "peer", "name", "far"];
        if !run(self.command(ip).args(add)) {
            needs::not_run(&self.test, "veth", "the kernel makes no pair of devices");
            return None;
        }
        for device in ["near", "far"] {
            assert!(run(self.command(ip).args(["link", "set", device, "up"])));
        }
        Some(["near".to_owned(), "far".to_owned()])
    }
}

/// What the program says on standard error when it lists devices.
fn interfaces() -> String {
    let listed = Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("interfaces").output().unwrap();
    String::from_utf8_lossy(&listed.stderr).into_owned()
}

impl Drop for Net {
    fn drop(&mut self) {
        if let Some((ip, name)) = &self.own {
            run(Command::new(ip).args(["netns", "delete", name]));
        }
    }
}

fn run(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs a test where every port is free: in a thread with a network namespace of its own, which its
/// sockets, threads and programs have too. Without permission to make one, on the machine's own
/// loopback device if `is_free` says that the ports are free there; else it reports that it did not
/// run.
pub fn where_ports_are_free(test: &str, is_free: impl FnOnce() -> bool, run: impl FnOnce() + Send) {
    let mut left = Some(run);
    let mut alone = || {
        if has_left_the_network() {
            left.take().unwrap()();
        }
    };
    if let Err(failed) = thread::scope(|scope| scope.spawn(&mut alone).join()) {
        resume_unwind(failed);
    }
    match left {
        Some(run) if is_free() => run(),
        Some(_) => needs::not_run(test, "netns", "another program has a documented port"),
        None => {}
    }
}

/// Gives this thread a network namespace of its own, with its loopback device up, if permitted.
#[cfg(target_os = "linux")]
fn has_left_the_network() -> bool {
    use nix::sched::{CloneFlags, unshare};
    let Some(ip) = needs::program("ip") else { return false };
    unshare(CloneFlags::CLONE_NEWNET).is_ok()
        && run(Command::new(ip).args(["link", "set", "lo", "up"]))
}

#[cfg(not(target_os = "linux"))]
fn has_left_the_network() -> bool {
    false
}
