//! Recorded masters over TCP: every recorded connection once more over loopback, and what live
//! clients do otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fragshark::flow::Transport;
use fragshark::protocol::{Carrier, Protocol};
use masters::families::services;
use masters::{ClientAction, Config, RecordedAnswers as _, RunningMaster, StreamProgress};
use replay::{
    MasterAddress, Pace, PlayEvent, PlayOptions, RecordedMaster, RecordedReply, RecordedRequest,
    Spacing, Transcript,
};

use super::answers::listed_servers;
use super::{capture, master_of, transcript, transcript_of};
use crate::golden::captures;
use crate::process::{PATIENCE, until};
use crate::story::{Format, Link, Side, Story};

const MASTER: &str = "203.0.113.11:28900";
const CLIENT: &str = "127.0.0.1:40000";
const CHALLENGE: &[u8] = br"\basic\\secure\wookie";
const PROOF: &[u8] = br"\gamename\ut\location\0\validate\2/TYFMRc\final\";
const REQUEST: &[u8] = br"\list\\gamename\ut\final\";
const LIST: &[u8] = br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789\final\";

/// A running master with the answers of a capture, on free ports of 127.0.0.1.
struct Running {
    master: RunningMaster,
    events: Arc<Mutex<Vec<PlayEvent>>>,
}

impl Running {
    fn start(path: &Path, options: &PlayOptions, settings: &str) -> Self {
        let (known, _) = master_of(path, options);
        let ports = known.ports([127, 0, 0, 1].into());
        let ports = ports.iter().map(|port| (port.recorded.port(), 0)).collect();
        let options = PlayOptions {
            ports,
            mappings: options.mappings.clone(),
            others: options.others.clone(),
            ..*options
        };
        let (recorded, events) = master_of(path, &options);
        let mut config = Config::new(services());
        config.settings.set_all(settings).unwrap();
        config.listen_if_there.clear();
        config.recorded = Some(Box::new(recorded));
        Self { master: RunningMaster::start(config).unwrap(), events }
    }

    /// A connection to what stands for a recorded endpoint.
    fn connect(&self, recorded: SocketAddr) -> TcpStream {
        let is_it = |port: &masters::RecordedPort| {
            port.recorded == recorded && port.carrier == Carrier::Stream
        };
        let (_, address) = self.master.recorded().iter().find(|(port, _)| is_it(port)).unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// Waits for a line about a request without an answer that contains this.
    fn has_line(&self, part: &str) {
        until(part, || {
            let events = self.events.lock().unwrap();
            let is_it = |event: &PlayEvent| matches!(event, PlayEvent::NotAnswered(line) if line.contains(part));
            events.iter().any(is_it).then_some(())
        });
    }
}

/// So many bytes.
fn received(stream: &mut TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    let done = stream.read_exact(&mut bytes);
    assert!(done.is_ok(), "{count} bytes: {done:?}, {}", bytes.escape_ascii());
    bytes
}

/// Everything up to the end, which has to come.
fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

/// The messages of each recorded connection, in order.
fn connections(transcript: &Transcript) -> BTreeMap<u64, Vec<&RecordedRequest>> {
    let mut connections: BTreeMap<u64, Vec<&RecordedRequest>> = BTreeMap::new();
    for request in &transcript.requests {
        if let Some(connection) = request.connection {
            connections.entry(connection).or_default().push(request);
        }
    }
    connections
}

/// The recorded bytes of an answer that came over the wire, and whether they were enciphered there.
fn deciphered(protocol: &Protocol, request: &[u8], wire: Vec<u8>) -> (Vec<u8>, bool) {
    match protocol.decipher.and_then(|decipher| decipher(request, &wire)) {
        Some(plain) => (plain, true),
        None => (wire, false),
    }
}

/// A client asks for everything that a recorded one did, and compares the answers.
fn repeat(
    stream: &mut TcpStream,
    requests: &[&RecordedRequest],
    size: usize,
    file: &[u8],
) -> usize {
    let (mut replies, mut is_first) = (0, true);
    for request in requests {
        let before = request.replies.iter().filter(|reply| reply.number < request.number);
        for greeting in before.filter(|_| is_first) {
            assert_eq!(received(stream, greeting.bytes.len()), *greeting.bytes);
            replies += 1;
        }
        is_first = false;
        for part in request.bytes.chunks(size) {
            stream.write_all(part).unwrap();
        }
        for reply in request.replies.iter().filter(|reply| reply.number > request.number) {
            let wire = received(stream, reply.bytes.len());
            let begin = &wire[..wire.len().min(40)];
            let (plain, is_enciphered) =
                deciphered(reply.entry.protocol, &request.bytes, wire.clone());
            assert_eq!(plain.escape_ascii().to_string(), reply.bytes.escape_ascii().to_string());
            // The bytes of the capture, enciphered as they were.
            let is_there = || file.windows(begin.len()).any(|part| part == begin);
            assert!(!is_enciphered || is_there(), "{}", begin.escape_ascii());
            replies += 1;
        }
    }
    replies
}

#[test]
fn every_recorded_connection_is_answered_as_it_was() {
    let (mut replies, mut closed) = (BTreeMap::new(), 0);
    for path in captures() {
        let transcript = transcript(&path);
        let file = fs::read(&path).unwrap();
        let masters = transcript.masters.keys().filter(|(over, _)| *over == Transport::Tcp);
        for end in masters.map(|(_, end)| *end).collect::<BTreeSet<_>>() {
            let master: MasterAddress = end.to_string().parse().unwrap();
            let options = PlayOptions { master: Some(master), ..PlayOptions::default() };
            if RecordedMaster::new(&transcript, &options, Box::new(|_| {})).is_err() {
                continue;
            }
            for size in [usize::MAX, 1] {
                let running = Running::start(&path, &options, "connections-per-address=200");
                for (number, requests) in connections(&transcript) {
                    if requests[0].to != end {
                        continue;
                    }
                    let mut stream = running.connect(end);
                    let protocol = requests[0].entry.protocol.id;
                    *replies.entry(protocol).or_insert(0) +=
                        repeat(&mut stream, &requests, size, &file);
                    if transcript.closes.get(&number).is_some_and(|close| close.from == end) {
                        assert_eq!(rest(&mut stream), b"", "{}", path.display());
                        closed += 1;
                    }
                }
                let events = running.events.lock().unwrap();
                let is_wrong = |event: &&PlayEvent| matches!(event, PlayEvent::NotAnswered(_));
                let wrong: Vec<_> = events.iter().filter(is_wrong).collect();
                assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
            }
        }
    }
    let protocols: Vec<_> = replies.keys().copied().collect();
    assert_eq!(protocols, ["gamespy", "gamespy-list", "http", "unreal2"], "{replies:?}");
    assert!(replies.values().sum::<usize>() >= 70 && closed > 15, "{replies:?} {closed}");
}

/// A pause in microseconds, who sends, and what.
type Sent<'a> = (i64, Side, &'a [u8]);

/// A capture of connections of one client each, which the given side closes.
fn story(connections: &[(Side, &[Sent<'_>])]) -> tempfile::NamedTempFile {
    let mut story = Story::new(Link::RawIp, Format::PcapNg, 1_000);
    for (n, (closer, messages)) in connections.iter().enumerate() {
        let client = SocketAddr::from(([198, 51, 100, 1], 40_000 + n as u16));
        let master = MASTER.parse().unwrap();
        story.after(1_000_000).converse_until(*closer, client, master, messages, 1460);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), story.file()).unwrap();
    file
}

/// A client of a recorded master without sockets.
struct LiveClient<'a> {
    master: &'a mut RecordedMaster,
    number: u64,
    now: i64,
}

impl<'a> LiveClient<'a> {
    /// Connects; returns what the master sends first.
    fn connect(master: &'a mut RecordedMaster, number: u64) -> (Self, Vec<u8>) {
        let (recorded, from) = (MASTER.parse().unwrap(), CLIENT.parse().unwrap());
        master.take_action(number, 0, ClientAction::Connected { recorded, from });
        let mut client = Self { master, number, now: 0 };
        let (greeting, _) = client.due();
        (client, greeting)
    }

    /// What is due on the connection now.
    fn due(&mut self) -> (Vec<u8>, StreamProgress) {
        let mut out = Vec::new();
        let progress = self.master.send_due(self.number, self.now, &mut out);
        (out, progress)
    }

    fn ask(&mut self, bytes: &[u8]) -> (Vec<u8>, StreamProgress) {
        self.master.take_action(self.number, self.now, ClientAction::Sent(bytes));
        self.due()
    }
}

#[test]
fn clients_are_answered_by_what_they_asked_before() {
    let list = |port: u16| format!(r"\ip\192.0.2.7:{port}\final\").into_bytes();
    let (one, two, three) = (list(1), list(2), list(3));
    let wrong = br"\gamename\ut\location\0\validate\xxxxxxxx\final\";
    let refusal = br"\echo\You failed to authenticate.\final\";
    let other = br"\list\\gamename\unreal\final\";
    let asked = |list| {
        [(0, Side::Server, CHALLENGE), (0, Side::Client, PROOF), (0, Side::Client, REQUEST), list]
    };
    let refused =
        [(0, Side::Server, CHALLENGE), (0, Side::Client, &wrong[..]), (0, Side::Server, refusal)];
    let other_game =
        [(0, Side::Server, CHALLENGE), (0, Side::Client, other), (0, Side::Server, &three[..])];
    let file = story(&[
        (Side::Client, &asked((0, Side::Server, &one[..]))),
        (Side::Server, &refused),
        (Side::Server, &asked((0, Side::Server, &two[..]))),
        (Side::Server, &other_game),
    ]);
    let (mut master, events) = master_of(file.path(), &PlayOptions::default());
    let mut play = |number, requests: &[&[u8]]| {
        let (mut client, greeting) = LiveClient::connect(&mut master, number);
        assert_eq!(greeting, CHALLENGE);
        let answers = requests.iter().map(|request| client.ask(request));
        answers.collect::<Vec<_>>()
    };
    let (waits, closes) = (StreamProgress::Waits, StreamProgress::Closes);
    let nothing = (Vec::new(), waits);
    // The first list was left open; the second one, and the last again, were closed.
    for (number, list, end) in [(1, &one, waits), (2, &two, closes), (3, &two, closes)] {
        let answers = play(number, &[PROOF, REQUEST]);
        assert_eq!(answers, [nothing.clone(), (list.clone(), end)], "{number}");
    }
    assert_eq!(play(4, &[wrong]), [(refusal.to_vec(), closes)]);
    // Nobody asked so in the recording, but for this list.
    assert_eq!(play(5, &[PROOF, other]), [nothing.clone(), (three.clone(), closes)]);
    // GameSpy's clients append a number, which may come later.
    let split = [PROOF, br"\query", br"id\1.1\", br"\list\\gamename\ut\fi", br"nal\"];
    let answers = play(6, &split);
    assert_eq!(answers.last(), Some(&(two.clone(), closes)));
    let lines = events.lock().unwrap().split_off(0);
    assert!(lines.iter().all(|event| matches!(event, PlayEvent::Played(_))), "{lines:?}");
    for line in [
        "127.0.0.1:40000: connected: 1 message as in frame 4",
        "127.0.0.1:40000: TCP validate: 0 messages as for frame 5",
        "127.0.0.1:40000: TCP list request: 1 message as for frame 6",
        "127.0.0.1:40000: TCP validate: 1 message, then closed, as for frame 15",
    ] {
        assert!(lines.contains(&PlayEvent::Played(line.to_owned())), "{line}: {lines:?}");
    }
    // Once it is closed, nothing more is read.
    let answers = play(7, &[PROOF, REQUEST, REQUEST]);
    assert_eq!(answers.last(), Some(&(Vec::new(), closes)));
    assert_eq!(play(8, &[br"\list\\gamename\quake\final\"]), [nothing]);
    let last = events.lock().unwrap().pop();
    let Some(PlayEvent::NotAnswered(line)) = last else { panic!("{last:?}") };
    assert!(line.contains("TCP list request: the nearest recorded one, frame "), "{line}");
    assert!(line.ends_with("has gamename ut, and this one has gamename quake"), "{line}");
}

#[test]
fn addresses_in_lists_over_tcp_are_mapped() {
    let others = vec!["127.0.0.0/8".parse().unwrap()];
    let options = PlayOptions { others, ..PlayOptions::default() };
    for (name, servers) in [
        ("cases/lists-from-another-port.pcapng", &["127.0.2.11:7778"][..]),
        // Encrypted with the key of the game.
        ("gamespy/encrypted-list.pcapng", &["127.0.2.7:7778", "127.51.100.9:8789"]),
        ("ut2004/master.pcapng", &["127.0.2.45:7777", "127.0.2.46:7777"]),
        ("etqw/feed.pcapng", &["127.0.2.7:27733", "127.51.100.9:27733"]),
    ] {
        let path = capture(name);
        let transcript = transcript(&path);
        let is_listing = |r: &&RecordedRequest| {
            r.transport == Transport::Tcp && r.replies.iter().any(RecordedReply::is_list)
        };
        let request = transcript.requests.iter().find(is_listing);
        let request = request.unwrap_or_else(|| panic!("{name}"));
        let (mut master, _) = master_of(&path, &options);
        let from = CLIENT.parse().unwrap();
        master.take_action(1, 0, ClientAction::Connected { recorded: request.to, from });
        let (mut greeting, mut out) = (Vec::new(), Vec::new());
        master.send_due(1, 0, &mut greeting);
        master.take_action(1, 0, ClientAction::Sent(&request.bytes));
        master.send_due(1, 0, &mut out);
        let mut packets = Vec::new();
        for reply in request.replies.iter().filter(|reply| reply.number > request.number) {
            packets.push(out.drain(..reply.bytes.len()).collect());
        }
        let protocol = request.entry.protocol.id;
        assert_eq!(listed_servers(protocol, Carrier::Stream, &packets), servers, "{name}");
    }
}

#[test]
fn recorded_delays_are_kept_on_connections_too() {
    let ms = |ms: i64| ms * 1_000_000;
    let second = br"\ip\192.0.2.9:1\final\";
    let file = story(&[(
        Side::Server,
        &[
            (0, Side::Server, CHALLENGE),
            (0, Side::Client, PROOF),
            (0, Side::Client, REQUEST),
            (40_000, Side::Server, LIST),
            (3_000_000, Side::Server, second),
        ],
    )]);
    let pace = Pace {
        spacing: Spacing::Recorded(1.0),
        longest: Some(Duration::from_secs(1)),
        limit: None,
    };
    let options = PlayOptions { pace: Some(pace), ..PlayOptions::default() };
    let (mut master, _) = master_of(file.path(), &options);
    let (mut client, _) = LiveClient::connect(&mut master, 1);
    assert_eq!(client.ask(&[PROOF, REQUEST].concat()), (Vec::new(), StreamProgress::Later));
    // Segments are 0.7 ms apart.
    let times = [ms(40) + 700_000, ms(1040) + 700_000, ms(1041) + 400_000];
    for (due, bytes, progress) in [
        (times[0], LIST, StreamProgress::Later),
        (times[1], second, StreamProgress::Later),
        (times[2], b"", StreamProgress::Closes),
    ] {
        assert_eq!(client.master.next_due(), Some(due));
        client.now = due - 1;
        assert_eq!(client.due(), (Vec::new(), StreamProgress::Later));
        client.now = due;
        assert_eq!(client.due(), (bytes.to_vec(), progress));
    }
    assert_eq!(client.master.next_due(), None);
}

#[test]
fn only_selected_requests_of_a_connection_are_answered() {
    let path = capture("gamespy/encrypted-list.pcapng");
    let transcript = transcript_of(&path, |message| message.header.entry.spec.id != "validate");
    let master = RecordedMaster::new(&transcript, &PlayOptions::default(), Box::new(|_| {}));
    let (mut master, recorded) = (master.unwrap(), "203.0.113.26:28900".parse().unwrap());
    let from = CLIENT.parse().unwrap();
    master.take_action(1, 0, ClientAction::Connected { recorded, from });
    let list = br"\list\\gamename\gmtest\where\\final\";
    for (request, begin, progress) in [
        (&b""[..], &br"\basic\\secure\LBCHAL"[..], StreamProgress::Waits),
        (br"\gamename\gmtest\validate\xxxxxxxx\final\", b"", StreamProgress::Waits),
        (list, b"\xe1\x31\x41", StreamProgress::Closes),
    ] {
        let mut out = Vec::new();
        master.take_action(1, 0, ClientAction::Sent(request));
        assert_eq!(master.send_due(1, 0, &mut out), progress);
        assert!(out.starts_with(begin) && out.is_empty() == begin.is_empty());
    }
}

#[test]
fn lists_are_enciphered_for_the_live_client() {
    let path = capture("battlefield2/master.pcapng");
    let options =
        PlayOptions { others: vec!["127.0.0.0/8".parse().unwrap()], ..PlayOptions::default() };
    let transcript = transcript(&path);
    let request = transcript.requests.iter().find(|r| r.transport == Transport::Tcp).unwrap();
    let (reply, protocol) = (&request.replies[0], request.entry.protocol);
    // The challenge stands behind the two names of the game.
    let games = b"battlefield2\0battlefield2\0";
    let at = request.bytes.windows(games.len()).position(|part| part == games).unwrap();
    let mut asked = request.bytes.to_vec();
    asked[at + games.len()..][..8].copy_from_slice(b"8letters");
    let running = Running::start(&path, &options, "");
    let mut wires = Vec::new();
    for asked in [&request.bytes[..], &asked] {
        let mut stream = running.connect(request.to);
        stream.write_all(asked).unwrap();
        let wire = received(&mut stream, reply.bytes.len());
        let (plain, is_enciphered) = deciphered(protocol, asked, wire.clone());
        assert!(is_enciphered, "{}", wire.escape_ascii());
        let changed = plain.iter().zip(&reply.bytes).filter(|(now, was)| now != was);
        let changed: Vec<_> = changed.map(|(now, _)| *now).collect();
        assert!(changed.len() >= 3 && changed.iter().all(|byte| *byte == 127), "{changed:?}");
        wires.push(wire);
    }
    assert_ne!(wires[0], wires[1]);
}

#[test]
fn a_list_without_a_published_key_is_reported_at_the_start() {
    let mut story = Story::new(Link::RawIp, Format::PcapNg, 1_000);
    let request: &[u8] =
        b"\0\x44\0\x01\x03\0\0\0\0madeup\0madeup\0pWc8[V{]\0\\hostname\\numplayers\
        \\maxplayers\0\0\0\0\0";
    let list: &[u8] =
        b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c\
        \x6e\x40\xb1\x1f\xd2\x67\x39\x5d\x69\xba\xb4\x2e";
    let [client, master] = ["198.51.100.1:40000", "203.0.113.1:28910"].map(|e| e.parse().unwrap());
    story.converse(client, master, &[(Side::Client, request), (Side::Server, list)], 1460);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), story.file()).unwrap();
    let (of, _) = master_of(file.path(), &PlayOptions::default());
    assert_eq!(
        of.notes(),
        ["1 recorded list sent as recorded: the key is not published, so clients with another \
             challenge cannot decipher it"]
    );
    let running = Running::start(file.path(), &PlayOptions::default(), "");
    let mut stream = running.connect(master);
    stream.write_all(request).unwrap();
    assert_eq!(rest(&mut stream), list);
}

#[test]
fn clients_that_send_no_request_get_no_answer_and_a_line() {
    let path = capture("unreal-tournament/documented.pcapng");
    let running = Running::start(&path, &PlayOptions::default(), "connection-timeout=3s");
    let master = MASTER.parse().unwrap();
    // Garbage is reported before the connection is over.
    let mut garbage = running.connect(master);
    assert_eq!(received(&mut garbage, CHALLENGE.len()), CHALLENGE);
    garbage.write_all(b"GET / HTTP/1.0\r\n\r\n\x1b[2J").unwrap();
    running.has_line("22 bytes that are no whole message");
    // Too much of it is dropped.
    let mut flood = running.connect(master);
    flood.write_all(&vec![b'x'; 70_000]).unwrap();
    running.has_line("bytes that are no message: \"xxxxx");
    // A request without its end mark is one if the client closes its side.
    let mut unended = running.connect(master);
    unended.write_all(br"\list\\gamename\ut").unwrap();
    unended.shutdown(Shutdown::Write).unwrap();
    let answer = rest(&mut unended);
    assert!(answer.starts_with(&[CHALLENGE, br"\ip\69.28.220.123:7778\"].concat()));
    // What was not recorded has a line with the difference.
    let mut other = running.connect(master);
    other.write_all(br"\list\\gamename\unreal\final\").unwrap();
    running.has_line("has gamename ut, and this one has gamename unreal");
    // One that hangs is ended, and so are the others.
    for mut stream in [running.connect(master), garbage, flood, other] {
        let mut bytes = [0; 256];
        loop {
            match stream.read(&mut bytes) {
                Ok(0) => break,
                Ok(_) => {}
                // Unread bytes of the client make its end a reset.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn connections_of_one_address_are_limited() {
    let path = capture("unreal-tournament/documented.pcapng");
    let running = Running::start(&path, &PlayOptions::default(), "connections=8");
    let master = MASTER.parse().unwrap();
    let mut streams: Vec<_> = (0..5).map(|_| running.connect(master)).collect();
    for stream in &mut streams[..4] {
        assert_eq!(received(stream, CHALLENGE.len()), CHALLENGE);
    }
    let refused = streams[4].read(&mut [0; 64]);
    let is_refused = match &refused {
        Ok(count) => *count == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    };
    assert!(is_refused, "{refused:?}");
    running.master.stopper().stop();
    assert_eq!(running.master.join().refused, 1);
}
