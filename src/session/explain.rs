//! Why a server is not listed: its way from the heartbeat to the list, step by step.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use super::exchange::{Exchange, Proof, State, Step, Turn};
use super::findings::Finding;
use super::hosts::{Left, Server};
use super::ledger::Ledger;
use crate::proto::{Affair, Reading};
use crate::wire::{Node, Role};

/// How many registrations of the server are kept, and how many lists.
const KEPT: usize = 4_096;
/// How many messages a step names.
const NAMED: usize = 8;

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

/// A server's way to one master.
struct Way<'a> {
    server: SocketAddr,
    master: SocketAddr,
    registrations: Vec<&'a Exchange>,
    lists: &'a [Listed],
    known: Option<&'a Server>,
}

impl Way<'_> {
    fn steps(&self, turns: &[Turn]) -> impl Iterator<Item = &Step> {
        let all = self.registrations.iter().flat_map(|e| &e.steps);
        all.filter(move |step| turns.contains(&step.turn))
    }

    fn numbers(&self, turns: &[Turn]) -> Vec<u64> {
        self.steps(turns).map(|step| step.number).take(NAMED).collect()
    }

    fn heartbeat(&self, _: &[&Finding]) -> Option<Verdict> {
        let messages = self.numbers(&[Turn::Ask, Turn::Again]);
        let count = self.steps(&[Turn::Ask, Turn::Again]).count();
        let (outcome, text) = match count {
            0 => (Outcome::Unknown, format!("no heartbeat to {} was seen", self.master)),
            1 => (Outcome::Passed, format!("one heartbeat to {}", self.master)),
            n => (Outcome::Passed, format!("{n} heartbeats to {}", self.master)),
        };
        Some(Verdict { step: Stage::Heartbeat, outcome, text, messages })
    }

    fn arrival(&self, _: &[&Finding]) -> Option<Verdict> {
        let errors: Vec<_> = self.registrations.iter().flat_map(|e| &e.errors).collect();
        let error = errors.first()?;
        let answered = self.registrations.iter().any(|e| e.state == State::Answered);
        let outcome = if answered { Outcome::Passed } else { Outcome::Failed };
        let text = format!("the network says: {} ({} times)", error.what, errors.len());
        let messages = errors.iter().map(|e| e.number).take(NAMED).collect();
        Some(Verdict { step: Stage::Arrival, outcome, text, messages })
    }

    /// Masters of some protocols never ask back.
    fn challenge(&self, _: &[&Finding]) -> Option<Verdict> {
        let first = self.registrations.first()?;
        let messages = self.numbers(&[Turn::Query]);
        let refused = self.steps(&[Turn::Refuse]).next();
        let (outcome, text) = match (self.steps(&[Turn::Query]).next(), refused) {
            (_, Some(step)) => {
                (Outcome::Failed, format!("the master refuses it with {}", step.name))
            }
            (Some(step), _) => {
                (Outcome::Passed, format!("the master asks back with {}", step.name))
            }
            _ if first.state == State::Told
                || first.steps.iter().any(|s| s.turn == Turn::Answer) =>
            {
                return None;
            }
            _ => (
                Outcome::Failed,
                "the master did not ask back: it does not know the game, did not get the \
                 heartbeat, or its question did not get here"
                    .to_owned(),
            ),
        };
        let messages = match refused {
            Some(step) => vec![step.number],
            None if messages.is_empty() => self.numbers(&[Turn::Ask, Turn::Again]),
            None => messages,
        };
        Some(Verdict { step: Stage::Challenge, outcome, text, messages })
    }

    fn answer(&self, _: &[&Finding]) -> Option<Verdict> {
        let query = self.steps(&[Turn::Query]).next()?;
        let answers = self.numbers(&[Turn::Answer]);
        let both = self.registrations.iter().find_map(|e| {
            let of = |turn| e.steps.iter().find(|step| step.turn == turn);
            Some((of(Turn::Query)?, of(Turn::Answer)?))
        });
        let (outcome, text, messages) = match both {
            Some((query, step)) => {
                let after = (step.time - query.time) as f64 / 1e6;
                let text = format!("it answers with {} after {after:.1} ms", step.name);
                (Outcome::Passed, text, answers)
            }
            None => {
                let to = query.destination;
                let text = format!("the server did not answer: it was asked on {to}");
                (Outcome::Failed, text, self.numbers(&[Turn::Query]))
            }
        };
        Some(Verdict { step: Stage::Answer, outcome, text, messages })
    }

    fn proof(&self, _: &[&Finding]) -> Option<Verdict> {
        self.steps(&[Turn::Answer]).next()?;
        let best = self.registrations.iter().map(|e| e.proof);
        let (outcome, text) = match best.max_by_key(|proof| rank(*proof))? {
            Proof::Right => (Outcome::Passed, "the challenge came back"),
            Proof::Wrong => (Outcome::Failed, "another challenge came back than was sent"),
            Proof::Missing => (Outcome::Failed, "the answer has no challenge"),
            Proof::Unknown => {
                (Outcome::Unknown, "no published key tells whether the proof is right")
            }
            Proof::Awaited | Proof::Unasked => return None,
        };
        let messages = self.numbers(&[Turn::Query, Turn::Answer]);
        Some(Verdict { step: Stage::Proof, outcome, text: text.to_owned(), messages })
    }

    /// What masters demand of the answer beside the challenge.
    fn contents(&self, findings: &[&Finding]) -> Option<Verdict> {
        self.steps(&[Turn::Answer]).next()?;
        let ours = |f: &&&Finding| f.subject == self.server && f.rule.id.starts_with("info.");
        let found: Vec<_> = findings.iter().filter(ours).collect();
        let Some(first) = found.first() else {
            let messages = self.numbers(&[Turn::Answer]);
            let text = "the answer has what the documents demand".to_owned();
            return Some(Verdict {
                step: Stage::Contents,
                outcome: Outcome::Passed,
                text,
                messages,
            });
        };
        let texts: Vec<_> = found.iter().map(|f| f.text.as_str()).collect();
        let (text, messages) = (texts.join("; "), first.messages.clone());
        Some(Verdict { step: Stage::Contents, outcome: Outcome::Failed, text, messages })
    }

    fn listing(&self, _: &[&Finding]) -> Option<Verdict> {
        let step = Stage::Listing;
        let ours = |list: &&Listed| list.master.ip() == self.master.ip();
        let lists: Vec<_> = self.lists.iter().filter(ours).collect();
        let has = |list: &&&Listed| list.server.is_some_and(|(server, _)| server == self.server);
        if let Some((_, number)) = lists.iter().find(has).and_then(|list| list.server) {
            let count = lists.iter().filter(has).count();
            let text = format!("{count} of {} lists have it", lists.len());
            return Some(Verdict { step, outcome: Outcome::Passed, text, messages: vec![number] });
        }
        if let Some((as_port, number)) = lists.iter().find_map(|list| list.swapped) {
            let text = format!("it is listed as {as_port}: the bytes of its port are swapped");
            return Some(Verdict { step, outcome: Outcome::Failed, text, messages: vec![number] });
        }
        let since = self.steps(&[Turn::Answer]).map(|step| step.time).min();
        let since = since.or_else(|| self.registrations.iter().map(|e| e.first).min());
        let later: Vec<_> =
            lists.iter().filter(|list| since.is_none_or(|since| list.time >= since)).collect();
        let messages: Vec<_> = later.iter().map(|list| list.number).take(NAMED).collect();
        if later.is_empty() {
            let text = "no list of this master was asked for behind that".to_owned();
            return Some(Verdict { step, outcome: Outcome::Unknown, text, messages });
        }
        let why = later.iter().find_map(|list| {
            let reason = list.asked.excludes(self.known?)?;
            Some(format!(": frame {}: {reason}", list.number))
        });
        let lists = match later.len() {
            1 => "one list".to_owned(),
            n => format!("{n} lists"),
        };
        let why = why.unwrap_or_else(|| ", and nothing in the requests tells why".to_owned());
        let text = format!("{lists} behind that, without it{why}");
        Some(Verdict { step, outcome: Outcome::Failed, text, messages })
    }
}

/// Of several registrations the best counts.
fn rank(proof: Proof) -> u8 {
    match proof {
        Proof::Unasked => 0,
        Proof::Awaited => 1,
        Proof::Missing => 2,
        Proof::Wrong => 3,
        Proof::Unknown => 4,
        Proof::Right => 5,
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
