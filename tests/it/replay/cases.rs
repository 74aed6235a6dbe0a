//! Recordings made for one rule of the comparison each.

use super::*;

/// The id of an entry, its verdict, and its text.
type Expected = (&'static str, &'static str, &'static str);

/// A recording, a defect of the target, the status, and the expected entries.
type Tried = (&'static str, fn() -> Story, Option<&'static str>, i32, &'static [Expected]);

const WITH_ANOTHER: &str = "it was registered with another master in the recording";

static RECORDINGS: &[Tried] = &[
    (
        "restarted",
        recordings::restarted,
        None,
        0,
        &[
            (
                "quake3/getservers/extra",
                "skipped",
                "not compared: the recorded master was restarted",
            ),
            ("quake3/getservers", "pass", "1 answered as recorded, 2 not completely compared"),
            ("replay/restart", "info", "had lost its servers between frames 7 and 9"),
        ],
    ),
    (
        "restarted",
        recordings::restarted,
        Some("no-end-mark"),
        1,
        &[("quake3/getservers/end", "fail", "does not say that it is complete")],
    ),
    (
        "down for a while",
        recordings::down_for_a_while,
        None,
        0,
        &[
            (
                "quake3/getservers/extra",
                "skipped",
                "not compared: the recorded master was restarted",
            ),
            ("replay/restart", "info", "203.0.113.1:27950 was unreachable (frame 5)"),
        ],
    ),
    // Without a sign of a restart, a server that is listed only in the run is a difference.
    (
        "left out",
        recordings::left_out,
        Some("ignores-protocol"),
        1,
        &[("quake3/getservers/extra", "fail", "192.0.2.10:27960 is listed")],
    ),
    // The last record of a list in parts is the next cursor, or the server to continue after.
    (
        "a cursor with a port",
        || recordings::pieces(b"e\0\0\0", b"\x02\0\0\x01\x02\x01"),
        None,
        0,
        &[("half-life/get-servers", "pass", "1 answered as recorded")],
    ),
    (
        "a server to go on behind",
        || recordings::pieces(b"1\xff0.0.0.0:0\0\0", b"\xc0\0\x02\x10\x69\x87"),
        None,
        0,
        &[("half-life/get-region/missing", "info", "192.0.2.16:27015 is not listed")],
    ),
    (
        "zeros within a list",
        recordings::zeros,
        None,
        0,
        &[("quake3/getservers", "pass", "1 answered as recorded")],
    ),
    ("left out", recordings::left_out, None, 0, &[("quake3/getservers", "pass", "2 answered")]),
    (
        "cut in the list",
        || recordings::cut(200),
        None,
        0,
        &[
            ("quake3/getservers", "skipped", "1 not completely compared"),
            ("quake3/getservers/extra", "skipped", "not compared: the recording was cut"),
            ("quake3/getservers/end", "skipped", "not compared: the recording was cut"),
        ],
    ),
    (
        "cut in the list",
        || recordings::cut(200),
        Some("doubled-entries"),
        1,
        &[("quake3/getservers/doubled", "fail", "is listed 2 times")],
    ),
    (
        "cut in what servers answered",
        || recordings::cut(100),
        None,
        0,
        &[
            ("quake3/getservers/missing", "skipped", "its messages to the master are cut"),
            ("replay/answers", "info", "composed"),
        ],
    ),
    // The capture has only a part of requests and of heartbeats.
    (
        "cut in what was asked",
        || recordings::cut(46),
        None,
        3,
        &[("replay/cut", "info", "of which the capture has only a part are not replayed")],
    ),
    (
        "two connections at once",
        || recordings::connections(true),
        None,
        0,
        &[("gamespy/list-request", "pass", "2 answered as recorded")],
    ),
    (
        "two connections from one port",
        || recordings::connections(false),
        None,
        0,
        &[("gamespy/list-request", "pass", "2 answered as recorded")],
    ),
    (
        "two connections at once",
        || recordings::connections(true),
        Some("no-final"),
        1,
        &[("gamespy/list-request/missing", "fail", "did not come")],
    ),
    (
        "a challenge above 2147483647",
        || recordings::half_life("4294967295"),
        None,
        0,
        &[("half-life/get-servers", "pass", "1 answered as recorded")],
    ),
    (
        "a challenge with a sign",
        || recordings::half_life("-1"),
        None,
        0,
        &[("half-life/get-servers", "pass", "1 answered as recorded")],
    ),
];

/// Recordings of masters at one address, and at several: each has its own servers.
static MASTERS: &[Tried] = &[
    (
        "two masters",
        || recordings::listed_by_one_of_two("203.0.113.2:27950"),
        None,
        0,
        &[("quake3/getservers/extra", "info", WITH_ANOTHER)],
    ),
    (
        "two masters at one address",
        || recordings::listed_by_one_of_two("203.0.113.1:27955"),
        None,
        0,
        &[("quake3/getservers/extra", "info", WITH_ANOTHER)],
    ),
    (
        "left out by one of two masters",
        || recordings::left_out_by_one_of_two("203.0.113.1:27955"),
        None,
        0,
        &[("quake3/getservers/extra", "info", "is at fault: registration.unlisted")],
    ),
    // A closed port of an address says nothing about the master at another one.
    (
        "beside a dead master",
        recordings::beside_a_dead_master,
        Some("ignores-protocol"),
        1,
        &[("quake3/getservers/extra", "fail", "192.0.2.10:27960 is listed")],
    ),
    ("beside a dead master", recordings::beside_a_dead_master, None, 0, &[]),
];

#[test]
fn a_recording_is_a_measure_where_it_is_one() {
    on_documented_ports(|| {
        tries(RECORDINGS, "");
    });
}

#[test]
fn every_recorded_master_knows_its_own_servers() {
    on_documented_ports(|| {
        tries(MASTERS, ":27950");
    });
}

/// Replays recordings to a reference master: to the recorded ports, or to the given one.
fn tries(recordings: &[Tried], port: &str) {
    side_by_side(recordings, AT_ONCE, |(name, story, defect, expected, parts)| {
        let (_folder, file) = recording(&story());
        let defects: Vec<_> = defect.iter().map(|name| Defect::named(name).unwrap()).collect();
        let (_running, target) = master(&defects);
        let target = target + port;
        let (status, entries) = quick(&file, &["--target", &target]);
        assert_eq!(status, Some(*expected), "{name} {defect:?}: {entries:#?}");
        for part in *parts {
            assert!(says(&entries, part), "{name} {defect:?}: {part:?} is not in {entries:#?}");
        }
    });
}

#[test]
fn rounds_of_connections_are_all_compared() {
    let (_folder, file) = recording(&recordings::connections(false));
    let (status, entries) = quick(&file, &["--loop", "2"]);
    assert_eq!(status, Some(0), "{entries:#?}");
    assert!(says(&entries, &("gamespy/list-request", "pass", "4 answered")), "{entries:#?}");
}
