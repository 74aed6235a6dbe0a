//! Replays of the captures of the project: to the reference master, and to masters with defects.

use super::*;

#[test]
fn the_tour_plays_as_it_stands() {
    let (status, out, err) = outcome(&run(&capture("tour.pcapng"), &[]));
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    for part in [
        "pass     quake3/heartbeat",
        "as recorded: motd=Welcome to the arena",
        "pauses shortened, by 5m54s in all",
        "8 messages of",
        "the reference master lists",
    ] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn every_capture_plays_and_nothing_differs_unexpectedly() {
    // Most of these recordings cannot be reproduced by a master: they are truncated, broken, or by
    // a master that refused. Teeworlds 0.7 needs tokens of the target's own, which a recording has
    // not.
    let is_no_measure = |file: &Path| {
        let cases = [
            "findings/registration.refused",
            "findings/message.faulty",
            "findings/message.nonstandard",
            "cases/challenge-cut-off",
            "teeworlds/version-7",
        ];
        cases.iter().any(|case| file.ends_with(format!("{case}.pcapng")))
    };
    let wrong = Mutex::new(Vec::new());
    side_by_side(&golden::captures(), AT_ONCE, |file| {
        let (status, entries) = quick(file, &[]);
        let due = if is_no_measure(file) { 3 } else { 0 };
        if status != Some(due) || !failed(&entries).is_empty() || entries.is_empty() {
            let what = format!("{}: {status:?} {entries:#?}", file.display());
            wrong.lock().unwrap().push(what);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A capture in which a server registers, the service, and the request for its list.
static REGISTRATIONS: &[(&str, &str, &[u8])] = &[
    (
        "findings/challenge.forbidden.healthy.pcapng",
        "quake3",
        b"\xff\xff\xff\xffgetservers 68 empty full",
    ),
    (
        "findings/challenge.missing.healthy.pcapng",
        "quake3",
        b"\xff\xff\xff\xffgetservers 84 empty full",
    ),
    (
        "findings/info.key-missing.healthy.pcapng",
        "quake3",
        b"\xff\xff\xff\xffgetservers Xonotic 3 empty full",
    ),
    (
        "findings/heartbeat.frequent.healthy.pcapng",
        "elite-force",
        b"\xff\xff\xff\xffgetservers 68 empty full",
    ),
    ("findings/heartbeat.rare.healthy.pcapng", "quake2", b"query\n\0"),
    ("findings/challenge.changed.healthy.pcapng", "half-life", b"e\0\0\0"),
    ("findings/list.port-swapped.healthy.pcapng", "doom3", b"\xff\xffgetServers\0\x21\0\x01\0\0\0"),
];

/// The port of the first sender in a capture: the server that registers.
fn recorded_port(name: &str) -> u16 {
    let mut pipeline = Pipeline::open(vec![Input::File(capture(name))], Vec::new()).unwrap();
    let first = pipeline.messages(|message| ControlFlow::Break(message.header.source.port()));
    first.unwrap().unwrap()
}

#[test]
fn recorded_servers_end_up_listed() {
    on_documented_ports(|| {
        for (name, service, request) in REGISTRATIONS {
            let (running, target) = master(&[]);
            let (status, entries) = quick(&capture(name), &["--target", &target]);
            assert_eq!(status, Some(0), "{name}: {entries:#?}");
            let at = running.address(masters::families::service(service).unwrap()).unwrap();
            let client = UdpSocket::bind((target.parse::<IpAddr>().unwrap(), 0)).unwrap();
            client.set_read_timeout(Some(process::PATIENCE)).unwrap();
            client.send_to(request, at).unwrap();
            let mut list = [0; 2000];
            let length = client.recv(&mut list).unwrap();
            // The one server of the recording, at its recorded port: as bytes or as hex digits.
            let list = &list[..length];
            let port = recorded_port(name);
            let is_entry = |entry: &[u8]| {
                entry[0] == 127
                    && [port.to_be_bytes(), port.to_le_bytes()].contains(&[entry[4], entry[5]])
            };
            let hex = format!("{port:04x}");
            let is_hex = |entry: &[u8]| entry.starts_with(b"7f") && entry.ends_with(hex.as_bytes());
            let entries = list.windows(6).filter(|six| is_entry(six)).count()
                + list.windows(12).filter(|twelve| is_hex(twelve)).count();
            assert_eq!(entries, 1, "{name}: {}", list.escape_ascii());
            running.stopper().stop();
            assert_eq!(running.join().servers, 1, "{name}");
        }
    });
}

/// A capture, a defect that its recorded responses can show, and the reported difference.
static SHOWN: &[(&str, &str, &str)] = &[
    ("findings/list.end-missing.healthy.pcapng", "no-end-mark", "quake3/getservers/end"),
    ("findings/list.port-swapped.healthy.pcapng", "swapped-port", "doom3/get-servers/missing"),
    ("findings/list.port-swapped.healthy.pcapng", "doubled-entries", "doom3/get-servers/doubled"),
    ("findings/list.port-zero.healthy.pcapng", "no-final", "gamespy/list-request/missing"),
    (
        "findings/challenge.repeated.healthy.pcapng",
        "constant-challenge",
        "findings/challenge.repeated",
    ),
    (
        "findings/challenge.forbidden.healthy.pcapng",
        "forbidden-characters",
        "findings/challenge.forbidden",
    ),
    ("findings/heartbeat.rare.healthy.pcapng", "crashes-on-long-key", ""),
    ("tour.pcapng", "other-port", "findings/answer.other-port"),
    ("tour.pcapng", "wrong-motd-challenge", "quake3/getmotd/challenge"),
    ("rtcw/documented.pcap", "accepts-any-key", "quake3/get-ip-authorize/verdict"),
    ("hexenworld/session.pcap", "four-bytes-mark", "quakeworld/get-servers/header"),
    ("hexenworld/session.pcap", "never-acknowledges", "quakeworld/server-ping/missing"),
    ("quakeworld/documented.pcap", "never-acknowledges", "quakeworld/server-ping/missing"),
    ("quake2/documented.pcap", "never-acknowledges", "quake2/ping/missing"),
    ("doom3/documented.pcapng", "old-versions-are-new", "doom3/version-check/missing"),
];

#[test]
fn broken_masters_differ_from_correct_ones() {
    on_documented_ports(|| {
        side_by_side(SHOWN, AT_ONCE, |(name, defect, id)| {
            let defect =
                Defect::named(defect).unwrap_or_else(|| panic!("{defect} is none of {DEFECTS:?}"));
            let (_running, target) = master(&[defect]);
            let (status, entries) = quick(&capture(name), &["--target", &target]);
            let failed = failed(&entries);
            let is_shown = if id.is_empty() { failed.is_empty() } else { failed.contains(id) };
            assert!(is_shown, "{name} {}: {failed:?} {entries:#?}", defect.name());
            assert_eq!(status, Some(i32::from(!id.is_empty())), "{name} {}", defect.name());
        });
    });
}

#[test]
fn a_port_that_was_named_does_not_hide_another() {
    on_documented_ports(|| {
        let file = capture("findings/list.end-missing.healthy.pcapng");
        for (defects, id) in
            [(&[][..], None), (&[Defect::OtherPort], Some("findings/answer.other-port"))]
        {
            let (_running, target) = master(defects);
            let target = format!("{target}:27950");
            let (status, entries) = quick(&file, &["--target", &target]);
            let failed = failed(&entries);
            assert_eq!(status, Some(i32::from(id.is_some())), "{failed:?} {entries:#?}");
            assert!(id.is_none_or(|id| failed.contains(&id)), "{failed:?} {entries:#?}");
            assert!(entries.iter().any(|entry| entry["id"] == "quake3/getservers"), "{entries:#?}");
        }
    });
}

#[test]
fn fields_can_be_left_out() {
    on_documented_ports(|| {
        let (_running, target) = master(&[Defect::WrongMotdChallenge]);
        let file = capture("tour.pcapng");
        let arguments = ["--target", &target, "-Y", "quake3.getmotd", "--ignore", "challenge"];
        let (status, entries) = quick(&file, &[&arguments[..], &["--ignore", "chalenge"]].concat());
        assert_eq!(status, Some(0), "{entries:#?}");
        let idle = entries.iter().filter(|e| e["id"] == "replay/ignore").collect::<Vec<_>>();
        assert_eq!(idle.len(), 1, "{entries:#?}");
        assert!(idle[0].to_string().contains("--ignore chalenge"), "{idle:#?}");
        assert_eq!(
            entries.iter().filter(|e| e["id"] == "quake3/getmotd").count(),
            1,
            "{entries:#?}"
        );
        assert!(!entries.iter().any(|e| e["id"] == "quake3/heartbeat"), "{entries:#?}");
    });
}

#[test]
fn roles_are_played_alone() {
    for (role, played, other) in [
        ("server", "quake3/heartbeat", "quake3/getservers"),
        ("client", "quake3/getservers", "quake3/heartbeat"),
    ] {
        let (status, entries) = quick(&capture("tour.pcapng"), &["--role", role]);
        let has = |id: &str| entries.iter().any(|entry| entry["id"] == id);
        assert_eq!((status, has(played), has(other)), (Some(0), true, false), "{role}");
    }
}

#[test]
fn rounds_are_played_again() {
    let file = capture("findings/list.port-swapped.healthy.pcapng");
    let (status, entries) = quick(&file, &["--loop", "20"]);
    assert_eq!(status, Some(0), "{entries:#?}");
    let pacing = entries.iter().find(|entry| entry["id"] == "replay/pacing").unwrap();
    assert_eq!((&pacing["messages"], &pacing["answers"]), (&40.into(), &20.into()), "{pacing}");
}

#[test]
fn a_run_is_kept_with_both_sides_marked() {
    on_documented_ports(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run.pcapng");
        let name = file.display().to_string();
        let (_running, target) = master(&[]);
        let (status, entries) =
            quick(&capture("tour.pcapng"), &["--target", &target, "--record", &name]);
        assert_eq!(status, Some(0), "{entries:#?}");
        let bytes = fs::read(&file).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        for comment in [
            "replay: sends frame 1 as 192.0.2.10:27960",
            "replay: answers as 192.0.2.10:27960",
            "target: sends",
        ] {
            assert!(holds(comment), "{comment}");
        }
        // The interface shows them with the messages.
        let (mut session, mut loader) =
            Session::open(&[Input::File(file.clone())], Vec::new()).unwrap();
        while loader.load(&mut session, 64) {}
        let beside = |frame| session.comment(frame).unwrap_or_default();
        assert_eq!(beside(1), "replay: sends frame 1 as 192.0.2.10:27960");
        assert_eq!(beside(2), "target: sends");
        let decoded =
            Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("decode").arg(&file).output();
        let decoded = String::from_utf8(decoded.unwrap().stdout).unwrap();
        for word in ["heartbeat", "getinfo", "infoResponse", "getserversResponse", "motd", &target]
        {
            assert!(decoded.contains(word), "{word}: {decoded}");
        }
        let (status, _, complaint) = outcome(&run(&file, &["--record", &name]));
        assert_eq!(status, Some(2), "{complaint}");
        assert!(complaint.contains("is an input file; choose another name"), "{complaint}");
        // The recording of a run is a capture like any other.
        let (status, entries) = quick(&file, &[]);
        assert_eq!(status, Some(0), "{entries:#?}");
    });
}

#[test]
fn reports_have_three_forms() {
    on_documented_ports(|| {
        let file = capture("findings/list.end-missing.healthy.pcapng");
        let (_running, target) = master(&[Defect::NoEndMark]);
        let arguments = ["--target", &target, "--asap"];
        let (status, text, _) = outcome(&run(&file, &arguments));
        assert_eq!(status, Some(1));
        assert!(text.contains("fail     quake3/getservers/end"), "{text}");
        let (status, xml, _) =
            outcome(&run(&file, &[&arguments[..], &["--format", "junit"]].concat()));
        assert_eq!(status, Some(1));
        assert!(xml.contains("<testsuite name=\"fragshark replay\""), "{xml}");
        assert!(
            xml.contains("<failure") && xml.contains("does not say that it is complete"),
            "{xml}"
        );
    });
}
