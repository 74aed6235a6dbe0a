//! Connections of other protocols, on their own ports and on those of games, whole and in pieces, from
//! their beginning and from the middle: none of it may be taken for a message.
//!
//! The bytes are made here, in the forms of their protocols, with values from a fixed seed.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::ControlFlow;

use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use random::SeededRandom;

use crate::story::Side::{Client, Server};
use crate::story::{Format, Link, Side, Story};

/// The ports on which games' programs listen, or their admins' do.
const OURS: [u16; 7] = [28902, 28900, 28910, 27015, 25575, 80, 27960];
/// The sizes of the pieces.
const PIECES: [usize; 3] = [1, 7, 10_000];

/// A connection of another protocol: its name, its port, and what both sides send.
type Foreign = (&'static str, u16, Vec<(Side, Vec<u8>)>);

/// The connections.
fn foreign(random: &mut SeededRandom) -> Vec<Foreign> {
    let mut bytes = |count: usize| (0..count).map(|_| random.byte()).collect::<Vec<u8>>();
    let client = |bytes: &[u8]| (Client, bytes.to_vec());
    let server = |bytes: &[u8]| (Server, bytes.to_vec());
    let c = client;
    let s = server;
    // A length of four bytes, its least significant byte first, and so much more.
    let framed = |body: &[u8]| [&(body.len() as u32).to_le_bytes()[..], body].concat();
    // The same with the most significant byte first.
    let framed_big = |body: &[u8]| [&(body.len() as u32).to_be_bytes()[..], body].concat();
    vec![
        ("mysql", 3306, vec![
            s(b"\x4a\0\0\0\x0a8.0.36\0\x08\0\0\0abcdefgh\0\xff\xff\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0ijklmnopqrst\0mysql_native_password\0"),
            c(b"\x25\0\0\x01\x85\xa6\x03\0\0\0\0\x01\x21\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0lab\0\0"),
            s(b"\x07\0\0\x02\0\0\0\x02\0\0\0"),
            c(b"\x09\0\0\0\x03SELECT 1"),
            s(b"\x01\0\0\x01\x01\x17\0\0\x02\x03def\0\0\0\x011\0\x0c\x3f\0\x01\0\0\0\x08\x81\0\0\0\0\x05\0\0\x03\xfe\0\0\x02\0\x02\0\0\x04\x011\x05\0\0\x05\xfe\0\0\x02\0"),
            c(b"\x01\0\0\0\x0e"), s(b"\x07\0\0\x01\0\0\0\x02\0\0\0"), c(b"\x01\0\0\0\x01"),
        ]),
        ("mysql-quit", 3306, vec![c(b"\x01\0\0\0\x01")]),
        ("postgresql", 5432, vec![
            c(b"\0\0\0\x08\x04\xd2\x16\x2f"), s(b"N"), c(b"\0\0\0\x20\0\x03\0\0user\0lab\0database\0lab\0\0\0\0"),
            s(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I"), c(b"Q\0\0\0\x0eselect 1;\0"), c(b"X\0\0\0\x04"),
        ]),
        ("mongodb", 27017, vec![
            c(&framed(b"\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0\x1f\0\0\0\x10hello\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0")),
            s(&framed(b"\x02\0\0\0\x01\0\0\0\x01\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x05\0\0\0\0")),
        ]),
        ("redis", 6379, vec![c(b"*1\r\n$4\r\nPING\r\n"), s(b"+PONG\r\n"), c(b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n"), s(b"$-1\r\n")]),
        ("memcached", 11211, vec![c(b"get a\r\n"), s(b"END\r\n"), c(b"\x80\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0a")]),
        ("mssql", 1433, vec![c(b"\x12\x01\0\x2f\0\0\x01\0\0\0\x1a\0\x06\x01\0\x20\0\x01\x02\0\x21\0\x01\x03\0\x22\0\x04\x04\0\x26\0\x01\xff\x11\0\0\0\0\0\0\0\0\0\0\0"), s(b"\x04\x01\0\x2b\0\0\x01\0\0\0\x1a\0\x06\x01\0\x20\0\x01\x02\0\x21\0\x01\xff\x0f\0\x07\xd0\0\0\x02\0")]),
        ("oracle", 1521, vec![c(b"\0\x3a\0\0\x01\0\0\0\x01\x39\x01\x2c\0\x41\x20\0\x7f\xff\x7f\x08\0\0\x01\0"), s(b"\0\x08\0\0\x0b\0\0\0")]),
        ("cassandra", 9042, vec![c(b"\x04\0\0\0\x01\0\0\0\x16\0\x01\0\x0bCQL_VERSION\0\x053.0.0"), s(b"\x84\0\0\0\x02\0\0\0\0")]),
        ("kafka", 9092, vec![c(&framed_big(b"\0\x12\0\0\0\0\0\x01\0\x03lab")), s(&framed_big(b"\0\0\0\x01\0\0\0\0\0\0"))]),
        ("zookeeper", 2181, vec![c(&framed_big(b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x75\x30\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")), s(b"imok")]),
        ("amqp", 5672, vec![c(b"AMQP\0\0\x09\x01"), s(b"\x01\0\0\0\0\0\x0c\0\x0a\0\x0a\0\x09\0\0\0\0\0\0\0\0\xce")]),
        ("mqtt", 1883, vec![c(b"\x10\x0f\0\x04MQTT\x04\x02\0\x3c\0\x03lab"), s(b"\x20\x02\0\0"), c(b"\xc0\0"), s(b"\xd0\0"), c(b"\xe0\0")]),
        ("stomp", 61613, vec![c(b"CONNECT\naccept-version:1.2\nhost:lab\n\n\0"), s(b"CONNECTED\nversion:1.2\n\n\0")]),
        ("nats", 4222, vec![s(b"INFO {\"server_id\":\"A\"}\r\n"), c(b"CONNECT {}\r\nPING\r\n"), s(b"PONG\r\n")]),
        ("ssh", 22, vec![s(b"SSH-2.0-OpenSSH_9.6\r\n"), c(b"SSH-2.0-OpenSSH_9.6\r\n"), c(&framed_big(&bytes(300))), s(&framed_big(&bytes(300)))]),
        ("tls", 443, vec![
            c(&[b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", bytes(507).as_slice()].concat()),
            s(&[b"\x16\x03\x03\0\x7a\x02\0\0\x76\x03\x03", bytes(117).as_slice()].concat()),
            c(&[b"\x17\x03\x03\0\x40", bytes(64).as_slice()].concat()),
        ]),
        ("tls-in-the-middle", 443, vec![c(&[b"\x17\x03\x03\0\x20", bytes(32).as_slice()].concat()), s(&[b"\x17\x03\x03\x01\0", bytes(256).as_slice()].concat())]),
        ("http", 80, vec![c(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"), s(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]),
        ("http-post", 8080, vec![c(b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na=b"), s(b"HTTP/1.1 204 No Content\r\n\r\n")]),
        ("http2", 80, vec![c(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0d\0\x04\x02\0\0\0\0\x02\0\0\0\0"), s(b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x80")]),
        ("websocket", 80, vec![c(b"GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), s(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"), s(b"\x81\x05hello"), c(b"\x81\x85\x01\x02\x03\x04iggob")]),
        ("rtsp", 554, vec![c(b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"), s(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n")]),
        ("sip", 5060, vec![c(b"OPTIONS sip:a@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/TCP 192.0.2.9\r\n\r\n"), s(b"SIP/2.0 200 OK\r\n\r\n")]),
        ("ftp", 21, vec![s(b"220 ready\r\n"), c(b"USER lab\r\n"), s(b"331 password\r\n"), c(b"QUIT\r\n"), s(b"221 bye\r\n")]),
        ("smtp", 25, vec![s(b"220 mx ESMTP\r\n"), c(b"EHLO lab\r\n"), s(b"250 mx\r\n"), c(b"QUIT\r\n")]),
        ("pop3", 110, vec![s(b"+OK\r\n"), c(b"USER lab\r\n"), s(b"+OK\r\n")]),
        ("imap", 143, vec![s(b"* OK IMAP4rev1\r\n"), c(b"a1 NOOP\r\n"), s(b"a1 OK\r\n")]),
        ("irc", 6667, vec![c(b"NICK lab\r\nUSER lab 0 * :lab\r\n"), s(b":irc 001 lab :hi\r\n"), s(b"PING :irc\r\n"), c(b"PONG :irc\r\n")]),
        ("xmpp", 5222, vec![c(b"<?xml version='1.0'?><stream:stream to='lab' xmlns='jabber:client'>"), s(b"<?xml version='1.0'?><stream:stream from='lab'>")]),
        ("telnet", 23, vec![s(b"\xff\xfd\x18\xff\xfd\x20\xff\xfd\x23"), c(b"\xff\xfb\x18\xff\xfc\x20"), s(b"login: "), c(b"lab\r\n")]),
        ("finger", 79, vec![c(b"lab\r\n"), s(b"no such user\r\n")]),
        ("whois", 43, vec![c(b"example.org\r\n"), s(b"domain: example.org\r\n")]),
        ("dns", 53, vec![c(b"\0\x1d\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x07example\x03org\0\0\x01\0\x01"), s(b"\0\x2d\x12\x34\x81\x80\0\x01\0\x01\0\0\0\0\x07example\x03org\0\0\x01\0\x01\xc0\x0c\0\x01\0\x01\0\0\x0e\x10\0\x04\xc0\0\x02\x07")]),
        ("ldap", 389, vec![c(b"\x30\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\0\x80\0"), s(b"\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\0\x04\0\x04\0"), c(b"\x30\x05\x02\x01\x02\x42\0")]),
        ("kerberos", 88, vec![c(&framed_big(&[b"\x6a\x81\x9f", bytes(160).as_slice()].concat())), s(&framed_big(&[b"\x7e\x50", bytes(80).as_slice()].concat()))]),
        ("smb", 445, vec![c(b"\0\0\0\x2f\xffSMB\x72\0\0\0\0\x18\x01\x28\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x2f\x4b\0\0\xc5\x5e\0\x0c\0\x02NT LM 0.12\0"), s(&[b"\0\0\0\x44\xfeSMB\x40\0", bytes(60).as_slice()].concat())]),
        ("netbios-session", 139, vec![c(b"\x81\0\0\x44 CKFDENECFDEFFCFGEFFCCACACACACACA\0 EMEBECCACACACACACACACACACACACAAA\0"), s(b"\x82\0\0\0")]),
        ("nfs", 2049, vec![c(b"\x80\0\0\x28\x12\x34\x56\x78\0\0\0\0\0\0\0\x02\0\x01\x86\xa3\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), s(b"\x80\0\0\x18\x12\x34\x56\x78\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")]),
        ("rdp", 3389, vec![c(b"\x03\0\0\x13\x0e\xe0\0\0\0\0\0\x01\0\x08\0\x03\0\0\0"), s(b"\x03\0\0\x13\x0e\xd0\0\0\x12\x34\0\x02\0\x08\0\x02\0\0\0")]),
        ("vnc", 5900, vec![s(b"RFB 003.008\n"), c(b"RFB 003.008\n"), s(b"\x01\x01"), c(b"\x01"), s(b"\0\0\0\0"), c(b"\x01")]),
        ("x11", 6000, vec![c(b"l\0\x0b\0\0\0\0\0\0\0\0\0"), s(b"\x01\0\x0b\0\0\0\x08\0")]),
        ("bgp", 179, vec![c(&[[0xff; 16].as_slice(), b"\0\x1d\x01\x04\xfd\xe8\0\xb4\xc0\0\x02\x01\0"].concat()), s(&[[0xff; 16].as_slice(), b"\0\x13\x04"].concat())]),
        ("socks5", 1080, vec![c(b"\x05\x01\0"), s(b"\x05\0"), c(b"\x05\x01\0\x01\xc0\0\x02\x07\0\x50"), s(b"\x05\0\0\x01\0\0\0\0\0\0")]),
        ("bittorrent", 6881, vec![c(&[b"\x13BitTorrent protocol\0\0\0\0\0\0\0\0", bytes(40).as_slice()].concat()), s(&[b"\x13BitTorrent protocol\0\0\0\0\0\0\0\0", bytes(40).as_slice()].concat()), c(b"\0\0\0\x01\x02\0\0\0\x05\x04\0\0\0\x01"), s(b"\0\0\0\x01\x01\0\0\0\0")]),
        ("git", 9418, vec![c(b"0032git-upload-pack /a.git\0host=example.org\0"), s(b"0000")]),
        ("rsync", 873, vec![s(b"@RSYNCD: 31.0\n"), c(b"@RSYNCD: 31.0\n"), c(b"lab\n")]),
        ("subversion", 3690, vec![s(b"( success ( 2 2 ( ) ( edit-pipeline ) ) ) "), c(b"( 2 ( edit-pipeline ) 7:svn://a ) ")]),
        ("cvs", 2401, vec![c(b"BEGIN AUTH REQUEST\n/cvs\nlab\nA\nEND AUTH REQUEST\n"), s(b"I LOVE YOU\n")]),
        ("docker-log", 2375, vec![s(b"\x01\0\0\0\0\0\0\x06hello\n\x02\0\0\0\0\0\0\x04err\n")]),
        ("modbus", 502, vec![c(b"\0\x01\0\0\0\x06\x01\x03\0\0\0\x0a"), s(b"\0\x01\0\0\0\x05\x01\x03\x02\0\x01")]),
        ("s7", 102, vec![c(b"\x03\0\0\x16\x11\xe0\0\0\0\x01\0\xc0\x01\x0a\xc1\x02\x01\0\xc2\x02\x01\x02"), s(b"\x03\0\0\x16\x11\xd0\0\x01\0\x02\0\xc0\x01\x0a\xc1\x02\x01\0\xc2\x02\x01\x02")]),
        ("dnp3", 20000, vec![c(b"\x05\x64\x05\xc9\x01\0\x64\0\x12\x34"), s(b"\x05\x64\x05\x0b\x64\0\x01\0\x56\x78")]),
        ("iec104", 2404, vec![c(b"\x68\x04\x07\0\0\0"), s(b"\x68\x04\x0b\0\0\0")]),
        ("minecraft", 25565, vec![c(b"\x10\0\xff\x05\x09localhost\x63\xdd\x01\x01\0"), s(b"\x1b\0\x19{\"version\":{\"name\":\"1.20\"}"), c(b"\xfe\x01")]),
        ("battleye-web", 2302, vec![c(b"BE\x01\x02\x03\x04\xff\0lab")]),
        ("teamspeak-query", 10011, vec![s(b"TS3\n\rWelcome\n\r"), c(b"serverinfo\n"), s(b"error id=0 msg=ok\n\r")]),
        ("mumble", 64738, vec![c(b"\0\0\0\0\0\x0c\x0d\x02\0\x01\0\x12\x031.2\x1a\0"), s(b"\0\x0f\0\0\0\x04\x0a\x02\0\0")]),
        ("factorio-like", 34197, vec![c(&framed(b"{\"jsonrpc\":\"2.0\"}")), s(&framed(b"{}"))]),
        ("grpc-lengths", 50051, vec![c(b"\0\0\0\0\x05\x0a\x03lab"), s(b"\0\0\0\0\x02\x08\x01")]),
        ("unity-frames", 7777, vec![c(&framed(b"\x03\0\0\0\x01")), s(&framed(b"\x02\x03lab\0")), c(&framed(b"\0\x01\x02\x03\x04\x05")), s(&framed(b"\x05\0\0\0\x01"))]),
        ("adb", 5555, vec![c(b"CNXN\0\0\0\x01\0\0\x10\0\x07\0\0\0\x32\x02\0\0\xbc\xb1\xa7\xb1host::\0"), s(b"AUTH\x01\0\0\0\0\0\0\0\x14\0\0\0\x12\x09\0\0\xbe\xaa\xab\xb7")]),
        ("netflow-like", 4739, vec![c(b"\0\x0a\0\x20\x65\x53\xf1\0\0\0\0\x01\0\0\0\0\0\x02\0\x10\x01\0\0\x02\0\x08\0\x04\0\x0c\0\x04")]),
        ("syslog", 514, vec![c(b"<34>1 2026-11-23T20:00:00Z host su - - - failed\n")]),
        ("json-lines", 9000, vec![c(b"{\"a\":1}\n"), s(b"{\"b\":2}\n")]),
        ("one-byte", 9001, vec![c(b"\x01"), s(b"\x00"), c(b"\n"), s(b"\\")]),
        ("zeros", 9002, vec![c(&[0; 64]), s(&[0; 9]), c(&[0; 1])]),
        ("random", 9003, vec![c(&bytes(64)), s(&bytes(256)), c(&bytes(5)), s(&bytes(9))]),
    ]
}

/// What each message is that is taken from these connections: the protocol, its name, and the port and
/// the connection that it was in.
fn claimed(ports: impl Fn(u16) -> Vec<u16>, is_opened: bool) -> (usize, BTreeMap<String, usize>) {
    let mut random = SeededRandom::new(42);
    let all = foreign(&mut random);
    let mut story = Story::new(Link::RawIp, Format::Pcap, 1_700_000_000);
    if !is_opened {
        story.without_openings();
    }
    let mut names = BTreeMap::new();
    for (name, own, sent) in &all {
        for (port, size) in ports(*own).into_iter().flat_map(|port| PIECES.map(|size| (port, size)))
        {
            let number = u16::try_from(names.len()).unwrap();
            let [high, low] = number.to_be_bytes();
            let client = SocketAddr::from(([10, 1, high, low], 50_000));
            let server = SocketAddr::from(([10, 2, high, low], port));
            names.insert(server.ip(), format!("{name} on {port} by {size}"));
            let sent: Vec<_> = sent.iter().map(|(side, bytes)| (*side, bytes.as_slice())).collect();
            story.converse(client, server, &sent, size);
        }
    }
    let input = Input::Memory { name: "foreign".to_owned(), bytes: story.file().into() };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut claimed = BTreeMap::new();
    let done = pipeline.messages(|message| {
        let header = message.header;
        let place = names.get(&header.source.ip()).or(names.get(&header.destination.ip()));
        let what = (header.entry.protocol.id, header.name, place.unwrap());
        *claimed.entry(format!("{} {} in {}", what.0, what.1, what.2)).or_default() += 1;
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    (names.len(), claimed)
}

#[test]
fn no_connection_of_others_is_one_of_ours_from_its_beginning() {
    let ports = |own| [vec![own], OURS.to_vec()].concat();
    let (count, claimed) = claimed(ports, true);
    assert!(count > 60 * PIECES.len() * OURS.len(), "{count}");
    assert_eq!(claimed, BTreeMap::new());
}

#[test]
fn no_connection_of_others_is_one_of_ours_from_the_middle() {
    let (count, claimed) = claimed(|own| vec![own, 43_210], false);
    assert!(count > 60 * PIECES.len(), "{count}");
    assert_eq!(claimed, BTreeMap::new());
}
