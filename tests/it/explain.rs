//! Why a server is not listed: each step at which a registration can fail, with captures of it.

use assert_cmd::Command;
use serde_json::Value;

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
