//! A live capture in a real terminal: screens follow by themselves, are paused and resumed, and say
//! what was forgotten.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::process::{ChildStdin, Stdio};

use crate::process::Process;
use crate::terminal::Tmux;
use crate::{needs, netns};

const TEST: &str = "tests/programs/terminal_live.rs";

/// A server on port 27960 that answers `getstatus`; a client sends as many requests as a line of its
/// input says, each with another challenge.
const TRAFFIC: &str = r"
import socket, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(('127.0.0.1', 27960))
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
client.bind(('127.0.0.1', 40000))
number = 0
for line in sys.stdin:
    for _ in range(int(line)):
        number += 1
        challenge = b'nonce%d' % number
        client.sendto(b'\xff\xff\xff\xffgetstatus ' + challenge, ('127.0.0.1', 27960))
        request, address = server.recvfrom(2000)
        response = b'\xff\xff\xff\xffstatusResponse\n\\challenge\\' + challenge
        server.sendto(response + b'\\sv_hostname\\live%d\\mapname\\q3dm17\n' % number, address)
        client.recvfrom(2000)
";

/// The traffic, and the line that asks for more.
struct Traffic {
    process: Process,
    lines: ChildStdin,
}

impl Traffic {
    fn start(net: &netns::Net) -> Self {
        let mut command = net.command("python3");
        command.args(["-u", "-c", TRAFFIC]).stdin(Stdio::piped());
        let mut process = Process::start(&mut command);
        let lines = process.0.stdin.take().unwrap();
        Self { process, lines }
    }

    /// Sends this many requests and answers.
    fn send(&mut self, exchanges: usize) {
        assert!(self.process.0.try_wait().unwrap().is_none());
        writeln!(self.lines, "{exchanges}").unwrap();
    }
}

#[test]
fn screens_follow_a_live_capture_by_themselves() {
    let Some([program, _]) = needs::programs(TEST, ["tmux", "python3"]) else {
        return;
    };
    let Some(net) = netns::Net::for_capture(TEST) else {
        return;
    };
    if !net.is_own() {
        return needs::not_run(TEST, "netns", "packets are counted in a namespace only");
    }
    let mut live = net.command(env!("CARGO_BIN_EXE_fragshark"));
    live.args(["open", "-i", "lo", "--keep-messages", "100"]);
    let words = std::iter::once(live.get_program()).chain(live.get_args());
    let words: Vec<_> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let line = format!("{}; echo status $?", words.join(" "));
    let tmux = Tmux::start(program, (120, 40), &line);
    tmux.shows(&["live, 0 packets"]);
    let mut traffic = Traffic::start(&net);
    traffic.send(1);
    tmux.shows(&["2 messages", "live, 2 packets", "statusResponse", "lost: 0 by the kernel"]);

    // On each screen, more appears without a key.
    tmux.keys(&["2"]);
    tmux.shows(&["1 of 1 exchange", "answered"]);
    traffic.send(1);
    tmux.shows(&["1 of 2 exchanges"]);
    tmux.keys(&["3"]);
    tmux.shows(&["1 of 1 server", "127.0.0.1:27960", "live2"]);
    traffic.send(1);
    tmux.shows(&["1 of 1 server", "live3"]);
    tmux.keys(&["7"]);
    tmux.shows(&["1 of 1 flow", "live, 6 packets"]);
    tmux.keys(&["8"]);
    let screen = tmux.shows(&["8 statistics", "live, 6 packets"]);
    traffic.send(5);
    tmux.until("other statistics", |now| {
        let charts = |screen: &str| screen.lines().skip(2).collect::<String>();
        now.contains("live, 16 packets") && charts(now) != charts(&screen)
    });

    // Paused, the screen stays and says how many are new; the capture goes on.
    tmux.keys(&["2"]);
    tmux.shows(&["of 8 exchanges"]);
    tmux.keys(&["p"]);
    tmux.shows(&["PAUSED, 0 new messages"]);
    traffic.send(4);
    tmux.shows(&["PAUSED, 8 new messages", "of 8 exchanges"]);
    tmux.keys(&["p"]);
    let screen = tmux.shows(&["of 12 exchanges"]);
    assert!(!screen.contains("PAUSED"), "{screen}");

    // The last message is followed, and what is forgotten is said.
    tmux.keys(&["1"]);
    tmux.shows(&["of 24 messages"]);
    tmux.keys(&["G"]);
    tmux.shows(&["24 of 24 messages"]);
    traffic.send(3);
    tmux.shows(&["30 of 30 messages", "live15"]);
    traffic.send(60);
    tmux.shows(&["50 not kept", "lost: kernel 0, fragshark 0", "live75"]);
    // What was captured is in no file.
    tmux.keys(&["q"]);
    tmux.shows(&["the captured packets are not kept", "q again quits"]);
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}
