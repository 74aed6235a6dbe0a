//! `--redact` leaves no address of the input in its output: wherever in a message it stands, in any
//! form, before the first packet from it and after many others.

use std::fs;
use std::net::SocketAddr;
use std::process::{Command, Output};

use crate::{marked, story};
use export::TABLES;
use story::{Format, Link, Story};

const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");
const FOUR: &str = "203.0.113.77";
const SIX: &str = "2001:db8::7:9";

/// Notations of an address; the parts of the second line must not be left.
const FORMS: [&str; 9] = [
    "203.0.113.77",
    "p203-0-113-77.example.net",
    "203.0.113.77:27960",
    "built by joe@203.0.113.77, 1.2",
    "203.000.113.077",
    "x203.0.113.77y",
    "[2001:db8::7:9]:27960",
    "2001:DB8:0:0:0:0:7:9",
    "::ffff:203.0.113.77",
];

/// Parts of these that must not be in any output.
const PARTS: [&str; 6] = [
    "203.0.113.77",
    "203-0-113-77",
    "203.000.113.077",
    "2001:db8::7:9",
    "DB8:0:0:0:0:7:9",
    "2001:DB8",
];

#[test]
fn no_address_of_the_input_is_in_the_output() {
    let messages = marked::with_texts(&FORMS);
    assert!(messages.len() > 300, "{} messages", messages.len());
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, 1_070_308_800);
    story.meanwhile(marked::story(&messages)).after(3_600_000_000);
    for (own, other) in [(FOUR, "192.0.2.1"), (SIX, "2001:db8::1")] {
        let [own, other] = [own, other].map(|ip| SocketAddr::new(ip.parse().unwrap(), 27_960));
        story.send(own, other, b"\xff\xff\xff\xffgetinfo xxx");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("addresses.pcapng");
    fs::write(&file, story.file()).unwrap();
    let redact = ["--redact", "--redact-key", "a key"];
    for format in ["csv", "ndjson"] {
        let [plain, redacted] = [&[][..], &redact].map(|how| {
            let tables = folder.path().join(format!("{format}{}", how.len()));
            let mut export = Command::new(BINARY);
            export.arg("export").arg(&file).args(["--what", "all", "--format", format]);
            succeeded(export.arg("-o").arg(&tables).args(how));
            tables
        });
        for table in TABLES {
            let name = format!("{} as {format}", table.name);
            let [plain, redacted] = [&plain, &redacted].map(|tables| {
                let files = fs::read_dir(tables.join(table.name)).unwrap();
                let files: Vec<_> = files.map(|file| fs::read(file.unwrap().path())).collect();
                assert_eq!(files.len(), 1, "{name}");
                files.into_iter().next().unwrap().unwrap()
            });
            check(&name, &plain, &redacted, ["messages", "sessions"].contains(&table.name));
        }
    }
    for (name, command) in [
        ("pcapng", &["export", "--format", "pcapng"][..]),
        ("html", &["report", "--messages", "100000"]),
    ] {
        let with = |how: &[&str]| {
            succeeded(Command::new(BINARY).args(command).arg(&file).args(how)).stdout
        };
        let redacted = with(&redact);
        check(name, &with(&[]), &redacted, true);
        for ip in [&[203, 0, 113, 77][..], &[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0]] {
            let found = memchr::memmem::find(&redacted, ip).filter(|_| name == "pcapng");
            assert_eq!(found, None, "{ip:?}");
        }
    }
}

fn succeeded(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Whether no part of an address is in an output. Where values are shown, `plain` has some.
fn check(name: &str, plain: &[u8], redacted: &[u8], has_values: bool) {
    let holds = |bytes: &[u8], part: &str| memchr::memmem::find(bytes, part.as_bytes());
    for part in PARTS {
        if let Some(at) = holds(redacted, part) {
            let around = &redacted[at.saturating_sub(300)..redacted.len().min(at + 60)];
            panic!("{name} has {part}: {}", around.escape_ascii());
        }
    }
    let says = PARTS.iter().any(|part| holds(plain, part).is_some());
    assert!(says || !has_values, "{name} says no address without --redact either");
}

/// Beyond the limit of any table, and before a server's own first packet.
#[test]
fn an_address_is_redacted_in_a_text_however_many_came_before_it() {
    let own = |n: u32| std::net::Ipv4Addr::from_bits(0x0a00_0000 + n);
    let other = SocketAddr::from(([192, 0, 2, 1], 27_960));
    let named = [own(70_000), own(1), std::net::Ipv4Addr::new(203, 0, 113, 77)];
    let text = |ip| format!("\u{ff}\u{ff}\u{ff}\u{ff}print\nconnect {ip} now\n");
    let bytes = |ip| text(ip).chars().map(|c| c as u8).collect::<Vec<_>>();
    let mut story = Story::new(Link::RawIp, Format::Pcap, 1_070_308_800);
    // The last of them is named here before it sends anything, and has no packet in the end.
    for ip in named {
        story.send(other, SocketAddr::from(([192, 0, 2, 2], 27_960)), &bytes(ip));
    }
    for n in 0..70_100 {
        story.send(SocketAddr::from((own(n), 27_960)), other, b"\xff\xff\xff\xffgetinfo xxx");
    }
    for ip in named {
        story.send(other, SocketAddr::from(([192, 0, 2, 2], 27_960)), &bytes(ip));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.pcap");
    fs::write(&file, story.file()).unwrap();
    for arguments in [&["--format", "pcapng"][..], &["--format", "ndjson", "-Y", "quake3.print"]] {
        let mut export = Command::new(BINARY);
        export.arg("export").arg(&file).args(arguments);
        let plain = export.output().unwrap().stdout;
        let output = export.args(["--redact", "--redact-key", "a key"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for ip in named {
            let ip = format!("connect {ip} now");
            let has = |bytes: &[u8]| memchr::memmem::find(bytes, ip.as_bytes()).is_some();
            assert!(has(&plain), "{arguments:?} says {ip} without --redact");
            assert!(!has(&output.stdout), "{arguments:?} says {ip}");
        }
    }
}
