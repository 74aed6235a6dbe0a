//! Why a server is not listed: each step at which a registration can fail, with captures of it.

use std::fs;
use std::net::SocketAddr;

use assert_cmd::Command;
use serde_json::Value;

use crate::story::{Format, Link, Story};

/// The output of `explain` for a server, and its status.
fn explain(capture: &str, server: &str) -> (String, Option<i32>) {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let path = format!("captures/{capture}.pcapng");
    let output = command.args(["explain", &path, "--server", server]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{capture}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn the_step_that_failed_is_named() {
    for (capture, server, says, status) in [
        ("tour", "192.0.2.10", "it is listed\n", 0),
        ("tour", "192.0.2.10:27960", "the server announced its shutdown in frame 34", 0),
        ("tour", "192.0.2.11", "unseen  heartbeat", 0),
        ("tour", "192.0.2.10:1", "the capture has 192.0.2.10:27960", 1),
        ("tour", "192.0.2.99", "no heartbeat of 192.0.2.99 was captured", 1),
        ("quake3/dead-master", "192.0.2.10", "it failed at the heartbeat", 1),
        ("quake3/documented", "192.0.2.1", "the capture ends before the master could ask back", 0),
        ("cases/heartbeats-close-unanswered", "192.0.2", "it failed at the challenge", 1),
        ("tour", "example", "no server matches \"example\"; the capture has 192.0.2.10:27960", 1),
        ("tour", "192.0.2", "6 servers match \"192.0.2\"", 0),
        ("tour", "longest YARD", "\"The Longest Yard\" (Quake III Arena)", 0),
        ("tour", "^1Longest", "it is listed", 0),
        (
            "cases/shutdown-two-masters",
            "192.0.2",
            "the server announced its shutdown in frame 14",
            0,
        ),
        ("cases/heartbeats-close", "192.0.2", "2 heartbeats to 203.0.113.1:27950", 0),
        ("findings/challenge.changed", "192.0.2.15", "it failed at the proof", 1),
        ("findings/challenge.missing", "192.0.2.10", "it failed at the proof", 1),
        ("findings/info.key-missing", "192.0.2.10", "it failed at the contents", 1),
    ] {
        let (text, code) = explain(capture, server);
        assert!(text.contains(says), "{capture}, {server}:\n{text}");
        assert_eq!(code, Some(status), "{capture}, {server}:\n{text}");
    }
}

/// A filter selects registrations; whether one is good is judged by all messages.
#[test]
fn a_filter_selects_registrations_and_hides_no_message() {
    for (filter, says, status) in [
        ("quake3.heartbeat", "it is listed\n", 0),
        ("quake3.getservers", "the filter matches no message of a registration of 192.0.2.10", 1),
        ("udp.port == 27952", "the filter matches no message of a registration of 192.0.2.10", 1),
    ] {
        let mut command = Command::cargo_bin("fragshark").unwrap();
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let arguments = ["explain", "captures/tour.pcapng", "--server", "192.0.2.10", "-Y", filter];
        let output = command.args(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(says), "{filter}:\n{text}");
        assert_eq!(output.status.code(), Some(status), "{filter}:\n{text}");
    }
}

#[test]
fn a_registration_is_explained_step_by_step() {
    insta::assert_snapshot!(explain("tour", "192.0.2.10").0);
}

/// Server, master, and the states of the steps: heartbeat, challenge, answer, proof, contents,
/// listing.
type Registration = (&'static str, &'static str, &'static str);

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn each_master_has_steps_of_its_own() {
    const SERVER: &str = "192.0.2.10:27960";
    const ONE: &str = "203.0.113.1:27950";
    const TWO: &str = "203.0.113.2:27950";
    const THREE: &str = "203.0.113.3:27950";
    const NEXT_DOOR: &str = "203.0.113.1:27955";
    let all = "ok ok ok ok ok ok";
    let dead = "failed unseen unseen unseen unseen unseen";
    let silent = "ok failed unseen unseen unseen unseen";
    let cases: &[(&str, &[Registration])] = &[
        ("two-masters", &[(SERVER, ONE, all), (SERVER, TWO, all)]),
        ("two-masters-one-address", &[(SERVER, ONE, all), (SERVER, NEXT_DOOR, all)]),
        (
            "two-masters-two-families",
            &[
                (SERVER, ONE, "ok failed unseen unseen unseen unseen"),
                ("[2001:db8::10]:27960", "[2001:db8::1]:27950", "ok ok ok ok ok unseen"),
            ],
        ),
        ("master-asks-from-another-port", &[(SERVER, ONE, all), (SERVER, NEXT_DOOR, dead)]),
        (
            "challenge-to-another-master",
            &[
                (SERVER, ONE, "ok ok failed unseen unseen unseen"),
                (SERVER, TWO, "ok ok ok failed ok unseen"),
                (SERVER, THREE, "ok failed unseen unseen unseen unseen"),
            ],
        ),
        (
            "two-masters-half-life",
            &[
                ("192.0.2.15:27015", "203.0.113.15:27010", "ok ok ok ok ok unseen"),
                ("192.0.2.15:27015", "203.0.113.16:27010", "ok ok ok ok ok unseen"),
            ],
        ),
        (
            "two-masters-quake2",
            &[
                ("192.0.2.10:27910", "203.0.113.7:27900", "ok ok"),
                ("192.0.2.10:27910", "203.0.113.8:27900", "failed unseen"),
            ],
        ),
        (
            "three-masters-doom3",
            &[
                ("192.0.2.10:27666", "203.0.113.15:27650", "ok ok ok ok ok unseen"),
                ("192.0.2.10:27666", "203.0.113.15:27651", silent),
                ("192.0.2.10:27666", "203.0.113.16:27650", dead),
            ],
        ),
        (
            "three-masters-quakeworld",
            &[
                ("192.0.2.9:27500", "203.0.113.15:27000", "ok unseen"),
                ("192.0.2.9:27500", "203.0.113.15:27001", "ok unseen"),
                ("192.0.2.9:27500", "203.0.113.16:27000", "failed unseen"),
            ],
        ),
        (
            "three-masters-gamespy",
            &[
                ("192.0.2.11:7778", "203.0.113.15:27900", "ok ok ok ok ok unseen"),
                ("192.0.2.11:7778", "203.0.113.15:27901", silent),
                ("192.0.2.11:7778", "203.0.113.16:27900", dead),
            ],
        ),
        (
            "three-masters-half-life",
            &[
                ("192.0.2.15:27015", "203.0.113.15:27010", "ok ok ok ok ok unseen"),
                ("192.0.2.15:27015", "203.0.113.15:27011", silent),
                ("192.0.2.15:27015", "203.0.113.16:27010", dead),
            ],
        ),
        ("master-unreachable-behind-tags", &[(SERVER, ONE, dead)]),
        ("lists-from-another-port", &[("192.0.2.11:7778", "203.0.113.11:27900", all)]),
        ("heartbeats-close", &[(SERVER, ONE, all)]),
        ("heartbeats-close-unanswered", &[(SERVER, ONE, "ok failed unseen unseen unseen unseen")]),
        ("heartbeats-to-a-dead-master", &[(SERVER, ONE, dead)]),
        ("shutdown-two-masters", &[(SERVER, ONE, all), (SERVER, TWO, all)]),
        ("shutdown-cut", &[(SERVER, ONE, all), (SERVER, TWO, all)]),
        ("lists-of-other-games", &[(SERVER, ONE, "ok ok ok ok ok unseen")]),
        ("not-listed", &[(SERVER, ONE, "ok ok ok ok ok failed")]),
    ];
    let mut wrong = Vec::new();
    for (capture, expected) in cases {
        let registrations = json(capture);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let states = |registration: &Value| {
            let steps = registration["steps"].as_array().unwrap().iter();
            steps.map(|step| text(&step["state"])).collect::<Vec<_>>().join(" ")
        };
        let row = |r: &Value| (text(&r["server"]), text(&r["master"]), states(r));
        let is: Vec<_> = registrations.iter().map(row).collect();
        let own =
            |(s, m, states): &Registration| (s.to_string(), m.to_string(), states.to_string());
        if is != expected.iter().map(own).collect::<Vec<_>>() {
            wrong.push(format!(
                "{capture}: {}",
                serde_json::to_string_pretty(&registrations).unwrap()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_was_seen_stands_beside_each_step() {
    for (capture, at, key, value) in [
        ("heartbeats-to-a-dead-master", 0, "/heartbeats", Value::from(4)),
        ("heartbeats-to-a-dead-master", 0, "/errors", 4.into()),
        ("heartbeats-to-a-dead-master", 0, "/error", "port unreachable".into()),
        ("heartbeats-to-a-dead-master", 0, "/left", Value::Null),
        ("heartbeats-close-unanswered", 0, "/unanswered", 2.into()),
        ("heartbeats-close-unanswered", 0, "/left", Value::Null),
        ("shutdown-two-masters", 0, "/left/by", "message".into()),
        ("shutdown-cut", 0, "/left", Value::Null),
        (
            "challenge-to-another-master",
            0,
            "/steps/2/text",
            "the server sent its answer to another master, 203.0.113.2:27950".into(),
        ),
        (
            "challenge-to-another-master",
            1,
            "/steps/3/text",
            "the answer brings back the challenge of another master, 203.0.113.1:27950".into(),
        ),
        ("not-listed", 0, "/failed", "listing".into()),
        ("two-masters", 0, "/plain_name", "The Longest Yard".into()),
    ] {
        let registrations = json(capture);
        assert_eq!(
            registrations[at].pointer(key),
            Some(&value),
            "{capture} {at} {key}: {registrations:#?}"
        );
    }
}

/// The output of `explain --format json` for all servers of a capture.
fn json(capture: &str) -> Vec<Value> {
    let path = format!("captures/cases/{capture}.pcapng");
    let of = |server: &str| -> Vec<Value> {
        let mut command = Command::cargo_bin("fragshark").unwrap();
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        command.args(["explain", &path, "--server", server, "--format", "json"]);
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
    };
    [of("192.0.2"), of("2001:db8")].concat()
}

#[test]
fn an_empty_name_is_refused() {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.args(["explain", "captures/tour.pcapng", "--server", " "]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}

/// A master that sends lists with another server, to so many clients; after the given one of them a
/// server registers.
fn lists(count: u32, registered_after: u32, server: &str, kinds: u32) -> Vec<u8> {
    let end = |text: &str| text.parse::<SocketAddr>().unwrap();
    let (server, master) = (end(server), end("203.0.113.1:27950"));
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, 1_070_308_800);
    for n in 0..count {
        if n == registered_after {
            story.after(1_000).send(server, master, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n");
            story.after(1_000).send(master, server, b"\xff\xff\xff\xffgetinfo abc");
            story.after(1_000).send(
                server,
                master,
                b"\xff\xff\xff\xffinfoResponse\n\\challenge\\abc\\protocol\\68\\hostname\\Home\
                  \\mapname\\q3dm17\\clients\\1\\sv_maxclients\\16",
            );
        }
        let client = end(&format!("198.51.100.1:{}", 10_000 + n));
        let protocol = if kinds == 1 { 68 } else { 1_000 + n % kinds };
        let request = format!("getservers {protocol} full empty");
        let request = [b"\xff\xff\xff\xff", request.as_bytes()].concat();
        story.after(500_000).send(client, master, &request);
        story.after(1_000).send(
            master,
            client,
            b"\xff\xff\xff\xffgetserversResponse\\\xc0\x00\x02\x4d\x6d\x38\\EOT\0\0\0",
        );
    }
    story.file()
}

/// The line of the step `listing`.
fn listing(capture: &[u8], server: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lists.pcapng");
    fs::write(&file, capture).unwrap();
    let mut command = Command::cargo_bin("fragshark").unwrap();
    let output = command.args(["explain", "--server", server]).arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find(|line| line.contains("listing"));
    line.unwrap_or(&text).trim().to_owned()
}

/// However many lists a master sends, and whenever a server registers, those of its own time count:
/// at the bound of a kind of lists, one before it and one beyond it.
#[test]
fn a_bound_of_lists_is_no_fact() {
    let server = "192.0.2.10:27960";
    for (count, registered_after) in
        [(255, 200), (256, 200), (257, 200), (300, 290), (1_100, 3), (1_100, 1_090)]
    {
        let line = listing(&lists(count, registered_after, server, 1), server);
        assert!(line.starts_with("FAILED  listing"), "{count}, {registered_after}: {line}");
        let is_sampled = line.contains(" or more after that");
        assert_eq!(is_sampled, count > 256, "{count}, {registered_after}: {line}");
    }
    // Lists of too many kinds are only counted, and nothing follows from them.
    let line = listing(&lists(65, 64, server, 65), server);
    assert!(line.contains("not judged: this master sent more lists than are kept"), "{line}");
    let line = listing(&lists(64, 63, server, 64), server);
    assert!(line.contains("it asks for protocol 1063, the server speaks 68"), "{line}");
}

#[test]
fn a_private_server_is_judged_by_the_lists_of_its_own_network_alone() {
    let server = "192.168.0.10:27960";
    let line = listing(&lists(4, 1, server, 1), server);
    assert!(line.starts_with("unseen  listing    not judged: 192.168.0.10 is a private"), "{line}");
}

#[test]
fn without_a_server_all_registrations_are_shown_and_those_that_failed_come_first() {
    let explain_all = |capture: &str| {
        let mut command = Command::cargo_bin("fragshark").unwrap();
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let path = format!("captures/{capture}.pcapng");
        let output = command.args(["explain", &path]).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let (text, status) = explain_all("tour");
    assert_eq!((text.lines().count(), status), (6, Some(0)), "{text}");
    assert!(text.lines().all(|line| line.ends_with(": it is listed")), "{text}");

    let (text, status) = explain_all("cases/three-masters-doom3");
    assert_eq!(status, Some(1), "{text}");
    let blocks: Vec<_> = text.split("\n\n").collect();
    assert_eq!(blocks.len(), 3, "{text}");
    assert!(blocks[0].ends_with("it failed at the challenge"), "{text}");
    assert!(blocks[1].ends_with("it failed at the heartbeat"), "{text}");
    assert!(blocks[2].ends_with("no step failed in the captured part\n"), "{text}");

    let (text, status) = explain_all("a2s/queries");
    assert_eq!((text.lines().count(), status), (1, Some(1)), "{text}");
}
