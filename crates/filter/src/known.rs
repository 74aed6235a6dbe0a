//! The names that do not come from declarations of messages: each with its type, its meaning and its
//! values.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::bytes::Slice;
use super::datum::Datum::{self, Hidden, There};
use super::names::ValueType;
use super::scratch::EvalScratch;
use super::subject::Subject;
use analysis::{ExchangeState, RULES, Severity};
use codec::{Kind, Node};
use net::CommunityId;
use net::Transport::{self, Tcp, Udp};
use protocol::{Confidence, Direction, Entry, ExchangeKind, Role};
use protocols::registry;
use render::Rendered;

/// A name, and where its values come from.
#[derive(Debug)]
pub(super) struct KnownName {
    pub name: &'static str,
    pub kind: ValueType,
    pub meaning: &'static str,
    pub needs: NeededData,
    /// The values that it may have, in order, where they are few.
    pub choices: fn() -> Vec<Cow<'static, str>>,
    /// Passes every value to the function, until that returns true; returns whether it did.
    pub values: fn(&Subject<'_>, &mut EvalScratch, &mut Each<'_>) -> bool,
}

/// Takes one value; whether that is enough.
pub(super) type Each<'a> = dyn FnMut(Datum<'_>) -> bool + 'a;

/// What must be known of a message for the values of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeededData {
    Header,
    Payload,
    /// What later packets tell.
    Analysis,
}

macro_rules! known {
    ($(#[$meta:meta])* $table:ident: $($name:literal: $kind:ident $(of $choices:expr)?, $needs:ident, $meaning:literal, $values:expr;)+) => {
        $(#[$meta])*
        pub(super) static $table: &[KnownName] = &[$(KnownName {
            name: $name,
            kind: ValueType::$kind,
            meaning: $meaning,
            needs: NeededData::$needs,
            choices: known!(@choices $($choices)?),
            values: $values,
        }),+];
    };
    (@choices) => { Vec::new };
    (@choices $choices:expr) => { $choices };
}

known! {
    /// Names of every message.
    PLAIN:
    "protocol": Choice of || registry().protocols().iter().map(|p| p.id.into()).collect(), Header,
        "the message's grammar", |s, _, each| each(Datum::Text(s.header.entry.protocol.id));
    "game": Choice of || registry().games().map(|g| g.id.into()).collect(), Header,
        "the game of the flow",
        |s, _, each| each(Datum::Text(s.header.verdict.game.id));
    "certainty": Rank of || CERTAINTIES.iter().map(|c| c.to_string().into()).collect(), Header,
        "how certain the game is",
        |s, _, each| each(Datum::whole(rank(s.header.verdict.confidence)));
    "message": Text, Header, "the message's name in its documents",
        |s, _, each| each(Datum::Text(s.header.name));
    "message.id": Choice of || registry().entries().iter().map(|e| id(e).into()).collect(), Header,
        "the message's own name among all", message_id;
    "direction": Choice of directions, Header,
        "who sent it to whom, by their roles",
        |s, scratch, each| each(scratch.written(s.header.direction));
    "from": Choice of roles, Header,
        "the role of the end that sent it",
        |s, _, each| each(Datum::Text(Role::name_of(s.header.direction.from)));
    "to": Choice of roles, Header,
        "the role of the end that it was sent to",
        |s, _, each| each(Datum::Text(Role::name_of(s.header.direction.to)));
    "client": End, Header, "the end in the role of a client",
        |s, _, each| in_role(s, Role::Client, each);
    "server": End, Header, "the end in the role of a server",
        |s, _, each| in_role(s, Role::Server, each);
    "master": End, Header, "the end in the role of a master",
        |s, _, each| in_role(s, Role::Master, each);
    "source": End, Header, "the end that sent it; alone, any message of the protocol source", |s, _, each| each(Datum::End(s.header.source));
    "destination": End, Header, "the end that it was sent to",
        |s, _, each| each(Datum::End(s.header.destination));
    "ip.src": Address, Header, "the sender's address",
        |s, _, each| each(Datum::Ip(s.header.source.ip()));
    "ip.dst": Address, Header, "the receiver's address",
        |s, _, each| each(Datum::Ip(s.header.destination.ip()));
    "ip.addr": Address, Header, "the address of either end",
        |s, _, each| each(Datum::Ip(s.header.source.ip())) || each(Datum::Ip(s.header.destination.ip()));
    "transport": Choice of || vec!["udp".into(), "tcp".into()], Header,
        "what carried it", |s, _, each| each(Datum::Text(s.header.transport.name()));
    "udp": Flag, Header, "it came over UDP", |s, _, each| s.header.transport == Udp && each(There);
    "udp.port": Port, Header, "the port of either end, over UDP",
        |s, _, each| ports(s, Udp, &[0, 1], each);
    "udp.srcport": Port, Header, "the sender's port, over UDP",
        |s, _, each| ports(s, Udp, &[0], each);
    "udp.dstport": Port, Header, "the receiver's port, over UDP",
        |s, _, each| ports(s, Udp, &[1], each);
    "tcp": Flag, Header, "it came over TCP", |s, _, each| s.header.transport == Tcp && each(There);
    "tcp.port": Port, Header, "the port of either end, over TCP",
        |s, _, each| ports(s, Tcp, &[0, 1], each);
    "tcp.srcport": Port, Header, "the sender's port, over TCP",
        |s, _, each| ports(s, Tcp, &[0], each);
    "tcp.dstport": Port, Header, "the receiver's port, over TCP",
        |s, _, each| ports(s, Tcp, &[1], each);
    "flow": Number, Header, "the flow's number, from 1",
        |s, _, each| each(Datum::whole(s.header.flow.0));
    "communityid": Text, Header, "the Community ID of the flow, version 1 with seed 0, as other programs have it",
        |s, _, each| each(Datum::Text(community_id(s).as_str()));
    "frame.number": Number, Header, "the frame's number, from 1",
        |s, _, each| each(Datum::whole(s.header.number));
    "frame.time": Time, Header, "when the frame was captured",
        |s, _, each| text::has_time(s.header.time) && each(Datum::Number(s.header.time.into()));
    "frame.time_relative": Duration, Header,
        "the time since the first message; a bare number counts seconds, as in Wireshark",
        |s, _, each| text::since(s.first, s.header.time).is_some_and(|time| each(Datum::Number(time.into())));
    "file": Text, Header, "the capture that it is from, as it was given; `-` is standard input",
        |s, _, each| s.inputs.is_some_and(|inputs| each(Datum::Text(inputs.file(s.header.input))));
    "length": Number, Header, "bytes of payload that were captured",
        |s, _, each| each(Datum::whole(s.header.length));
    "missing": Number, Header, "bytes of payload that the capture lacks",
        |s, _, each| s.header.missing > 0 && each(Datum::whole(s.header.missing));
    "fragments": Number, Header, "how many fragments it came in",
        |s, _, each| s.header.fragments > 0 && each(Datum::whole(s.header.fragments));
    "answers": Number, Header, "the number of the request that it answers",
        |s, _, each| s.header.answers.is_some_and(|number| each(Datum::whole(number)));
    "part": Number, Header, "which part of an answer in several datagrams it is",
        |s, _, each| s.header.part.is_some_and(|part| each(Datum::whole(part.index)));
    "validation": Text, Header, "whether its answer to a challenge is right",
        |s, scratch, each| s.header.validation.is_some_and(|v| each(scratch.written(v)));
    "payload": Bytes, Payload,
        "its bytes; `payload[4:2]` are two from offset 4, `payload[4-5]` the same",
        |s, scratch, each| Slice::WHOLE.values(s, scratch, each);
    "summary": Text, Payload, "what the list of messages says of it", summary;
    "fault": Text, Payload, "why decoding stopped before the end",
        |s, scratch, each| scratch.reading_of(s).fault().is_some_and(|f| each(scratch.written(f)));
    "note": Text, Payload, "what is odd, but legal or common", notes;
    "unparsed": Text, Payload, "bytes that no field claims", unparsed;
}

known! {
    /// Names whose values need later packets.
    FUTURE:
    "exchange": Flag, Analysis, "it belongs to a request and what answered it",
        |s, _, each| s.exchange.is_some() && each(There);
    "exchange.kind": Choice of || ExchangeKind::ALL.iter().map(|kind| kind.name().into()).collect(), Analysis,
        "what is asked in the exchange",
        |s, _, each| s.exchange.is_some_and(|e| each(Datum::Text(e.kind)));
    "exchange.state": Choice of || ExchangeState::ALL.map(|state| state.name().into()).into(), Analysis,
        "how the exchange ended",
        |s, _, each| s.exchange.is_some_and(|e| each(Datum::Text(e.state)));
    "exchange.latency": Duration, Analysis, "how long the answer took",
        |s, _, each| s.exchange.and_then(|e| e.latency).is_some_and(|nanos| each(Datum::Number(nanos.into())));
    "exchange.retries": Number, Analysis, "how often it was asked again",
        |s, _, each| s.exchange.is_some_and(|e| each(Datum::whole(e.retries)));
    "finding": Flag, Analysis, "something was found wrong with it",
        |s, _, each| !s.findings.is_empty() && each(There);
    "finding.id": Choice of || RULES.iter().map(|rule| rule.id.into()).collect(), Analysis,
        "what was found, by its id",
        |s, _, each| s.findings.iter().any(|f| each(Datum::Text(f.id)));
    "finding.severity": Choice of || Severity::ALL.map(|severity| severity.name().into()).into(), Analysis,
        "how bad it is", |s, _, each| s.findings.iter().any(|f| each(Datum::Text(f.severity)));
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

/// The rank of a confidence among the choices.
fn rank(certainty: Confidence) -> i128 {
    CERTAINTIES.iter().position(|c| *c == certainty).map_or(0, |at| at as i128)
}

/// A message's own name: `quake3.getinfo`.
pub(super) fn id(entry: &Entry) -> String {
    format!("{}.{}", entry.protocol.id, entry.spec.id)
}

const ROLES: [Option<Role>; 4] = [Some(Role::Client), Some(Role::Server), Some(Role::Master), None];

fn roles() -> Vec<Cow<'static, str>> {
    ROLES.map(|role| Role::name_of(role).into()).into()
}

fn directions() -> Vec<Cow<'static, str>> {
    let both = ROLES.into_iter().flat_map(|from| ROLES.map(|to| Direction { from, to }));
    both.map(|direction| direction.to_string().into()).collect()
}

fn community_id(s: &Subject<'_>) -> CommunityId {
    CommunityId::new(s.header.transport, s.header.source, s.header.destination)
}

/// The endpoints in a role.
fn in_role(s: &Subject<'_>, role: Role, each: &mut Each<'_>) -> bool {
    let header = s.header;
    let ends = [(header.direction.from, header.source), (header.direction.to, header.destination)];
    let mut ends = ends.into_iter().filter(|(of, _)| *of == Some(role));
    ends.any(|(_, end)| each(Datum::End(end)))
}

/// The ports of these ends, 0 the sender and 1 the receiver, over a transport.
fn ports(s: &Subject<'_>, over: Transport, ends: &[usize], each: &mut Each<'_>) -> bool {
    let all = [s.header.source.port(), s.header.destination.port()];
    let mut ports = ends.iter().filter_map(|end| all.get(*end));
    s.header.transport == over && ports.any(|port| each(Datum::whole(*port)))
}

fn message_id(s: &Subject<'_>, scratch: &mut EvalScratch, each: &mut Each<'_>) -> bool {
    let entry = s.header.entry;
    each(scratch.written(format_args!("{}.{}", entry.protocol.id, entry.spec.id)))
}

fn summary(s: &Subject<'_>, scratch: &mut EvalScratch, each: &mut Each<'_>) -> bool {
    let (entry, missing) = (s.header.entry, s.header.missing);
    let secrets = scratch.secrets();
    let scratch = scratch.having_read(s);
    scratch.text.clear();
    Rendered::new(scratch.reading, s.payload, secrets).summary(scratch.text, entry, missing);
    each(Datum::Text(scratch.text))
}

fn notes(s: &Subject<'_>, scratch: &mut EvalScratch, each: &mut Each<'_>) -> bool {
    let scratch = scratch.having_read(s);
    scratch.reading.spans().notes.iter().any(|note| {
        scratch.text.clear();
        _ = write!(scratch.text, "{}", note.odd);
        each(Datum::Text(scratch.text))
    })
}

fn unparsed(s: &Subject<'_>, scratch: &mut EvalScratch, each: &mut Each<'_>) -> bool {
    let scratch = scratch.having_read(s);
    let all = scratch.reading.spans().all.iter();
    let mut unparsed = all.filter(|s| s.field.kind == Kind::Unparsed && s.node == Node::Leaf);
    unparsed.any(|span| {
        let bytes = scratch.reading.bytes(s.payload, span);
        let leaf = Datum::Leaf { span, bytes, colours: s.header.entry.protocol.colours };
        each(if scratch.mask.hides(span) { Hidden } else { leaf })
    })
}
