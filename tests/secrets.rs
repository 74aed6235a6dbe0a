//! Secrets that stand where no key announces them stay hidden too, in every output.

mod story;

use std::fs;
use std::process::Command;

use story::{Format, Link, Story};

const SECRET: &str = "Hunter2Hunter2";

#[test]
fn a_torn_message_shows_no_secret() {
    let [server, client] = ["192.0.2.1:27960", "198.51.100.1:40000"].map(|e| e.parse().unwrap());
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_070_308_800);
    for torn in [
        format!("infoResponse\n\\a\\b\n\\sv_privatePassword\\{SECRET}"),
        format!("infoResponse\n\\\"\\g_password\\{SECRET}"),
        format!("statusResponse\n\\a\\b\n\\RCON_password\\{SECRET}\n"),
    ] {
        story.after(1000).send(server, client, &[b"\xff\xff\xff\xff", torn.as_bytes()].concat());
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torn.pcap");
    fs::write(&file, story.file()).unwrap();
    let file = file.to_str().unwrap();
    let hex: Vec<_> = SECRET.bytes().take(4).map(|b| format!("{b:02x}")).collect();
    for command in [
        &["decode", file][..],
        &["decode", "-v", file],
        &["decode", "--format", "ndjson", file],
        &["export", "--what", "messages", "--format", "csv", file],
    ] {
        let run = |command: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(command).output();
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        let masked = run(command);
        assert!(!masked.contains(SECRET) && !masked.contains(&hex.join(" ")), "{masked}");
        let shown = run(&[command, &["--show-secrets"]].concat());
        // Lines and rows say little of a torn message; its bytes say all.
        let says_all = shown.contains("Hunter2") || !command.contains(&"-v");
        assert!(says_all, "{command:?} finds nothing to hide");
    }
}
