//! Servers that a master lists although their answers to it forbid that.
//!
//! A server that was verified before stays listed for 15 minutes, whatever it sends meanwhile. So
//! servers that had answered correctly, or were listed, before the answer in question get no
//! finding.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

use super::Findings;
use super::key::{About, FindingKey};
use super::rules::{OTHER_PROTOCOL, UNPROVEN};
use crate::endpoint_key::EndpointFilter;
use crate::exchange::{ChallengeProof, Exchange, ListContents, PacketOfList, Placement};
use crate::frame_ref::FrameRef;
use crate::hosts::{Hosts, SILENCE};
use crate::message::MessageHeader;
use crate::values::{MessageValues, TextOf, TextValue};
use codec::{FieldRole, Node};
use protocol::{Reading, harmless};
use text::{duration, since};

/// For how many servers the answers are kept.
const ANSWERS: usize = 1 << 14;
/// Answers of servers to masters, by the server and the master's host.
#[derive(Default)]
pub(super) struct Answers {
    known: HashMap<(SocketAddr, IpAddr), ServerAnswer, RandomState>,
    /// Servers with an answer that is forbidden or unclear, and a few others.
    doubted: EndpointFilter,
}

/// A server's answers to a master.
#[derive(Default)]
struct ServerAnswer {
    /// The reason why its last answer forbids to list it, if it does.
    forbidden: Option<Forbidden>,
    /// It answered, but the capture lacks the content.
    unclear: bool,
    /// The protocol that it reports; nothing if it has reported several.
    protocol: ListProtocol,
}

struct Forbidden {
    frame: FrameRef,
    time: i64,
    why: String,
}

#[derive(Default)]
enum ListProtocol {
    #[default]
    Unknown,
    One(TextValue, FrameRef),
    Several,
}

impl Answers {
    fn answer_of(&mut self, server: SocketAddr, master: IpAddr) -> &mut ServerAnswer {
        let key = (server, master);
        if self.known.len() >= ANSWERS && !self.known.contains_key(&key) {
            self.known.clear();
            self.doubted.clear();
        }
        self.known.entry(key).or_default()
    }
}

impl Answers {
    /// Whether some answer of a server may be forbidden or unclear.
    pub fn are_doubted(&self, server: SocketAddr) -> bool {
        self.doubted.may_have(server.into())
    }

    /// Whether a server's answer to a master was captured without its content.
    pub fn are_unclear(&self, server: SocketAddr, master: IpAddr) -> bool {
        self.known.get(&(server, master)).is_some_and(|answered| answered.unclear)
    }
}

impl ServerAnswer {
    fn names(&mut self, protocol: &[u8], frame: FrameRef) {
        self.protocol = match &self.protocol {
            ListProtocol::Unknown => ListProtocol::One(protocol.into(), frame),
            ListProtocol::One(known, _) if **known == *protocol => return,
            _ => ListProtocol::Several,
        };
    }
}

impl Findings {
    /// Records a server's answer to its master.
    pub(super) fn answered(
        &mut self,
        header: &MessageHeader,
        values: &MessageValues<'_>,
        placement: &Placement,
    ) {
        let server = placement.server.unwrap_or(header.source);
        let forbidden = why(header, values, placement);
        let (frame, time) = (header.frame(), header.time);
        let answered = self.answers.answer_of(server, header.destination.ip());
        answered.unclear |= placement.proof == ChallengeProof::Unknown;
        if let Some(protocol) = values.text(TextOf::Protocol).filter(|_| !values.plain.faulty) {
            answered.names(protocol, frame);
        }
        let is_doubted = answered.unclear || forbidden.is_some();
        answered.forbidden = forbidden.map(|why| Forbidden { frame, time, why });
        if is_doubted {
            self.answers.doubted.add_endpoint(server.into());
        }
    }

    /// A master lists a server: whether the server's last answer forbids that.
    pub(super) fn lists_unproven(
        &mut self,
        server: SocketAddr,
        header: &MessageHeader,
        hosts: &Hosts,
    ) -> bool {
        let master = header.source;
        let known = self.answers.known.get(&(server, master.ip()));
        let Some(Forbidden { frame, time, why }) = known.and_then(|a| a.forbidden.as_ref()) else {
            return false;
        };
        let stats = hosts.server(server).map(|s| s.registrations.as_slice()).unwrap_or_default();
        let was_known = stats.iter().filter(|d| d.master.ip() == master.ip()).any(|d| {
            let listed = d.first_listed.is_some_and(|listed| listed.number() < frame.number);
            listed || d.verified().is_some()
        });
        let age = since(*time, header.time).filter(|age| !was_known && *age <= SILENCE);
        let Some(age) = age else {
            return false;
        };
        let text = format!("{server} is listed {} after {why}", duration(age));
        let key = FindingKey::new(&UNPROVEN, master).about(About::With(server)).explains(server);
        self.add_keyed(key, &[*frame, header.frame()], || text);
        true
    }

    /// The servers of a complete list that reported another protocol to its master than was
    /// requested.
    pub(super) fn protocols(
        &mut self,
        exchange: &Exchange,
        listing: &ListContents,
        master: SocketAddr,
    ) {
        if exchange.crossed || self.answers.known.is_empty() {
            return;
        }
        let others = listing.servers.iter().filter_map(|(server, packet)| {
            match &self.answers.known.get(&(*server, master.ip()))?.protocol {
                ListProtocol::One(protocol, frame) => {
                    Some((*server, *packet, protocol.clone(), *frame))
                }
                ListProtocol::Unknown | ListProtocol::Several => None,
            }
        });
        let others: Vec<_> = others.collect();
        if others.is_empty() {
            return;
        }
        let Some(requested) = requested_protocol(listing) else {
            return;
        };
        for (server, packet, own, frame) in
            others.into_iter().filter(|other| *other.2 != *requested)
        {
            let listed = listing.packets.get(usize::from(packet)).map(PacketOfList::frame);
            let numbers: Vec<_> = [Some(frame), listed].into_iter().flatten().collect();
            let secrets = self.secrets;
            self.add_finding(&OTHER_PROTOCOL, master, &numbers, || {
                let (own, requested) = (harmless(&own, secrets), harmless(&requested, secrets));
                format!("{server} named protocol {own}, and is listed for protocol {requested}")
            });
        }
    }
}

/// Why an answer to a master forbids to list its sender; nothing if the capture lacks a part of it.
fn why(
    header: &MessageHeader,
    values: &MessageValues<'_>,
    placement: &Placement,
) -> Option<String> {
    if values.plain.cut || values.plain.faulty {
        return None;
    }
    let name = header.name;
    match placement.proof {
        ChallengeProof::Wrong if header.validation.is_some() => {
            return Some(format!("its {name} gave a wrong proof"));
        }
        ChallengeProof::Wrong => return Some(format!("its {name} brought another challenge back")),
        ChallengeProof::Missing => return Some(format!("its {name} brought no challenge back")),
        ChallengeProof::Unknown => return None,
        ChallengeProof::NotSent | ChallengeProof::Awaited | ChallengeProof::Right => {}
    }
    if values.plain.max_players == Some(0) && !header.entry.spec.required_keys.is_empty() {
        return Some(format!("its {name} said that there are no places"));
    }
    let missing: Vec<_> = values.missing(header).collect();
    (!missing.is_empty()).then(|| format!("its {name} lacked {}", missing.join(", ")))
}

/// The protocol for which a list was requested.
fn requested_protocol(listing: &ListContents) -> Option<TextValue> {
    let (entry, payload) = listing.request.as_ref()?;
    let mut reading = Reading::default();
    reading.walk(entry, payload);
    let is_protocol =
        |s: &&codec::Span| s.node == Node::Leaf && s.field.role == FieldRole::Protocol;
    let span = reading.spans().all.iter().find(is_protocol)?;
    let bytes = reading.bytes(payload, span);
    let text = span.shape.text(bytes);
    (!text.is_empty() && *text != *b"0").then(|| TextValue::from(&*text))
}
