//! Why a server is not listed: its way from the heartbeat to the list, step by step.

mod way;

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use super::exchange::Exchange;
use super::hosts::{Left, Server};
use super::ledger::Ledger;
use crate::proto::{Affair, Reading};
use crate::wire::{Node, Role};
use way::Way;

/// How many registrations of the server are kept, and how many lists.
const KEPT: usize = 4_096;

/// Which server is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub address: IpAddr,
    /// Any, where it is not said.
    pub port: Option<u16>,
}

/// What is gathered about one server while exchanges end.
pub struct Inquiry {
    wanted: Wanted,
    registrations: Vec<Exchange>,
    lists: Vec<Listed>,
    left_out: u64,
}

/// A list, and whether it has the server.
#[derive(Debug)]
struct Listed {
    master: SocketAddr,
    number: u64,
    time: i64,
    /// Under which address, with the frame.
    server: Option<(SocketAddr, u64)>,
    /// The same with the bytes of its port swapped.
    swapped: Option<(SocketAddr, u64)>,
    asked: Asked,
}

/// What a list was asked for.
#[derive(Debug, Default)]
struct Asked {
    protocol: Option<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

/// A server's way to the list of one master.
#[derive(Debug)]
pub struct Account {
    pub server: SocketAddr,
    pub master: SocketAddr,
    /// Every step in order, up to the first that failed.
    pub steps: Vec<Verdict>,
    /// How the server went, if it did.
    pub left: Option<Left>,
}

/// What is known of one step.
#[derive(Debug)]
pub struct Verdict {
    pub step: Stage,
    pub outcome: Outcome,
    /// What was seen, in words; bytes from the net are escaped.
    pub text: String,
    /// The frames to look at.
    pub messages: Vec<u64>,
}

/// The steps of a registration, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Heartbeat,
    Arrival,
    Challenge,
    Answer,
    Proof,
    Contents,
    Listing,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    /// The capture does not tell.
    Unknown,
}

impl Inquiry {
    /// Begins to gather.
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, registrations: Vec::new(), lists: Vec::new(), left_out: 0 }
    }

    /// An exchange is over.
    pub fn hear(&mut self, exchange: &Exchange) {
        match exchange.affair {
            Affair::Registration if exchange.server.is_some_and(|s| self.wanted.fits(s)) => {
                if self.registrations.len() < KEPT {
                    self.registrations.push(exchange.clone());
                } else {
                    self.left_out += 1;
                }
            }
            Affair::List if self.lists.len() < KEPT => {
                self.lists.extend(Listed::of(exchange, self.wanted));
            }
            Affair::List => self.left_out += 1,
            _ => {}
        }
    }

    /// How many exchanges were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Tells the way of every server that was meant, to every master that it turned to or that
    /// listed it; nothing where none was seen.
    pub fn conclude(&self, ledger: &Ledger) -> Vec<Account> {
        let mut ways: Vec<(SocketAddr, SocketAddr)> = Vec::new();
        let registered = self.registrations.iter().filter_map(|e| Some((e.server?, e.asked)));
        let listed = self.lists.iter().filter_map(|list| Some((list.server?.0, list.master)));
        for (server, master) in registered.chain(listed) {
            let known = |(s, m): &(SocketAddr, SocketAddr)| *s == server && m.ip() == master.ip();
            if !ways.iter().any(known) {
                ways.push((server, master));
            }
        }
        ways.into_iter().map(|(server, master)| self.account(server, master, ledger)).collect()
    }

    fn account(&self, server: SocketAddr, master: SocketAddr, ledger: &Ledger) -> Account {
        let ours = |e: &&Exchange| e.server == Some(server) && e.asked.ip() == master.ip();
        let registrations: Vec<_> = self.registrations.iter().filter(ours).collect();
        let known = ledger.hosts().server(server);
        let way = Way { server, master, registrations, lists: &self.lists, known };
        let mut steps = Vec::new();
        for step in [
            Way::heartbeat,
            Way::arrival,
            Way::challenge,
            Way::answer,
            Way::proof,
            Way::contents,
            Way::listing,
        ] {
            let Some(verdict) = step(&way, &ledger.findings()) else {
                continue;
            };
            let failed = verdict.outcome == Outcome::Failed;
            steps.push(verdict);
            if failed {
                break;
            }
        }
        let left = known.and_then(|server| ledger.hosts().left(server));
        Account { server, master, steps, left }
    }
}

impl Account {
    /// The step that failed, if one did.
    pub fn failed(&self) -> Option<&Verdict> {
        self.steps.iter().find(|verdict| verdict.outcome == Outcome::Failed)
    }

    /// Whether a list has it.
    pub fn is_listed(&self) -> bool {
        let listed = |v: &Verdict| v.step == Stage::Listing && v.outcome == Outcome::Passed;
        self.steps.iter().any(listed)
    }
}

impl Wanted {
    fn fits(self, server: SocketAddr) -> bool {
        server.ip() == self.address && self.port.is_none_or(|port| port == server.port())
    }
}

impl Listed {
    fn of(exchange: &Exchange, wanted: Wanted) -> Option<Self> {
        let listing = exchange.listing()?;
        let found = |fits: &dyn Fn(SocketAddr) -> bool| {
            let (server, at) = listing.servers.iter().find(|(server, _)| fits(*server))?;
            let packet = listing.packets.get(usize::from(*at))?;
            Some((*server, packet.number))
        };
        let swap = |s: SocketAddr| SocketAddr::new(s.ip(), s.port().swap_bytes());
        Some(Self {
            master: exchange.master().unwrap_or(exchange.asked),
            number: exchange.number(),
            time: exchange.first,
            server: found(&|server| wanted.fits(server)),
            swapped: wanted.port.and_then(|_| found(&|server| wanted.fits(swap(server)))),
            asked: Asked::of(exchange).unwrap_or_default(),
        })
    }
}

impl Asked {
    fn of(exchange: &Exchange) -> Option<Self> {
        let (entry, payload) = exchange.listing()?.request.as_ref()?;
        let mut reading = Reading::default();
        reading.walk(entry, payload);
        let mut asked = Self::default();
        for span in reading.spans().all.iter().filter(|s| s.node == Node::Leaf) {
            let layer = reading.layer(payload, span.layer);
            let bytes = layer.get(span.start as usize..span.end as usize)?;
            match span.field.role {
                Role::Protocol => asked.protocol = Some(span.shape.text(bytes).into_owned()),
                _ if span.field.name == "keyword" => asked.words.push(bytes.to_ascii_lowercase()),
                _ => {}
            }
        }
        Some(asked)
    }

    fn has(&self, word: &[u8]) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// Why a list asked for in this way leaves a server out.
    fn excludes(&self, server: &Server) -> Option<String> {
        let own = server.protocol.as_deref();
        if let (Some(asked), Some(own)) = (self.protocol.as_deref(), own)
            && asked != own
        {
            let (asked, own) = (asked.escape_ascii(), own.escape_ascii());
            return Some(format!("it asks for protocol {asked}, the server speaks {own}"));
        }
        let filters = self.protocol.is_some();
        match (server.players, server.places) {
            (Some(0), _) if filters && !self.has(b"empty") => {
                Some("it does not ask for empty servers, and nobody is on this one".to_owned())
            }
            (Some(players), Some(places)) if filters && players >= places && !self.has(b"full") => {
                Some("it does not ask for full servers, and this one is".to_owned())
            }
            _ => None,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Heartbeat => "heartbeat",
            Self::Arrival => "arrival",
            Self::Challenge => "challenge",
            Self::Answer => "answer",
            Self::Proof => "proof",
            Self::Contents => "contents",
            Self::Listing => "listing",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passed => "ok",
            Self::Failed => "FAILED",
            Self::Unknown => "unseen",
        })
    }
}
