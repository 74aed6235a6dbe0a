//! fragshark as a capture interface of tshark, on the loopback device of a network namespace.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{Process, printed, until};
use crate::wireshark::dissector;
use crate::{needs, netns};
use netns::Net;

const TEST: &str = "fragshark as a capture interface";
/// Puts a folder over another one, for this process alone, and becomes a program.
const OVER: &str = r#"mount --bind "$1" "$2" && shift 2 && exec "$@""#;
/// Sends a message and a datagram that is none, to port 27960 of the loopback address.
const SENDER: &str = "
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for payload in (b'no game', b'\\xff\\xff\\xff\\xffgetinfo nonce'):
    s.sendto(payload, ('127.0.0.1', 27960))
";

/// The folder in which tshark looks for capture interfaces.
fn extcap_folder(tshark: &Path) -> String {
    let folders = printed(Command::new(tshark).args(["-G", "folders"]));
    let line = folders.lines().find_map(|line| line.strip_prefix("Extcap path:"));
    line.unwrap().trim().to_owned()
}

/// The first four packets that tshark captures with these options: protocols and comments.
fn captured(net: &Net, tshark: &Path, script: &Path, options: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    symlink(env!("CARGO_BIN_EXE_fragshark"), folder.path().join("fragshark-extcap")).unwrap();
    let file = folder.path().join("x.pcapng");
    let mut command = net.command("sh");
    command.args(["-c", OVER, "sh"]).arg(folder.path()).arg(extcap_folder(tshark)).arg(tshark);
    command.args(["-i", "fragshark-lo", "-c", "4", "-w"]).arg(&file).args(options);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(fs::File::create(folder.path().join("err")).unwrap());
    let mut process = Process::start(&mut command);
    let status = until("four packets", || {
        printed(net.command("python3").args(["-c", SENDER]));
        process.ended()
    });
    let stderr = fs::read_to_string(folder.path().join("err")).unwrap();
    assert!(status.success(), "{stderr}");
    let script = format!("lua_script:{}", script.display());
    let mut command = Command::new(tshark);
    command.args(["-n", "-2", "-X", &script, "-T", "fields", "-r"]).arg(&file);
    command.args(["-e", "fragshark.message", "-e", "data.data", "-e", "frame.comment"]);
    printed(&mut command).lines().map(str::to_owned).collect()
}

#[test]
fn tshark_captures_messages_with_comments_or_all_packets() {
    let Some([tshark, _, _]) = needs::programs(TEST, ["tshark", "python3", "mount"]) else {
        return;
    };
    let Some(net) = Net::for_capture(TEST).filter(Net::is_own) else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = dissector(&folder);
    let message = "getinfo\t\tquake3 getinfo nonce";
    for line in captured(&net, &tshark, &script, &[]) {
        assert_eq!(line, message);
    }
    let all = ["-o", "extcap.fragshark_lo.onlymessages:false", "-o"];
    let options = [&all[..], &["extcap.fragshark_lo.annotate:false"]].concat();
    let lines = captured(&net, &tshark, &script, &options);
    for expected in ["getinfo\t\t", "\t6e6f2067616d65\t"] {
        assert!(lines.iter().any(|line| line == expected), "{lines:?}");
    }
}
