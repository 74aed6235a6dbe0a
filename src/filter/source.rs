//! Where the values of a name come from.

use std::fmt::Write as _;

use super::datum::Datum;
use super::fields::WantedField;
use super::names::rank;
use super::scratch::EvalScratch;
use super::subject::Subject;
use crate::analysis::MessageHeader;
use crate::codec::{Kind, Node};
use crate::net::Transport;
use crate::protocol::{Entry, Game, Role, Validation};

/// The source of values; the table of names describes each.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Protocol,
    Game,
    Certainty,
    Message,
    MessageId,
    Direction,
    From,
    To,
    OfRole(Role),
    Sender,
    Receiver,
    FromIp,
    ToIp,
    AnyIp,
    Transport,
    Udp,
    AnyUdp,
    FromUdp,
    ToUdp,
    Tcp,
    AnyTcp,
    FromTcp,
    ToTcp,
    Flow,
    FrameNumber,
    FrameTime,
    /// The time since the first message.
    Elapsed,
    Length,
    Missing,
    Fragments,
    Answers,
    Part,
    Validation,
    Fault,
    Note,
    Unparsed,
    Exchange,
    ExchangeKind,
    ExchangeState,
    ExchangeLatency,
    ExchangeRetries,
    Finding,
    FindingId,
    FindingSeverity,
    IsProtocol(&'static str),
    IsGame(&'static Game),
    IsMessage(&'static Entry),
    Field(WantedField),
}

impl Source {
    /// Whether it needs data of later packets.
    pub fn needs_future(&self) -> bool {
        matches!(
            self,
            Self::Exchange
                | Self::ExchangeKind
                | Self::ExchangeState
                | Self::ExchangeLatency
                | Self::ExchangeRetries
                | Self::Finding
                | Self::FindingId
                | Self::FindingSeverity
        )
    }

    /// Whether it needs the payload.
    pub fn needs_payload(&self) -> bool {
        matches!(self, Self::Fault | Self::Note | Self::Unparsed | Self::Field(_))
    }

    /// Passes every value to `each`, until that returns true; returns whether it did.
    pub fn values(
        &self,
        subject: &Subject<'_>,
        scratch: &mut EvalScratch,
        each: &mut dyn FnMut(Datum<'_>) -> bool,
    ) -> bool {
        let header = subject.header;
        let MessageHeader { source, destination, transport, entry, direction, .. } = *header;
        let ports = |of: Transport, all: &[u16], each: &mut dyn FnMut(Datum<'_>) -> bool| {
            transport == of && all.iter().any(|port| each(Datum::whole(*port)))
        };
        let [from, to] = [source.port(), destination.port()];
        match self {
            Self::Protocol => each(Datum::Text(entry.protocol.id)),
            Self::Game => each(Datum::Text(header.verdict.game.id)),
            Self::Certainty => each(Datum::whole(rank(header.verdict.confidence))),
            Self::Message => each(Datum::Text(header.name)),
            Self::MessageId => {
                let text = scratch
                    .write_text(|out| write!(out, "{}.{}", entry.protocol.id, entry.spec.id));
                each(Datum::Text(text))
            }
            Self::Direction => {
                each(Datum::Text(scratch.write_text(|out| write!(out, "{direction}"))))
            }
            Self::From => each(Datum::Text(Role::name_of(direction.from))),
            Self::To => each(Datum::Text(Role::name_of(direction.to))),
            Self::OfRole(role) => {
                let ends = [(direction.from, source), (direction.to, destination)];
                let mut ends = ends.into_iter().filter(|(of, _)| *of == Some(*role));
                ends.any(|(_, end)| each(Datum::End(end)))
            }
            Self::Sender => each(Datum::End(source)),
            Self::Receiver => each(Datum::End(destination)),
            Self::FromIp => each(Datum::Ip(source.ip())),
            Self::ToIp => each(Datum::Ip(destination.ip())),
            Self::AnyIp => each(Datum::Ip(source.ip())) || each(Datum::Ip(destination.ip())),
            Self::Transport => each(Datum::Text(transport.name())),
            Self::Udp => transport == Transport::Udp && each(Datum::There),
            Self::AnyUdp => ports(Transport::Udp, &[from, to], each),
            Self::FromUdp => ports(Transport::Udp, &[from], each),
            Self::ToUdp => ports(Transport::Udp, &[to], each),
            Self::Tcp => transport == Transport::Tcp && each(Datum::There),
            Self::AnyTcp => ports(Transport::Tcp, &[from, to], each),
            Self::FromTcp => ports(Transport::Tcp, &[from], each),
            Self::ToTcp => ports(Transport::Tcp, &[to], each),
            Self::Flow => each(Datum::whole(header.flow.0)),
            Self::FrameNumber => each(Datum::whole(header.number)),
            Self::FrameTime => each(Datum::Number(header.time.into())),
            Self::Elapsed => {
                each(Datum::Number(i128::from(header.time) - i128::from(subject.first)))
            }
            Self::Length => each(Datum::whole(header.length)),
            Self::Missing => header.missing > 0 && each(Datum::whole(header.missing)),
            Self::Fragments => header.fragments > 0 && each(Datum::whole(header.fragments)),
            Self::Answers => header.answers.is_some_and(|n| each(Datum::whole(n))),
            Self::Part => header.part.is_some_and(|part| each(Datum::whole(part.index))),
            Self::Validation => validated(header.validation, scratch, each),
            Self::Fault => {
                let fault = scratch.read(subject).fault();
                fault.is_some_and(|f| {
                    each(Datum::Text(scratch.write_text(|out| write!(out, "{f}"))))
                })
            }
            Self::Note => {
                let scratch = scratch.having_read(subject);
                let notes = scratch.reading.spans().notes.iter();
                notes.map(|note| note.odd).any(|odd| {
                    scratch.text.clear();
                    _ = write!(scratch.text, "{odd}");
                    each(Datum::Text(scratch.text))
                })
            }
            Self::Unparsed => {
                let scratch = scratch.having_read(subject);
                let all = scratch.reading.spans().all.iter();
                let mut unparsed =
                    all.filter(|s| s.field.kind == Kind::Unparsed && s.node == Node::Leaf);
                unparsed.any(|span| {
                    let bytes = scratch.reading.bytes(subject.payload, span);
                    let colours = entry.protocol.colours;
                    let leaf = Datum::Leaf { span, bytes, colours };
                    each(if scratch.mask.hides(span) { Datum::Hidden } else { leaf })
                })
            }
            Self::Exchange => subject.exchange.is_some() && each(Datum::There),
            Self::ExchangeKind => subject.exchange.is_some_and(|e| each(Datum::Text(e.kind))),
            Self::ExchangeState => subject.exchange.is_some_and(|e| each(Datum::Text(e.state))),
            Self::ExchangeLatency => {
                let latency = subject.exchange.and_then(|e| e.latency);
                latency.is_some_and(|nanos| each(Datum::Number(nanos.into())))
            }
            Self::ExchangeRetries => {
                subject.exchange.is_some_and(|e| each(Datum::whole(e.retries)))
            }
            Self::Finding => !subject.findings.is_empty() && each(Datum::There),
            Self::FindingId => subject.findings.iter().any(|f| each(Datum::Text(f.id))),
            Self::FindingSeverity => subject.findings.iter().any(|f| each(Datum::Text(f.severity))),
            Self::IsProtocol(id) => entry.protocol.id == *id && each(Datum::There),
            Self::IsGame(game) => header.verdict.game == *game && each(Datum::There),
            Self::IsMessage(wanted) => entry == *wanted && each(Datum::There),
            Self::Field(wanted) => {
                if !wanted.may_be_in(entry) {
                    return false;
                }
                let scratch = scratch.having_read(subject);
                wanted.values(entry, scratch.reading, subject.payload, scratch.mask, each)
            }
        }
    }
}

/// The result of a challenge check, in the words of transcripts.
fn validated(
    validation: Option<Validation>,
    scratch: &mut EvalScratch,
    each: &mut dyn FnMut(Datum<'_>) -> bool,
) -> bool {
    validation.is_some_and(|v| each(Datum::Text(scratch.write_text(|out| write!(out, "{v}")))))
}
