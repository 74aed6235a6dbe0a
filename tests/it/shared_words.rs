//! Words that games of several protocols share: they are classified by the server's protocol,
//! whatever the ports, whether it is known before or after, and whether its response was captured.

use std::net::SocketAddr;

use fragshark::flow::{Flows, PacketMeta, Transport};
use fragshark::protocol::Role;

/// A server of a protocol: its identifying message, and the destination; requests that it gets, and
/// the responses of its games.
struct Kind {
    protocol: &'static str,
    tells: &'static [(&'static str, &'static [u8])],
    words: &'static [(&'static [u8], &'static [u8])],
}

const MASTER: &str = "203.0.113.1:27950";
const HALF_LIFE_MASTER: &str = "203.0.113.1:27010";
const OTHER: &str = "198.51.100.99:40099";

static KINDS: [Kind; 5] = [
    Kind {
        protocol: "quake3",
        tells: &[(OTHER, b"\xff\xff\xff\xffinfoResponse\n\\protocol\\68\\hostname\\x")],
        words: &[
            (b"\xff\xff\xff\xffgetchallenge", b"\xff\xff\xff\xffchallengeResponse 12345"),
            (b"\xff\xff\xff\xffrcon pw status", b"\xff\xff\xff\xffprint\nBad rcon_password.\n"),
        ],
    },
    Kind {
        protocol: "quake3",
        tells: &[(MASTER, b"\xff\xff\xff\xffheartbeat DarkPlaces\n")],
        words: &[
            (b"\xff\xff\xff\xffping", b"\xff\xff\xff\xffack"),
            (b"\xff\xff\xff\xffgetchallenge", b"\xff\xff\xff\xffchallenge 8Xq_2ZpLk1w"),
            (b"\xff\xff\xff\xffrcon pw status", b"\xff\xff\xff\xffprint\nBad rcon_password.\n"),
        ],
    },
    Kind {
        protocol: "quake2",
        tells: &[(
            OTHER,
            b"\xff\xff\xff\xffprint\n\\version\\3.20\\gamename\\baseq2\\protocol\\34\n",
        )],
        words: &[
            (b"\xff\xff\xff\xffstatus", b"\xff\xff\xff\xffprint\n\\mapname\\q2dm1\\protocol\\34\n"),
            (
                b"\xff\xff\xff\xffstatus\0",
                b"\xff\xff\xff\xffprint\n\\mapname\\q2dm1\\protocol\\34\n",
            ),
            (
                b"\xff\xff\xff\xffstatus 23\n",
                b"\xff\xff\xff\xffprint\n\\mapname\\q2dm1\\protocol\\34\n",
            ),
            (b"\xff\xff\xff\xffping", b"\xff\xff\xff\xffack"),
            (b"\xff\xff\xff\xffping\n", b"\xff\xff\xff\xffack"),
            (
                b"\xff\xff\xff\xffinfo 34",
                b"\xff\xff\xff\xffinfo\n          noname    q2dm1  0/ 8\n",
            ),
            (b"\xff\xff\xff\xffgetchallenge\n", b"\xff\xff\xff\xffchallenge 22695 p=34,35"),
            (
                b"\xff\xff\xff\xffconnect 34 810 22695 \"\\name\\x\"\n",
                b"\xff\xff\xff\xffclient_connect",
            ),
            (b"\xff\xff\xff\xffrcon pw status", b"\xff\xff\xff\xffprint\nBad rcon_password.\n"),
        ],
    },
    Kind {
        protocol: "quakeworld",
        tells: &[(OTHER, b"\xff\xff\xff\xffn\\*gamedir\\qw\\*version\\MVDSV 1\\map\\dm6\n\0")],
        words: &[
            (b"\xff\xff\xff\xffstatus\n", b"\xff\xff\xff\xffn\\map\\dm6\n\0"),
            (b"\xff\xff\xff\xffstatus\0", b"\xff\xff\xff\xffn\\map\\dm6\n\0"),
            (b"\xff\xff\xff\xffstatus 23\n", b"\xff\xff\xff\xffn\\map\\dm6\n\0"),
            (b"\xff\xff\xff\xffping\n", b"\xff\xff\xff\xffl\0"),
            (b"\xff\xff\xff\xffping", b"\xff\xff\xff\xffl\0"),
            (b"\xff\xff\xff\xffgetchallenge\n", b"\xff\xff\xff\xffc22695\0"),
            (b"\xff\xff\xff\xffconnect 28 810 22695 \"\\name\\x\"\n", b"\xff\xff\xff\xffj\0"),
            (b"\xff\xff\xff\xffrcon pw status", b"\xff\xff\xff\xffnBad rcon_password.\n\0"),
        ],
    },
    Kind {
        protocol: "half-life",
        tells: &[(HALF_LIFE_MASTER, b"0\n\\protocol\\46\\challenge\\1\\players\\0\\max\\8\n")],
        words: &[
            (b"\xff\xff\xff\xffping\0", b"\xff\xff\xff\xffj\0"),
            (b"\xff\xff\xff\xffinfo 49", b"\xff\xff\xff\xffinfo\n\\host\\x\\map\\y"),
            (b"\xff\xff\xff\xffstatus\n", b"\xff\xff\xff\xffprint\nx"),
            (b"\xff\xff\xff\xffgetchallenge steam\n", b"\xff\xff\xff\xffchallenge 12345 0"),
            (b"\xff\xff\xff\xffrcon 12345 \"pw\" status", b"\xff\xff\xff\xffprint\nx"),
            (
                b"\xff\xff\xff\xffconnect 49 810 \"\\x\\1\" \"\\name\\x\"\n",
                b"\xff\xff\xff\xffprint\nno",
            ),
        ],
    },
];

/// Ports of servers, masters and clients of all these games, and one of none.
const PORTS: [u16; 13] =
    [27500, 27501, 27000, 27001, 27910, 27901, 27900, 27960, 27961, 27950, 26000, 27015, 40000];

/// Traffic, classified in pass one and again in pass two.
#[derive(Default)]
struct Traffic {
    datagrams: Vec<(SocketAddr, SocketAddr, &'static [u8])>,
}

impl Traffic {
    fn say(&mut self, from: SocketAddr, to: SocketAddr, payload: &'static [u8]) -> &mut Self {
        self.datagrams.push((from, to, payload));
        self
    }

    fn sent(&self) -> impl Iterator<Item = (PacketMeta, &'static [u8])> {
        (1..).zip(&self.datagrams).map(|(number, (source, destination, payload))| {
            let (time, transport) = (i64::try_from(number).unwrap(), Transport::Udp);
            let (source, destination) = (*source, *destination);
            (
                PacketMeta { number, time, transport, source, destination, cut: false, input: 0 },
                *payload,
            )
        })
    }

    /// The protocol of each message, if it is one.
    fn classified(&self) -> (Flows, Vec<Option<&'static str>>) {
        let mut flows = Flows::default();
        for (sent, payload) in self.sent() {
            flows.observe(sent, payload);
        }
        flows.rewind();
        let names = self.sent().map(|(sent, payload)| {
            let message = flows.reclassify(sent, payload).message;
            message.map(|named| named.entry.protocol.id).filter(|id| *id != "unknown")
        });
        let names = names.collect();
        (flows, names)
    }
}

/// Asserts that all messages have the server's protocol, and that the client has none of its own.
fn check(kind: &Kind, traffic: &Traffic, client: SocketAddr, what: &str) {
    let (flows, protocols) = traffic.classified();
    for (protocol, (_, _, payload)) in protocols.iter().zip(&traffic.datagrams) {
        let is_right = protocol.is_none_or(|protocol| protocol == kind.protocol);
        let datagrams = payload.escape_ascii();
        assert!(is_right, "{what}: \"{datagrams}\" is of {protocol:?}, not {}", kind.protocol);
        // Half-Life's messages of a running game are not declared here.
        assert!(
            protocol.is_some() || kind.protocol == "half-life",
            "{what}: \"{datagrams}\" is lost"
        );
    }
    for (id, _) in flows.iter() {
        let ends = flows.endpoints(id).unwrap();
        let client = ends.into_iter().find(|end| end.address == client);
        let serves = client.is_some_and(|end| end.is_proven(Role::Server));
        assert!(!serves, "{what}: {client:?} is no server");
    }
}

#[test]
fn shared_words_go_with_what_the_server_is_known_to_be() {
    for kind in &KINDS {
        for server_port in PORTS {
            for client_port in PORTS {
                let server: SocketAddr = format!("192.0.2.1:{server_port}").parse().unwrap();
                let client: SocketAddr = format!("198.51.100.7:{client_port}").parse().unwrap();
                for (known_first, answered) in
                    [(true, false), (true, true), (false, false), (false, true)]
                {
                    let mut traffic = Traffic::default();
                    let tell = |traffic: &mut Traffic| {
                        for (to, payload) in kind.tells {
                            traffic.say(server, to.parse().unwrap(), payload);
                        }
                    };
                    if known_first {
                        tell(&mut traffic);
                    }
                    for (request, reply) in kind.words {
                        traffic.say(client, server, request);
                        if answered {
                            traffic.say(server, client, reply);
                        }
                    }
                    if !known_first {
                        tell(&mut traffic);
                    }
                    let ports = format!("client {client_port}, server {server_port}");
                    let what = format!("{ports}, first {known_first}, answered {answered}");
                    check(kind, &traffic, client, &what);
                }
            }
        }
    }
}

#[test]
fn without_any_word_of_its_own_an_answer_tells() {
    let server: SocketAddr = "192.0.2.1:30000".parse().unwrap();
    for kind in &KINDS {
        for (request, reply) in kind.words.iter().filter(|_| kind.protocol != "half-life") {
            // Several games have these two, and their bytes do not say which.
            if reply.ends_with(b"ack") || reply.starts_with(b"\xff\xff\xff\xffprint\nB") {
                continue;
            }
            for client_port in PORTS {
                let client: SocketAddr = format!("198.51.100.7:{client_port}").parse().unwrap();
                let mut traffic = Traffic::default();
                traffic.say(client, server, request).say(server, client, reply);
                let (_, protocols) = traffic.classified();
                let datagrams = request.escape_ascii();
                assert_eq!(protocols[0], protocols[1], "\"{datagrams}\" from {client_port}");
            }
        }
    }
}
