//! The game of a flow: reasons weighed, the strongest first.

use std::fmt;
use std::net::SocketAddr;

use smallvec::SmallVec;

use super::endpoint::Endpoint;
use super::evidence::{Reason, TimedReason};
use super::game_weights::GameWeights;
use super::table::{Flow, Flows};
use super::{FlowId, Transport, Verdict};
use protocol::{Confidence, Game, Protocol, Role};

/// How many other games with the same words are named.
const NAMED: usize = 5;

/// The user's choice of a game (`--decode-as`), which overrides all evidence.
#[derive(Debug, Clone, Copy)]
pub struct DecodeAs {
    /// What is decoded so.
    pub subject: DecodeTarget,
    /// The game that it is decoded as.
    pub game: &'static Game,
}

/// The target of the choice: a flow by its number, or all flows of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeTarget {
    /// One flow.
    Flow(FlowId),
    /// All flows of an endpoint.
    End(SocketAddr),
}

impl fmt::Display for DecodeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flow(id) => write!(f, "flow {}", id.0),
            Self::End(address) => write!(f, "end {address}"),
        }
    }
}

/// A verdict with its reasons, in words; bytes from the network are escaped.
#[derive(Debug)]
pub struct Judgement {
    /// The game.
    pub verdict: Verdict,
    /// The id of the protocol of most of the flow's messages.
    pub protocol: &'static str,
    /// What speaks for it, the strongest first.
    pub reasons: Vec<String>,
    /// The role of each end, as far as it is known, and why.
    pub roles: Vec<String>,
}

impl Flows {
    /// The game of a flow with recognised messages; `None` for any other flow.
    pub fn verdict(&self, id: FlowId) -> Option<Verdict> {
        self.verdict_of(id, self.flow(id)?.state.as_ref()?.protocol()?)
    }

    /// The game of one protocol's messages in a flow.
    pub(super) fn verdict_of(&self, id: FlowId, protocol: &'static Protocol) -> Option<Verdict> {
        self.weigh(id, self.flow(id)?, protocol)
    }

    /// The game whose running traffic a flow carries: one of its endpoints is a known server.
    pub fn in_game_of(&self, id: FlowId) -> Option<Verdict> {
        let mut ends = self.endpoints(id)?.into_iter();
        let server = ends.find(|end| end.is_proven(Role::Server))?;
        self.verdict(id).or_else(|| server.evidence.verdict())
    }

    fn weigh(&self, id: FlowId, flow: &Flow, protocol: &'static Protocol) -> Option<Verdict> {
        if let Some(choice) = self.decode_as(id, flow) {
            return Some(Verdict { game: choice.game, confidence: Confidence::Set });
        }
        let mut ends = SmallVec::<[&Endpoint; 2]>::new();
        ends.extend(flow.ends.into_iter().filter_map(|end| self.endpoint(end)));
        let mut weights = GameWeights::default();
        let servers = ends.iter().filter(|end| end.is_proven(Role::Server));
        servers.for_each(|end| end.evidence.add_to(&mut weights));
        weights = weights.within(protocol);
        // A server's evidence is stronger than its clients'; theirs counts if the server has none.
        if weights.is_empty() {
            // A server browser queries many games from one port: the evidence of a client counts
            // only if one game explains all of it.
            let clients = ends.iter().filter(|end| !end.is_proven(Role::Server));
            let clients = clients.filter(|end| end.evidence.agrees());
            clients.for_each(|end| end.evidence.add_to(&mut weights));
        }
        if let Some(state) = &flow.state {
            state.evidence.add_to(&mut weights);
        }
        let verdict = weights.within(protocol).best(|game| documented(game, &ends));
        verdict.or_else(|| by_port(protocol, &ends))
    }

    /// The game that the user has chosen for a flow.
    pub(super) fn chosen(&self, id: FlowId) -> Option<Verdict> {
        let choice = self.decode_as(id, self.flow(id)?)?;
        Some(Verdict { game: choice.game, confidence: Confidence::Set })
    }

    pub(super) fn decode_as(&self, id: FlowId, flow: &Flow) -> Option<&DecodeAs> {
        // The last choice wins.
        self.overrides.iter().rev().find(|choice| match choice.subject {
            DecodeTarget::Flow(flow) => flow == id,
            DecodeTarget::End(address) => {
                let mut ends = flow.ends.iter().filter_map(|end| self.endpoint(*end));
                ends.any(|end| end.address == address)
            }
        })
    }

    /// The user's choices for flows that do not exist.
    pub fn unused_overrides(&self) -> impl Iterator<Item = &DecodeAs> {
        let is_there = |choice: &&DecodeAs| match choice.subject {
            DecodeTarget::Flow(id) => self.flow(id).is_some(),
            DecodeTarget::End(address) => self.endpoints.iter().any(|end| end.address == address),
        };
        self.overrides.iter().filter(move |choice| !is_there(choice))
    }

    /// The verdict of a flow with all its reasons; `None` as for `verdict`.
    pub fn judge(&self, id: FlowId) -> Option<Judgement> {
        let flow = self.flow(id)?;
        let state = flow.state.as_ref()?;
        let protocol = state.protocol()?;
        let verdict = self.weigh(id, flow, protocol)?;
        let mut reasons = Vec::new();
        if verdict.confidence == Confidence::Set {
            reasons.push(format!("you decode this flow as {}", verdict.game.id));
        }
        let mut add_reasons = |of: &str, all: &[TimedReason]| {
            reasons.extend(all.iter().map(|TimedReason { file, reason, .. }| {
                let (known, text) = (self.known_from(*file), reason.text(self.secrets));
                let Reason { games, confidence, .. } = reason;
                format!("{known}{of}{text} ({games}, {confidence})")
            }));
        };
        add_reasons("", state.evidence.reasons());
        for end in flow.ends.iter().filter_map(|end| self.endpoint(*end)) {
            add_reasons(&format!("{}: ", end.address), end.evidence.reasons());
        }
        for end in flow.ends.iter().filter_map(|end| self.endpoint(*end)) {
            reasons.extend(self.known_protocols(end));
        }
        self.add_port_reasons(flow, protocol, &mut reasons);
        if verdict.confidence <= Confidence::Port {
            let others = protocol.games.iter().filter(|g| **g != verdict.game);
            let others: Vec<_> = others.map(|g| g.id).collect();
            let named = others.get(..NAMED).unwrap_or(&others).join(", ");
            match others.len().saturating_sub(NAMED) {
                _ if others.is_empty() => {}
                0 => reasons.push(format!("others share these words: {named}")),
                more => reasons.push(format!("others share these words: {named}, and {more} more")),
            }
        }
        let ends = flow.ends.iter().filter_map(|end| self.endpoint(*end));
        let roles = ends.filter_map(|end| end.role_reason(verdict.game)).collect();
        Some(Judgement { verdict, protocol: protocol.id, reasons, roles })
    }

    /// `known from FILE: `, if a reason is from an earlier run.
    fn known_from(&self, file: u16) -> String {
        let file = self.known.file(file);
        file.map(|file| format!("known from {file}: ")).unwrap_or_default()
    }

    /// The protocols that an earlier run knows of an endpoint.
    fn known_protocols(&self, end: &Endpoint) -> Option<String> {
        let known = self.known.get(end.transport, end.address)?;
        let protocols: Vec<_> = self.registry.names_of(known.spoken).collect();
        let text = format!("{} speaks {}", end.address, protocols.join(", "));
        (!protocols.is_empty()).then(|| self.known_from(known.file) + &text)
    }

    fn add_port_reasons(&self, flow: &Flow, protocol: &Protocol, reasons: &mut Vec<String>) {
        for (end, which) in flow.ends.iter().zip(["first sender's", "first receiver's"]) {
            let Some(port) = self.endpoint(*end).map(|e| e.address.port()) else {
                continue;
            };
            let games = protocol.games.iter().filter(|g| g.listens(port).is_some());
            let games: Vec<_> = games.map(|g| g.id).collect();
            if !games.is_empty() {
                reasons.push(format!("{which} port {port} is documented for {}", games.join(", ")));
            }
        }
    }

    /// The transport and endpoints of a flow, the first sender first.
    pub fn ends(&self, id: FlowId) -> Option<(Transport, [SocketAddr; 2])> {
        Some(self.flow(id)?.key.ends())
    }
}

/// Of how many endpoints a game documents the port.
fn documented(game: &Game, ends: &[&Endpoint]) -> usize {
    ends.iter().filter(|end| game.listens(end.address.port()).is_some()).count()
}

/// The game with documented ports for most of the endpoints, the first of equals; else the first.
fn by_port(protocol: &Protocol, ends: &[&Endpoint]) -> Option<Verdict> {
    let games = protocol.games.iter().rev();
    let best = games.max_by_key(|game| documented(game, ends));
    let best = best.filter(|game| documented(game, ends) > 0);
    let known = best.map(|game| Verdict { game, confidence: Confidence::Port });
    known.or_else(|| first_of(protocol))
}

/// The default game of a protocol without evidence.
pub(super) fn first_of(protocol: &Protocol) -> Option<Verdict> {
    protocol.games.first().map(|game| Verdict { game, confidence: Confidence::Guess })
}
