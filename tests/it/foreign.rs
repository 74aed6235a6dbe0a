//! Payloads of other protocols on every documented port: hardly any may be taken for a message, and
//! none on a port that no game has.
//!
//! The payloads are made here, in the forms of their protocols, with values from a fixed seed.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;

use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use fragshark::protocols::registry;
use random::SeededRandom;

use crate::story::{Format, Link, Story};

/// A port that no game documents.
const ELSEWHERE: u16 = 43_210;
/// How many payloads of each kind are sent to each port, and from it.
const EACH: usize = 3;

/// What RakNet's messages outside of connections have in common.
const RAKNET: &[u8] = b"\0\xff\xff\0\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78";

/// One payload in the form of each of some protocols.
fn foreign(random: &mut SeededRandom) -> Vec<Vec<u8>> {
    let mut bytes = |count: usize| (0..count).map(|_| random.byte()).collect::<Vec<u8>>();
    let text = |text: &str| text.as_bytes().to_vec();
    let with = |head: &[u8], rest: Vec<u8>| [head.to_vec(), rest].concat();
    vec![
        // DNS: a question, and an answer.
        with(&bytes(2), text("\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03org\x00\x00\x01\x00\x01")),
        with(&bytes(2), with(b"\x81\x80\0\x01\0\x01\0\0\0\0\x07example\x03org\0\0\x01\0\x01\xc0\x0c\0\x01\0\x01\0\0\x0e\x10\0\x04", bytes(4))),
        // NTP, with both of its ends.
        with(b"\x23\0\x06\xec", bytes(44)),
        with(b"\x24\x02\x06\xec", bytes(44)),
        // QUIC: a long header and a short one; RTP and RTCP; STUN; DTLS; WireGuard; uTP.
        with(b"\xc3\0\0\0\x01\x08", bytes(1194)),
        with(b"\x43", bytes(60)),
        with(b"\x80\x60", bytes(170)),
        with(b"\x81\xc8\0\x0c", bytes(48)),
        with(b"\x00\x01\x00\x08\x21\x12\xa4\x42", bytes(20)),
        with(b"\x16\xfe\xfd\0\0\0\0\0\0\0\0\0", bytes(90)),
        with(b"\x01\0\0\0", bytes(144)),
        with(b"\x41\0", bytes(18)),
        // BitTorrent's DHT and trackers; SIP; SSDP; multicast DNS; syslog; statsd; NetBIOS; SNMP.
        with(b"d1:ad2:id20:", with(&bytes(20), text("e1:q4:ping1:t2:aa1:y1:qe"))),
        with(b"\0\0\x04\x17\x27\x10\x19\x80\0\0\0\0", bytes(4)),
        text("OPTIONS sip:a@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.9\r\n\r\n"),
        text("M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\n\r\n"),
        text("\0\0\0\0\0\x01\0\0\0\0\0\0\x05_http\x04_tcp\x05local\0\0\x0c\0\x01"),
        text("<34>Oct 11 22:14:15 host su: failed for root\n"),
        text("requests.count:1|c\nrequests.time:320|ms\n"),
        with(&bytes(2), text("\0\x10\0\x01\0\0\0\0\0\0 CKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\0\0!\0\x01")),
        b"0&\x02\x01\0\x04\x06public\xa1\x19".to_vec(),
        // Games of other lines: RakNet, Source, Minecraft's query with a byte more than it has,
        // Teeworlds, and Discord's voice.
        with(b"\x01\0\0\0\0\0\0\0\x01\0\xff\xff\0\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x124Vx", bytes(8)),
        with(b"\xfe\xff\xff\xff", bytes(40)),
        with(b"\xfe\xfd\x09", bytes(5)),
        with(b"\x10\0\0\0", bytes(14)),
        with(b"\0\x01\0F", bytes(70)),
        // RakNet: the answer to a ping, how a connection is opened, data, what came and what did not.
        with(&[b"\x1c", bytes(16).as_slice(), RAKNET].concat(), text("\0\x20MCPE;Lab;800;1.21.0;0;10;1;L;S;1;19132;19133;")),
        with(&[b"\x05", RAKNET, b"\x0b"].concat(), vec![0; 1464]),
        with(&[b"\x06", RAKNET].concat(), bytes(11)),
        with(&[b"\x07", RAKNET].concat(), bytes(17)),
        with(b"\x84\0\0\0\x40\0\x90\0\0\0\x09", bytes(17)),
        with(b"\x80\x01\0\0\0\0\x90", bytes(18)),
        b"\xc0\0\x01\x01\0\0\0".to_vec(),
        b"\xa0\0\x01\x01\x05\0\0".to_vec(),
        // QUIC: which versions there are, version 2, a handshake, another server's token.
        with(&[0x80 | bytes(1)[0]], with(b"\0\0\0\0\x08", bytes(29))),
        with(b"\xd3\x6b\x33\x43\xcf\x08", bytes(1194)),
        with(b"\xe1\0\0\0\x01\x08", bytes(300)),
        with(b"\xf0\0\0\0\x01\x08", bytes(90)),
        with(&[0x40 | bytes(1)[0] & 0x3f], bytes(32)),
        // RTP: speech in three codecs, video, Discord's; RTCP; TURN's channels.
        with(b"\x80\0", bytes(170)),
        with(b"\x80\x08\0\0", bytes(168)),
        with(b"\x90\x78", bytes(90)),
        with(b"\xb0\xe0", bytes(1100)),
        with(b"\x80\xc9\0\x07", bytes(28)),
        with(b"\x40\0\0\x20", bytes(32)),
        with(b"\x01\x01\x00\x0c\x21\x12\xa4\x42", bytes(24)),
        // DTLS of other versions, and data; ENet; CoAP; MQTT-SN; an L2TP tunnel; OpenVPN; RADIUS.
        with(b"\x16\xfe\xff\0\0\0\0\0\0\0\0", bytes(90)),
        with(b"\x17\xfe\xfd\0\x01\0\0\0\0\0\x07\0\x20", bytes(32)),
        with(b"\x8f\xff", bytes(46)),
        with(b"\x40\x01", with(&bytes(2), text("\u{b}well-known"))),
        with(b"\x0a\x04\x04\x01\0\x0flab", vec![]),
        with(b"\xc8\x02\0\x2c", bytes(40)),
        with(b"\x38", bytes(13)),
        with(b"\x01\x2a\0\x2c", bytes(40)),
        // DNS: an error, a long answer; a zone's change; multicast DNS's answer.
        with(&bytes(2), text("\u{1}\0\0\x01\0\0\0\0\0\x01\x07example\x03net\0\0\u{1c}\0\x01\0\0)\x04\0\0\0\0\0\0\0")),
        with(&bytes(2), with(b"\x81\x83\0\x01\0\0\0\0\0\0\x03lab\x07example\0\0\x10\0\x01", vec![])),
        with(&bytes(2), with(b"\x84\0\0\0\0\x05\0\0\0\0", bytes(400))),
        // Steam's client: its search for other machines, its relays, its connections to servers.
        with(b"\xff\xff\xff\xff\x21\x4c\x5f\xa0\x08\0\0\0", bytes(8)),
        with(b"VS01", bytes(60)),
        with(b"\x20", bytes(511)),
        with(b"\x24", bytes(60)),
        // In-game packets: of Source, of GoldSrc, of Unreal's engine; a part in place of which random
        // bytes stand.
        with(b"\x11\x27\0\0\x10\x27\0\0\x20", bytes(70)),
        with(b"\x05\0\0\x80\x04\0\0\0", bytes(50)),
        with(b"\xfe\xff\xff\xff\x01\0\0\0\x02\0", bytes(200)),
        // The marks that several protocols share, with what none of them says.
        with(b"\xfe\xfd\x40", bytes(4)),
        with(b"\xfe\xfd\0", bytes(30)),
        with(b"\xfe\xfd\x03", bytes(60)),
        with(b"\xff\xff\xff\xffI", bytes(40)),
        with(b"\xff\xff\xff\xffD", bytes(40)),
        with(b"\xff\xff\xff\xffE", bytes(40)),
        with(b"\xff\xff\xff\xffT", bytes(20)),
        with(b"\xff\xff\xff\xffV", bytes(9)),
        with(&[0xff; 10], bytes(20)),
        // Steam's client; in-game packets; random bytes behind the mark.
        with(b"\xff\xff\xff\xff\x21\x4c\x5f\xa0\x16\0\0\0", bytes(40)),
        with(&[0x12, 0x34, 0, 0, 0x77], bytes(120)),
        with(b"\xff\xff\xff\xff", bytes(24)),
        with(b"\xff\xff", bytes(24)),
        // Plain texts, single bytes and nothing but zeros.
        text("hello\n"),
        text("{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1}"),
        text("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"),
        text("PING"),
        text("\n"),
        bytes(1),
        bytes(2),
        bytes(3),
        bytes(8),
        bytes(64),
        vec![0; 8],
        vec![0xff; 4],
        vec![0xff; 8],
    ]
}

/// The ports that games document.
fn ports() -> Vec<u16> {
    let games = registry().games().flat_map(|game| game.ports);
    let mut ports: Vec<_> = games.map(|port| port.number).collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// How many payloads were sent, and how many each message was taken for.
fn claimed(ports: &[u16]) -> (usize, BTreeMap<String, usize>) {
    let mut random = SeededRandom::new(19);
    let mut story = Story::new(Link::RawIp, Format::Pcap, 1_700_000_000);
    let mut sent = 0;
    for port in ports {
        for payload in (0..EACH).flat_map(|_| foreign(&mut random)) {
            for is_to in [true, false] {
                let host = |net: u8| {
                    let [_, _, high, low] = u32::try_from(sent).unwrap().to_be_bytes();
                    Ipv4Addr::new(10, net, high, low)
                };
                let ends = [(host(1), 50_000), (host(2), *port)].map(SocketAddr::from);
                let [from, to] = if is_to { ends } else { [ends[1], ends[0]] };
                story.send(from, to, &payload);
                sent += 1;
            }
        }
    }
    let input = Input::Memory { name: "foreign".to_owned(), bytes: story.file().into() };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut claimed = BTreeMap::new();
    let done = pipeline.messages(|message| {
        let header = message.header;
        *claimed.entry(format!("{} {}", header.entry.protocol.id, header.name)).or_default() += 1;
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    (sent, claimed)
}

#[test]
fn nothing_foreign_is_a_message_on_other_ports() {
    let (sent, claimed) = claimed(&[ELSEWHERE; 40]);
    assert!(sent > 6_000, "{sent}");
    assert_eq!(claimed, BTreeMap::new());
}

#[test]
fn hardly_anything_foreign_is_a_message_on_documented_ports() {
    let (sent, claimed) = claimed(&ports());
    assert!(sent > 15_000, "{sent}");
    // 41 of 52,511 were the share before the messages of today's programs.
    let most = sent * 41 / 52_511;
    let all: usize = claimed.values().sum();
    assert!(all <= most, "{all} of {sent}, at most {most}: {claimed:?}");
    let is_letter = |name: &String| name.split(' ').next_back().is_some_and(|name| name.len() == 1);
    assert!(claimed.keys().all(is_letter), "{claimed:?}");
}
