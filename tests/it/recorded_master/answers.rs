//! What a recorded master answers, without sockets: datagrams in, datagrams out.

use std::net::SocketAddr;
use std::path::Path;

use fragshark::codec::{FieldRole, Node};
use fragshark::protocol::{Carrier, Direction, Reading};
use fragshark::protocols::registry;
use masters::{AnswerSize, DueReply, IncomingDatagram, RecordedAnswers as _};
use replay::{Pace, PlayEvent, PlayOptions, RecordedMaster, Spacing};

use super::{capture, list, master_of, story, transcript};

const CLIENT: &str = "127.0.0.1:40000";
const MASTER: &str = "203.0.113.1:27950";

/// What is sent for a datagram to a recorded endpoint: to where, and the bytes.
fn ask(master: &mut RecordedMaster, recorded: &str, payload: &[u8]) -> Vec<(SocketAddr, Vec<u8>)> {
    let from: SocketAddr = CLIENT.parse().unwrap();
    let (recorded, local) = (recorded.parse().unwrap(), from.ip());
    let incoming = IncomingDatagram { now: 0, recorded, local, from, payload };
    let size = master.take_datagram(&incoming);
    let due: Vec<DueReply> = std::iter::from_fn(|| master.pop_due(0)).collect();
    let bytes = due.iter().map(|reply| reply.bytes.len()).sum();
    assert_eq!(size, AnswerSize { datagrams: due.len(), bytes });
    due.into_iter().map(|reply| (reply.to, reply.bytes)).collect()
}

/// The bytes alone.
fn answers(master: &mut RecordedMaster, recorded: &str, payload: &[u8]) -> Vec<Vec<u8>> {
    ask(master, recorded, payload).into_iter().map(|(_, bytes)| bytes).collect()
}

/// The payload of a frame, to the endpoint of a master or from it.
fn payload(path: &Path, number: u64) -> Vec<u8> {
    let transcript = transcript(path);
    let mut requests = transcript.requests.iter();
    let request = requests.find(|r| r.number == number).map(|r| r.bytes.to_vec());
    let replies = || transcript.requests.iter().flat_map(|r| &r.replies);
    let reply = || replies().find(|r| r.number == number).map(|r| r.bytes.to_vec());
    request.or_else(reply).unwrap_or_else(|| panic!("{} {number}", path.display()))
}

fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|part| part == old);
    let at = at.unwrap_or_else(|| panic!("{} in {}", old.escape_ascii(), bytes.escape_ascii()));
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

fn getservers(words: &str) -> Vec<u8> {
    format!("\u{ff}\u{ff}\u{ff}\u{ff}getservers {words}").chars().map(|c| c as u8).collect()
}

#[test]
fn several_answers_are_given_in_turn_and_then_the_last_again() {
    let (first, second) = (list(&["192.0.2.1:27960"]), list(&["192.0.2.2:27960"]));
    let (client, ask_for) = ("198.51.100.1:27960", getservers("68 empty full"));
    let other = getservers("68");
    let file = story(&[
        (0, client, MASTER, &ask_for),
        (100, MASTER, client, &first),
        // An answer that was lost is not waited for.
        (60_000_000, client, MASTER, &ask_for),
        (60_000_000, client, MASTER, &ask_for),
        (100, MASTER, client, &second),
        (60_000_000, client, MASTER, &other),
    ]);
    let (mut master, events) = master_of(file.path(), &PlayOptions::default());
    for expected in [&first, &second, &second, &second] {
        assert_eq!(&answers(&mut master, MASTER, &ask_for), std::slice::from_ref(expected));
    }
    // The order of words is the program's.
    assert_eq!(answers(&mut master, MASTER, &getservers("68 full empty")), [second]);
    assert!(answers(&mut master, MASTER, &other).is_empty());
    let last = events.lock().unwrap().pop();
    let line = "getservers: the recorded master did not answer it either (frame 6)";
    assert_eq!(last, Some(PlayEvent::NotAnswered(format!("no answer to {CLIENT}: {line}"))));
}

#[test]
fn an_answer_repeats_the_values_of_its_own_request() {
    for (name, master, [request, reply], [old, new], [old_reply, new_reply]) in [
        (
            "tour.pcapng",
            "203.0.113.1:27951",
            [4, 5],
            [&b"14985"[..], b"77"],
            [&b"14985"[..], b"77"],
        ),
        (
            "tour.pcapng",
            "203.0.113.1:27952",
            [20, 21],
            [b"96116651", b"-12"],
            [b"96116651", b"-12"],
        ),
        (
            "doom3/documented.pcapng",
            "203.0.113.10:27650",
            [11, 13],
            [b"\xd9\xff\x81\x37", b"\x7f\0\0\x01"],
            [b"\xd9\xff\x81\x37", b"\x7f\0\0\x01"],
        ),
        // The tokens of Teeworlds 0.7.
        (
            "teeworlds/version-7.pcapng",
            "203.0.113.32:8283",
            [9, 10],
            [b"\xc1\x1e\0\x03", b"\x01\x02\x03\x04"],
            [b"\xc1\x1e\0\x03", b"\x01\x02\x03\x04"],
        ),
        (
            "teeworlds/version-7.pcapng",
            "203.0.113.32:8283",
            [13, 14],
            [b"\xc1\x1e\0\x03", b"\x01\x02\x03\x04"],
            [b"\xc1\x1e\0\x03", b"\x01\x02\x03\x04"],
        ),
        // Xash3D's key is in hex digits in the request.
        (
            "xash3d/session.pcapng",
            "203.0.113.20:27010",
            [4, 5],
            [b"deadbeef", b"1234abcd"],
            [b"\xef\xbe\xad\xde", b"\xcd\xab\x34\x12"],
        ),
    ] {
        let path = capture(name);
        let (mut of, _) = master_of(&path, &PlayOptions::default());
        let asked = replaced(&payload(&path, request), old, new);
        let expected = replaced(&payload(&path, reply), old_reply, new_reply);
        let answers = answers(&mut of, master, &asked);
        let answer = answers.first().unwrap_or_else(|| panic!("{name} {request}"));
        assert_eq!(
            answer.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{name}"
        );
    }
}

#[test]
fn a_server_goes_through_the_recorded_steps() {
    let path = capture("teeworlds/session.pcapng");
    let (mut master, _) = master_of(&path, &PlayOptions::default());
    let steps = [(1, "203.0.113.30:8300", vec![2]), (3, "203.0.113.30:8301", vec![4])];
    for (request, to, replies) in steps {
        let answers = answers(&mut master, to, &payload(&path, request));
        let replies: Vec<_> = replies.into_iter().map(|number| payload(&path, number)).collect();
        assert_eq!(answers, replies, "{request}");
    }
    // GameSpy's master answers to the port that the heartbeat names.
    let (server, beat) = ("192.0.2.1:1024", br"\heartbeat\7778\gamename\ut");
    let (master, asks) = ("203.0.113.5:27900", br"\basic\\secure\ABCDEF");
    let file = story(&[(0, server, master, beat), (100, master, "192.0.2.1:7778", asks)]);
    let (mut of, _) = master_of(file.path(), &PlayOptions::default());
    let beat = br"\heartbeat\7790\gamename\ut";
    assert_eq!(ask(&mut of, master, beat), [("127.0.0.1:7790".parse().unwrap(), asks.to_vec())]);
}

#[test]
fn what_is_not_answered_is_reported_in_one_line() {
    let tour = capture("tour.pcapng");
    let (mut master, events) = master_of(&tour, &PlayOptions::default());
    for (payload, line) in [
        (
            getservers("71 empty full"),
            "getservers: the nearest recorded one, frame 6, has protocol 68, and this one has protocol 71",
        ),
        (
            getservers("68 empty"),
            "getservers: the nearest recorded one, frame 6, also has keyword full",
        ),
        (
            getservers("68 empty full demo ctf"),
            "getservers: the nearest recorded one, frame 6, does not have keyword demo ctf",
        ),
        (
            getservers("\x1b]0;x 68"),
            r"getservers: the nearest recorded one, frame 6, has keyword empty full, and this one has gamename \x1b]0;x",
        ),
        (
            b"\xff\xff\xff\xffgetserversExt Xonotic 3 empty".to_vec(),
            "getserversExt: it was not recorded; recorded are getservers, heartbeat, infoResponse",
        ),
        (b"\x01\x1b[2J".to_vec(), r#"5 bytes that are no message: "\x01\x1b[2J""#),
        (Vec::new(), r#"0 bytes that are no message: """#),
    ] {
        assert!(answers(&mut master, MASTER, &payload).is_empty(), "{line}");
        let event = events.lock().unwrap().pop();
        let expected = PlayEvent::NotAnswered(format!("no answer to {CLIENT}: {line}"));
        assert_eq!(event, Some(expected));
    }
    // A long request makes no long line.
    assert!(answers(&mut master, MASTER, &getservers(&"word ".repeat(10_000))).is_empty());
    let Some(PlayEvent::NotAnswered(line)) = events.lock().unwrap().pop() else { panic!() };
    assert!(line.ends_with(", …") && line.len() < 1000, "{line}");
    // Nothing has to come back to a server's answer.
    let answer = b"\xff\xff\xff\xffinfoResponse\n\\challenge\\x\\protocol\\68";
    assert!(answers(&mut master, MASTER, answer).is_empty());
    let event = events.lock().unwrap().pop();
    assert!(matches!(event, Some(PlayEvent::Played(_))), "{event:?}");
}

#[test]
fn secrets_of_requests_are_masked() {
    let (client, master) = ("198.51.100.1:27960", "203.0.113.1:27010");
    let request = b"1\xff0.0.0.0:0\0\\gamedir\\valve\\password\\hunter2\0";
    let reply = b"\xff\xff\xff\xfff\n\xc0\0\x02\x07\x69\x87\0\0\0\0\0\0";
    let file = story(&[(0, client, master, request), (100, master, client, reply)]);
    let (mut of, events) = master_of(file.path(), &PlayOptions::default());
    assert_eq!(answers(&mut of, master, request), [reply.to_vec()]);
    assert!(answers(&mut of, master, &replaced(request, b"hunter2", b"s3same")).is_empty());
    let events = format!("{:?}", events.lock().unwrap());
    assert!(events.contains("password ********"), "{events}");
    assert!(!events.contains("hunter2") && !events.contains("s3same"), "{events}");
}

/// The servers in the packets of a list.
pub fn listed_servers(protocol: &str, carrier: Carrier, packets: &[Vec<u8>]) -> Vec<String> {
    let protocol = registry().protocol(protocol).unwrap();
    let mut reading = Reading::default();
    let (mut all, mut host) = (Vec::new(), None);
    for packet in packets {
        let entry =
            fragshark::protocols::recognise(protocol, carrier, packet, Direction::default())
                .unwrap();
        reading.walk(entry, packet);
        for span in reading.spans().all.iter().filter(|span| span.node == Node::Leaf) {
            let value = span.shape.value_of(reading.bytes(packet, span)).to_string();
            match span.field.role {
                FieldRole::Address => host = Some(value),
                FieldRole::Port => all.extend(host.take().map(|host| format!("{host}:{value}"))),
                _ => {}
            }
        }
    }
    all
}

#[test]
fn addresses_in_lists_are_mapped() {
    let options = |mappings: &[&str], others: &[&str]| PlayOptions {
        mappings: mappings.iter().map(|mapping| mapping.parse().unwrap()).collect(),
        others: others.iter().map(|other| other.parse().unwrap()).collect(),
        ..PlayOptions::default()
    };
    let tour = capture("tour.pcapng");
    let request = getservers("68 empty full");
    let recorded = [
        "192.0.2.10:27960",
        "192.0.2.11:27960",
        "192.0.2.12:27961",
        "192.0.2.92:23644",
        "192.0.2.13:27960",
        "192.0.2.14:27962",
    ];
    for (mappings, others, changed) in [
        (&[][..], &[][..], recorded),
        (
            &["192.0.2.10=127.0.0.1", "192.0.2.12:27961=127.0.0.9", "192.0.2.14:27962=127.0.0.8:5"],
            &[],
            [
                "127.0.0.1:27960",
                "192.0.2.11:27960",
                "127.0.0.9:27961",
                "192.0.2.92:23644",
                "192.0.2.13:27960",
                "127.0.0.8:5",
            ],
        ),
        (
            &["192.0.2.10=10.0.0.1"],
            &["127.0.0.0/8", "::1"],
            [
                "10.0.0.1:27960",
                "127.0.2.11:27960",
                "127.0.2.12:27961",
                "127.0.2.92:23644",
                "127.0.2.13:27960",
                "127.0.2.14:27962",
            ],
        ),
        // A record of six bytes cannot hold an address of the other family.
        (&["192.0.2.10=::1"], &[], recorded),
    ] {
        let (mut master, _) = master_of(&tour, &options(mappings, others));
        let packets = answers(&mut master, MASTER, &request);
        assert_eq!(
            (packets.len(), listed_servers("quake3", Carrier::Datagram, &packets)),
            (2, changed.map(str::to_owned).to_vec())
        );
    }
    // Hex digits, records of 18 bytes, and text.
    for (name, master, protocol, request, first) in [
        ("elite-force/documented.pcapng", "203.0.113.6:27953", "quake3", 1, "127.215.130.28:27963"),
        ("teeworlds/session.pcapng", "203.0.113.30:8300", "teeworlds", 11, "127.0.2.30:8303"),
        ("doom3/documented.pcapng", "203.0.113.10:27650", "doom3", 1, "127.27.66.221:27666"),
    ] {
        let path = capture(name);
        let (mut of, _) = master_of(&path, &options(&[], &["127.0.0.0/8"]));
        let listed = listed_servers(
            protocol,
            Carrier::Datagram,
            &answers(&mut of, master, &payload(&path, request)),
        );
        assert_eq!(listed.first().map(String::as_str), Some(first), "{name}: {listed:?}");
        let loopback = |server: &String| server.starts_with("127.");
        assert!(listed.iter().all(loopback), "{name}: {listed:?}");
    }
}

#[test]
fn a_list_continues_behind_a_mapped_address() {
    let path = capture("source/steam-master.pcapng");
    let master = "203.0.113.67:27011";
    let options =
        PlayOptions { others: vec!["127.0.0.0/8".parse().unwrap()], ..PlayOptions::default() };
    let (mut of, events) = master_of(&path, &options);
    let (first, second) = (payload(&path, 1), payload(&path, 3));
    assert_eq!(answers(&mut of, master, &first).len(), 1, "0.0.0.0:0 stays");
    let mapped = replaced(&second, b"198.51.100.92:27016", b"127.51.100.92:27016");
    assert_eq!(answers(&mut of, master, &mapped).len(), 1);
    assert!(answers(&mut of, master, &second).is_empty(), "it was not told this address");
    let line = format!("{:?}", events.lock().unwrap().last());
    assert!(line.contains("this one has from 198.51.100.92:27016"), "{line}");
}

#[test]
fn recorded_delays_are_kept_if_asked_for() {
    let (client, request, reply) = ("198.51.100.1:27960", getservers("68"), list(&[]));
    let file = story(&[
        (0, client, MASTER, &request),
        (40_000, MASTER, client, &reply),
        (3_000_000, MASTER, client, &reply),
    ]);
    let ms = |ms: i64| ms * 1_000_000;
    for (pace, due) in [
        (None, [0, 0]),
        (Some((1.0, None)), [ms(40), ms(3040)]),
        (Some((10.0, None)), [ms(4), ms(304)]),
        (Some((1.0, Some(1_000))), [ms(40), ms(1040)]),
    ] {
        let pace = pace.map(|(speed, longest)| Pace {
            spacing: Spacing::Recorded(speed),
            longest: longest.map(std::time::Duration::from_millis),
            limit: None,
        });
        let (mut of, _) = master_of(file.path(), &PlayOptions { pace, ..PlayOptions::default() });
        let from: SocketAddr = CLIENT.parse().unwrap();
        let (recorded, local, now) = (MASTER.parse().unwrap(), from.ip(), 5);
        let payload = &request;
        let size = of.take_datagram(&IncomingDatagram { now, recorded, local, from, payload });
        assert_eq!(size.datagrams, 2);
        for due in due.map(|due| due + now) {
            assert_eq!(of.next_due(), Some(due), "{pace:?}");
            assert_eq!(of.pop_due(due - 1), None);
            assert!(of.pop_due(due).is_some());
        }
        assert_eq!(of.next_due(), None);
    }
}

#[test]
fn it_is_clear_which_of_several_masters_is_played() {
    let report = || Box::new(|_: PlayEvent| {});
    let two = capture("cases/two-masters.pcapng");
    for (name, master, ports, result) in [
        (
            "cases/two-masters.pcapng",
            None,
            &[][..],
            Err("several recorded masters have port 27950; choose one with --master: \
                 203.0.113.1:27950, 203.0.113.2:27950"),
        ),
        ("cases/two-masters.pcapng", Some("203.0.113.2"), &[], Ok(&["203.0.113.2:27950"][..])),
        ("cases/two-masters.pcapng", Some("203.0.113.2:27950"), &[], Ok(&["203.0.113.2:27950"])),
        (
            "cases/two-masters.pcapng",
            Some("203.0.113.2:1"),
            &[],
            Err("no master at 203.0.113.2:1 answers a request in the capture; those that do: \
                 203.0.113.1:27950, 203.0.113.2:27950"),
        ),
        (
            "cases/two-masters-one-address.pcapng",
            None,
            &[(27955, 0)],
            Ok(&["203.0.113.1:27950", "203.0.113.1:27955"]),
        ),
        (
            "cases/two-masters-one-address.pcapng",
            None,
            &[(27960, 0)],
            Err("--port 27960: no recorded master has this port; those that are there: 27950, \
                 27955"),
        ),
        ("quake3/dead-master.pcapng", None, &[], Err("no master in the capture answers a request")),
    ] {
        let master = master.map(|master| master.parse().unwrap());
        let options = PlayOptions { master, ports: ports.to_vec(), ..PlayOptions::default() };
        let made = RecordedMaster::new(&transcript(&capture(name)), &options, report());
        let made = made.map(|made| {
            let ports = made.ports([127, 0, 0, 1].into());
            ports.iter().map(|port| port.recorded.to_string()).collect::<Vec<_>>()
        });
        let result = result.map(|ends| ends.iter().map(|end| (*end).to_owned()).collect());
        assert_eq!(made.map_err(|why| why.to_string()), result.map_err(str::to_owned), "{name}");
    }
    // Each answers as itself.
    for (master, challenge) in [("203.0.113.1", "Kf9x_2Zp1q"), ("203.0.113.2", "8hJ2-qqW1")] {
        let options =
            PlayOptions { master: Some(master.parse().unwrap()), ..PlayOptions::default() };
        let (mut of, _) = master_of(&two, &options);
        let heartbeat = payload(&two, 1);
        let answers = answers(&mut of, &format!("{master}:27950"), &heartbeat);
        let expected = [b"\xff\xff\xff\xffgetinfo ", challenge.as_bytes()].concat();
        assert_eq!(answers, [expected], "{master}");
    }
    // Of a master with addresses of both families, each is played at its own family.
    let (four, six) = (list(&["192.0.2.4:27960"]), list(&["192.0.2.6:27960"]));
    let request = getservers("68");
    let file = story(&[
        (0, "198.51.100.1:27960", MASTER, &request),
        (100, MASTER, "198.51.100.1:27960", &four),
        (100, "[2001:db8::5]:27960", "[2001:db8::1]:27950", &request),
        (100, "[2001:db8::1]:27950", "[2001:db8::5]:27960", &six),
    ]);
    let (mut of, _) = master_of(file.path(), &PlayOptions::default());
    for (local, list) in [("127.0.0.1", four), ("::1", six)] {
        let ports = of.ports(local.parse().unwrap());
        assert_eq!((ports.len(), ports[0].port), (1, 27950), "{local}");
        assert_eq!(answers(&mut of, &ports[0].recorded.to_string(), &request), [list], "{local}");
    }
}
