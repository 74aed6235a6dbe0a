//! Connections and datagrams of other protocols (`tests/data/foreign`), on their own ports and on every
//! port that a game documents, whole and in pieces, in both directions: no message may be taken from
//! them, and no flow may be named as a game's.
//!
//! The bytes are made from the documents of their protocols, with values from a fixed seed.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;

use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use fragshark::protocols::registry;
use random::SeededRandom;

use crate::story::{Format, Link, Side, Story};

const STREAMS: &str = include_str!("../data/foreign/streams.txt");
const DATAGRAMS: &str = include_str!("../data/foreign/datagrams.txt");
/// A port that no game documents.
const ELSEWHERE: u16 = 43_210;
/// How many pieces of a message are sent before the rest of it.
const PIECES: usize = 24;
/// How often the datagrams are made, each time with other values.
const ROUNDS: usize = 2;

/// What another protocol sends.
struct Foreign {
    name: &'static str,
    ports: Vec<u16>,
    messages: Vec<(Side, &'static str)>,
}

/// How a connection is cut into segments.
#[derive(Debug, Clone, Copy)]
enum Cut {
    Whole,
    Pieces(usize),
    Random,
}

const CUTS: [Cut; 4] = [Cut::Whole, Cut::Pieces(1), Cut::Pieces(7), Cut::Random];

/// The protocols of a file: blocks of a line with name and ports, and the lines that both sides send.
fn corpus(file: &'static str) -> Vec<Foreign> {
    let mut all: Vec<Foreign> = Vec::new();
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let side = match line.split_at_checked(2) {
            Some(("> ", message)) => Some((Side::Client, message)),
            Some(("< ", message)) => Some((Side::Server, message)),
            _ => None,
        };
        if let Some(message) = side {
            all.last_mut().unwrap().messages.push(message);
            continue;
        }
        let (name, ports) = line.split_once(' ').unwrap();
        let ports = ports.split(' ').map(|port| port.parse().unwrap()).collect();
        all.push(Foreign { name, ports, messages: Vec::new() });
    }
    let names: BTreeSet<_> = all.iter().map(|foreign| foreign.name).collect();
    assert_eq!(names.len(), all.len());
    assert!(all.iter().all(|foreign| !foreign.messages.is_empty()));
    all
}

/// The bytes of a line: `\x00` and other escapes, `{16}` for random bytes, `{16*00}` for a byte so often.
fn bytes(line: &str, random: &mut SeededRandom) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut left = line;
    while let Some(first) = left.chars().next() {
        left = &left[first.len_utf8()..];
        match first {
            '\\' => {
                let (escape, rest) = left.split_at(1);
                left = rest;
                match escape {
                    "n" => bytes.push(b'\n'),
                    "r" => bytes.push(b'\r'),
                    "\\" | "{" => bytes.extend_from_slice(escape.as_bytes()),
                    "x" => {
                        let (digits, rest) = left.split_at(2);
                        left = rest;
                        bytes.push(u8::from_str_radix(digits, 16).unwrap());
                    }
                    other => panic!("\\{other} in {line}"),
                }
            }
            '{' => {
                let (count, rest) = left.split_once('}').unwrap();
                left = rest;
                match count.split_once('*') {
                    Some((count, byte)) => {
                        let byte = u8::from_str_radix(byte, 16).unwrap();
                        bytes.extend(std::iter::repeat_n(byte, count.parse().unwrap()));
                    }
                    None => bytes.extend((0..count.parse().unwrap()).map(|_| random.byte())),
                }
            }
            other => {
                let mut utf8 = [0; 4];
                bytes.extend_from_slice(other.encode_utf8(&mut utf8).as_bytes());
            }
        }
    }
    bytes
}

/// The ports that games document.
fn documented() -> BTreeSet<u16> {
    registry().games().flat_map(|game| game.ports).map(|port| port.number).collect()
}

/// What is sent on one port, with a name for each pair of addresses.
struct Sent {
    story: Story,
    names: BTreeMap<IpAddr, String>,
}

impl Sent {
    fn new() -> Self {
        let story = Story::new(Link::RawIp, Format::Pcap, 1_700_000_000);
        Self { story, names: BTreeMap::new() }
    }

    /// The addresses of a client and a server that nobody else has.
    fn addresses(&mut self, name: String) -> [IpAddr; 2] {
        let [high, low] = u16::try_from(self.names.len()).unwrap().to_be_bytes();
        let server = IpAddr::from([10, 2, high, low]);
        self.names.insert(server, name);
        [IpAddr::from([10, 1, high, low]), server]
    }

    /// What is taken for a message or a game's flow.
    fn claimed(&self) -> Vec<String> {
        let input = Input::Memory { name: "foreign".to_owned(), bytes: self.story.file().into() };
        let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
        let place = |ends: [SocketAddr; 2]| {
            let mut names = ends.into_iter().filter_map(|end| self.names.get(&end.ip()));
            names.next().unwrap().as_str()
        };
        let mut claimed = Vec::new();
        let done = pipeline.messages(|message| {
            let header = message.header;
            let place = place([header.source, header.destination]);
            claimed.push(format!("{} {} in {place}", header.entry.protocol.id, header.name));
            ControlFlow::<()>::Continue(())
        });
        assert!(done.unwrap().is_none());
        let flows = pipeline.flows();
        for (id, _) in flows.iter() {
            if let Some(verdict) = flows.verdict(id).or_else(|| flows.in_game_of(id)) {
                let (_, ends) = flows.ends(id).unwrap();
                claimed.push(format!("the flow of {} is {}'s", place(ends), verdict.game.id));
            }
        }
        claimed
    }
}

/// The segments of a message.
fn segments<'a>(message: &'a [u8], cut: Cut, random: &mut SeededRandom) -> Vec<&'a [u8]> {
    let mut left = message;
    let mut segments = Vec::new();
    while !left.is_empty() && segments.len() < PIECES {
        let size = match cut {
            Cut::Whole => left.len(),
            Cut::Pieces(size) => size,
            Cut::Random => 1 + usize::from(random.byte() % 40),
        };
        let (segment, rest) = left.split_at(size.min(left.len()));
        segments.push(segment);
        left = rest;
    }
    segments.extend((!left.is_empty()).then_some(left));
    segments
}

/// The number of connections, and what is claimed of them: each on its own ports and on every documented
/// one, in segments of all sizes.
fn claimed_connections(is_opened: bool) -> (usize, Vec<String>) {
    let all = corpus(STREAMS);
    let own = all.iter().flat_map(|foreign| foreign.ports.iter().copied());
    let documented = documented();
    let mut random = SeededRandom::new(42);
    let (mut count, mut claimed) = (0, Vec::new());
    for port in own.chain([ELSEWHERE]).chain(documented.iter().copied()).collect::<BTreeSet<_>>() {
        let mut sent = Sent::new();
        if !is_opened {
            sent.story.without_openings();
        }
        let is_common = port == ELSEWHERE || documented.contains(&port);
        for foreign in all.iter().filter(|foreign| is_common || foreign.ports.contains(&port)) {
            for cut in CUTS {
                let name = format!("{} on {port}, {cut:?}", foreign.name);
                let [client, server] = sent.addresses(name);
                let lines = foreign.messages.iter();
                let messages: Vec<_> =
                    lines.map(|(side, line)| (*side, bytes(line, &mut random))).collect();
                let mut cuts = Vec::new();
                for (side, message) in &messages {
                    let segments = segments(message, cut, &mut random);
                    cuts.extend(segments.into_iter().map(|segment| (*side, segment)));
                }
                let ends = [(client, 50_000), (server, port)].map(SocketAddr::from);
                sent.story.converse(ends[0], ends[1], &cuts, usize::MAX);
            }
        }
        count += sent.names.len();
        claimed.extend(sent.claimed());
    }
    (count, claimed)
}

#[test]
fn no_connection_of_others_is_a_games_from_its_beginning() {
    let (count, claimed) = claimed_connections(true);
    assert!(count > 100 * CUTS.len() * documented().len(), "{count}");
    assert!(claimed.is_empty(), "{} of {count}:\n{}", claimed.len(), claimed.join("\n"));
}

#[test]
fn no_connection_of_others_is_a_games_from_the_middle() {
    let (count, claimed) = claimed_connections(false);
    assert!(count > 100 * CUTS.len() * documented().len(), "{count}");
    assert!(claimed.is_empty(), "{} of {count}:\n{}", claimed.len(), claimed.join("\n"));
}

#[test]
fn no_datagram_of_others_is_a_games() {
    let all = corpus(DATAGRAMS);
    assert!(all.len() > 100, "{}", all.len());
    let documented = documented();
    let own = all.iter().flat_map(|foreign| foreign.ports.iter().copied());
    let mut random = SeededRandom::new(42);
    let (mut count, mut claimed) = (0, Vec::new());
    for port in own.chain([ELSEWHERE]).chain(documented.iter().copied()).collect::<BTreeSet<_>>() {
        let mut sent = Sent::new();
        let is_common = port == ELSEWHERE || documented.contains(&port);
        for foreign in all.iter().filter(|foreign| is_common || foreign.ports.contains(&port)) {
            // From any port of a client, and from the same port as the server's.
            for client_port in (0..ROUNDS).flat_map(|_| [50_000, port]) {
                let name = format!("{} from {client_port} on {port}", foreign.name);
                let [client, server] = sent.addresses(name);
                let ends = [(client, client_port), (server, port)].map(SocketAddr::from);
                for (side, line) in &foreign.messages {
                    let payload = bytes(line, &mut random);
                    let [from, to] = match side {
                        Side::Client => ends,
                        Side::Server => [ends[1], ends[0]],
                    };
                    sent.story.send(from, to, &payload).after(30_000);
                }
            }
        }
        count += sent.names.len();
        claimed.extend(sent.claimed());
    }
    assert!(count > 100 * 2 * ROUNDS * documented.len(), "{count}");
    assert!(claimed.is_empty(), "{} of {count}:\n{}", claimed.len(), claimed.join("\n"));
}
