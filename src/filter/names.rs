//! Every name of the language: its spelling, type, meaning, and the source of its values.
//! Evaluation, completion and `docs/filters.md` use this one table.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::FIELD;
use super::fields::{self, WantedField};
use super::parse::is_plain;
use super::quote::quoted;
use super::source::Source;
use crate::analysis::{ExchangeState, RULES, Severity};
use crate::protocol::{Confidence, Direction, Entry, ExchangeKind, Role};
use crate::protocols::registry;

/// A name of the language.
#[derive(Debug, Clone)]
pub struct Name {
    /// As it is written: `udp.port`, `quake3.getservers`, `field.sv_maxclients`.
    pub name: Cow<'static, str>,
    pub kind: ValueType,
    /// Its type in words: `number`, for a field perhaps `number or text`.
    pub holds: Cow<'static, str>,
    /// What it means, in a line.
    pub meaning: Cow<'static, str>,
    pub(super) source: Source,
}

/// The type of a name's values, which decides what they may be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// Present or not; it has no value.
    Flag,
    Number,
    Time,
    Duration,
    Text,
    /// One of a few texts.
    Choice,
    /// One of a few texts that are ordered.
    Rank,
    /// An IP address.
    Address,
    /// An IP address and a port.
    End,
    /// A field of a message, which may be a number in one message and a text in another.
    Field,
}

/// A section of `docs/filters.md`.
pub(super) struct Section {
    pub title: &'static str,
    pub about: &'static str,
    pub names: Vec<Name>,
}

/// All names but those of fields and of single messages, games and protocols.
const PLAIN: &[(&str, ValueType, Source, &str)] = &[
    ("protocol", ValueType::Choice, Source::Protocol, "the message's grammar"),
    ("game", ValueType::Choice, Source::Game, "the game that the conversation speaks"),
    ("certainty", ValueType::Rank, Source::Certainty, "how certain the game is"),
    ("message", ValueType::Text, Source::Message, "the message's name in its documents"),
    ("message.id", ValueType::Choice, Source::MessageId, "the message's own name among all"),
    ("direction", ValueType::Choice, Source::Direction, "who sent it to whom, by their roles"),
    ("from", ValueType::Choice, Source::From, "the role of the end that sent it"),
    ("to", ValueType::Choice, Source::To, "the role of the end that it was sent to"),
    ("client", ValueType::End, Source::OfRole(Role::Client), "the end in the role of a client"),
    ("server", ValueType::End, Source::OfRole(Role::Server), "the end in the role of a server"),
    ("master", ValueType::End, Source::OfRole(Role::Master), "the end in the role of a master"),
    ("source", ValueType::End, Source::Sender, "the end that sent it"),
    ("destination", ValueType::End, Source::Receiver, "the end that it was sent to"),
    ("ip.src", ValueType::Address, Source::FromIp, "the sender's address"),
    ("ip.dst", ValueType::Address, Source::ToIp, "the receiver's address"),
    ("ip.addr", ValueType::Address, Source::AnyIp, "the address of either end"),
    ("transport", ValueType::Choice, Source::Transport, "what carried it"),
    ("udp", ValueType::Flag, Source::Udp, "it came over UDP"),
    ("udp.port", ValueType::Number, Source::AnyUdp, "the port of either end, over UDP"),
    ("udp.srcport", ValueType::Number, Source::FromUdp, "the sender's port, over UDP"),
    ("udp.dstport", ValueType::Number, Source::ToUdp, "the receiver's port, over UDP"),
    ("tcp", ValueType::Flag, Source::Tcp, "it came over TCP"),
    ("tcp.port", ValueType::Number, Source::AnyTcp, "the port of either end, over TCP"),
    ("tcp.srcport", ValueType::Number, Source::FromTcp, "the sender's port, over TCP"),
    ("tcp.dstport", ValueType::Number, Source::ToTcp, "the receiver's port, over TCP"),
    ("flow", ValueType::Number, Source::Flow, "the conversation's number, from 1"),
    ("frame.number", ValueType::Number, Source::FrameNumber, "the frame's number, from 1"),
    ("frame.time", ValueType::Time, Source::FrameTime, "when the frame was captured"),
    ("length", ValueType::Number, Source::Length, "bytes of payload that were captured"),
    ("missing", ValueType::Number, Source::Missing, "bytes of payload that the capture lacks"),
    ("fragments", ValueType::Number, Source::Fragments, "how many fragments it came in"),
    ("answers", ValueType::Number, Source::Answers, "the number of the request that it answers"),
    ("part", ValueType::Number, Source::Part, "which part of an answer in several datagrams it is"),
    (
        "validation",
        ValueType::Text,
        Source::Validation,
        "whether its answer to a challenge is right",
    ),
    ("fault", ValueType::Text, Source::Fault, "why decoding stopped before the end"),
    ("note", ValueType::Text, Source::Note, "what is odd, but legal or common"),
    ("unparsed", ValueType::Text, Source::Unparsed, "bytes that no field claims"),
];

/// Names whose values need later packets.
const FUTURE: &[(&str, ValueType, Source, &str)] = &[
    ("exchange", ValueType::Flag, Source::Exchange, "it belongs to a request and what answered it"),
    ("exchange.kind", ValueType::Choice, Source::ExchangeKind, "what is asked in the exchange"),
    ("exchange.state", ValueType::Choice, Source::ExchangeState, "how the exchange ended"),
    ("exchange.latency", ValueType::Duration, Source::ExchangeLatency, "how long the answer took"),
    (
        "exchange.retries",
        ValueType::Number,
        Source::ExchangeRetries,
        "how often it was asked again",
    ),
    ("finding", ValueType::Flag, Source::Finding, "something was found wrong with it"),
    ("finding.id", ValueType::Choice, Source::FindingId, "what was found, by its id"),
    ("finding.severity", ValueType::Choice, Source::FindingSeverity, "how bad it is"),
];

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(sections);
static BY_NAME: LazyLock<BTreeMap<String, &'static Name>> = LazyLock::new(|| {
    let lower = |name: &'static Name| (name.name.to_ascii_lowercase(), name);
    // Of two with the same name, the first counts: a protocol, not the game named like it.
    names().rev().map(lower).collect()
});

/// Every name, in the order of the page.
pub fn names() -> impl DoubleEndedIterator<Item = &'static Name> {
    SECTIONS.iter().flat_map(|section| &section.names)
}

pub(super) fn page_sections() -> &'static [Section] {
    &SECTIONS
}

/// The name of this spelling, ignoring case.
pub(super) fn find(name: &str) -> Option<&'static Name> {
    BY_NAME.get(&name.to_ascii_lowercase()).copied()
}

/// The values that a name with few values may be compared with, in order.
pub(super) fn choices(source: &Source) -> Vec<Cow<'static, str>> {
    let roles = || [Some(Role::Client), Some(Role::Server), Some(Role::Master), None];
    match source {
        Source::Protocol => registry().protocols().iter().map(|p| p.id.into()).collect(),
        Source::Game => registry().games().map(|g| g.id.into()).collect(),
        Source::MessageId => registry().entries().iter().map(|e| id(e).into()).collect(),
        Source::Transport => vec!["udp".into(), "tcp".into()],
        Source::Certainty => {
            CERTAINTIES.iter().map(|certainty| certainty.to_string().into()).collect()
        }
        Source::From | Source::To => roles().map(|role| Role::name_of(role).into()).into(),
        Source::Direction => {
            let both = roles().into_iter().flat_map(|from| roles().map(|to| (from, to)));
            both.map(|(from, to)| Direction { from, to }.to_string().into()).collect()
        }
        Source::ExchangeKind => ExchangeKind::ALL.iter().map(|kind| kind.name().into()).collect(),
        Source::ExchangeState => ExchangeState::ALL.map(|state| state.name().into()).into(),
        Source::FindingId => RULES.iter().map(|rule| rule.id.into()).collect(),
        Source::FindingSeverity => Severity::ALL.map(|severity| severity.name().into()).into(),
        _ => Vec::new(),
    }
}

/// From the lowest to the highest.
const CERTAINTIES: [Confidence; 7] = [
    Confidence::Guess,
    Confidence::Port,
    Confidence::Form,
    Confidence::Number,
    Confidence::Likely,
    Confidence::Certain,
    Confidence::Set,
];

/// The rank of a confidence among [`choices`].
pub(super) fn rank(certainty: Confidence) -> i128 {
    CERTAINTIES.iter().position(|c| *c == certainty).map_or(0, |at| at as i128)
}

/// A field's name as filters spell it.
fn written(field: &str) -> Cow<'_, str> {
    if is_plain(field) { field.into() } else { quoted(field).into() }
}

fn id(entry: &Entry) -> String {
    format!("{}.{}", entry.protocol.id, entry.spec.id)
}

fn sections() -> Vec<Section> {
    let plain = |table: &[(&'static str, ValueType, Source, &'static str)]| {
        let name = |(name, kind, source, means): &(&'static str, _, Source, &'static str)| Name {
            name: (*name).into(),
            kind: *kind,
            holds: kind.word().into(),
            meaning: (*means).into(),
            source: source.clone(),
        };
        table.iter().map(name).collect()
    };
    let flag = |name: Cow<'static, str>, source, means: String| Name {
        name,
        kind: ValueType::Flag,
        holds: ValueType::Flag.word().into(),
        meaning: means.into(),
        source,
    };
    let protocols = registry().protocols().iter().map(|p| {
        flag(p.id.into(), Source::IsProtocol(p.id), format!("any message of {}", p.title))
    });
    let is_protocol = |id: &str| registry().protocols().iter().any(|p| p.id == id);
    let games = registry().games().filter(|game| !is_protocol(game.id)).map(|game| {
        flag(game.id.into(), Source::IsGame(game), format!("any message of {}", game.title))
    });
    let messages = registry().entries().iter().map(|entry| {
        let ways = entry.spec.directions.iter().map(|(from, to)| format!("{from}-to-{to}"));
        let ways = ways.collect::<Vec<_>>().join(", ");
        let means = format!("{}, {ways}", entry.spec.name);
        flag(id(entry).into(), Source::IsMessage(entry), means)
    });
    let fields = fields::listed().into_iter().map(|listed| Name {
        name: format!("{FIELD}{}", written(listed.name)).into(),
        kind: ValueType::Field,
        holds: listed.holds.into(),
        meaning: listed.means.into(),
        source: Source::Field(WantedField::new(listed.name)),
    });
    vec![
        Section {
            title: "Of every message",
            about: "What is known of a message beside its fields.",
            names: plain(PLAIN),
        },
        Section {
            title: "Exchanges and findings",
            about: "These need what comes later in the capture. They are refused where input is \
                    read once, as from a pipe.",
            names: plain(FUTURE),
        },
        Section {
            title: "Protocols and games",
            about: "Each stands alone. Where a game has the name of its protocol, the name is the \
                    protocol's, and `game == \"…\"` asks for the game.",
            names: protocols.chain(games).collect(),
        },
        Section {
            title: "Messages",
            about: "Each stands alone, by its id.",
            names: messages.collect(),
        },
        Section {
            title: "Fields",
            about: "The fields of all messages, and the keys of their infostrings, compared \
                    without case. A name that holds more than letters, digits, `_`, `.` and `-` is \
                    written in quotes, and so is a key that no document lists: \
                    `field.\"g_unlagged\"`. A name with stars stands for all keys that \
                    fit, which may be asked for one by one, as `field.player_0`. What is a number in one message and a \
                    text in another is compared as what it is compared with.",
            names: fields.collect(),
        },
    ]
}

impl ValueType {
    /// The type's word in `docs/filters.md`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Number => "number",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Text => "text",
            Self::Choice => "choice",
            Self::Rank => "rank",
            Self::Address => "address",
            Self::End => "end",
            Self::Field => "field",
        }
    }
}
