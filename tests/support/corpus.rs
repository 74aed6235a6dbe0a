//! Messages as bytes, one JSON object per line: the documented ones (`tests/data/messages.jsonl`) and
//! those of today's programs (`tests/data/today.jsonl`).
#![allow(dead_code, reason = "each test program reads the part that it needs")]

use fragshark::protocol::{Carrier, Direction, Role};

/// One example that a document prints or defines.
#[derive(Debug, Clone)]
pub struct Documented {
    /// `game/section/number`.
    pub id: String,
    pub game: String,
    /// The name without parts in brackets.
    pub name: String,
    pub transport: String,
    pub way: Direction,
    /// The documented ports; `None`: any.
    pub ports: [Option<u16>; 2],
    pub note: Option<String>,
    pub bytes: Vec<u8>,
}

impl Documented {
    /// Its transport.
    pub fn carrier(&self) -> Carrier {
        match self.transport.as_str() {
            "udp" => Carrier::Datagram,
            "tcp" => Carrier::Stream,
            other => panic!("{other} carries nothing here"),
        }
    }
}

/// The documented ones, in the documents' order.
pub fn documented() -> Vec<Documented> {
    include_str!("../data/messages.jsonl").lines().map(read).collect()
}

/// What today's servers, clients and masters send; `note` is always empty.
pub fn today() -> Vec<Documented> {
    include_str!("../data/today.jsonl").lines().map(read).collect()
}

fn read(line: &str) -> Documented {
    let m: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = |key: &str| m[key].as_str().unwrap().to_owned();
    let port = |key: &str| m[key].as_u64().map(|n| u16::try_from(n).unwrap());
    Documented {
        id: text("id"),
        game: text("game"),
        name: text("message").split(" (").next().unwrap().to_owned(),
        transport: text("transport"),
        way: Direction { from: Some(party(&text("from"))), to: Some(party(&text("to"))) },
        ports: [port("src_port"), port("dst_port")],
        note: m["note"].as_str().map(str::to_owned),
        bytes: hex::decode(text("hex")).unwrap(),
    }
}

fn party(name: &str) -> Role {
    match name {
        "client" => Role::Client,
        "server" => Role::Server,
        "master" => Role::Master,
        other => panic!("{other} is no party"),
    }
}
