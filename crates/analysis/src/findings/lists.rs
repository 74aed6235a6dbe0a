//! Rules on lists of servers, and on complete answers.

use std::net::{IpAddr, SocketAddr};

use smallvec::SmallVec;

use super::Findings;
use super::rules::{
    ADDRESS_LOCAL, END_BARE, END_EARLY, END_MISSING, ENTRY_DOUBLED, ENTRY_SHORT, OTHER_PORT,
    OVER_810, OVER_1400, OVER_1536, PART_MISSING, PORT_SWAPPED, PORT_ZERO, UNVERIFIED,
};
use crate::addresses::is_private;
use crate::exchange::{Exchange, ListContents, MissingParts, PacketOfList};
use crate::frame_ref::FrameRef;
use crate::host::ServerHost;
use crate::hosts::{Hosts, ListedTraits, SILENCE};
use crate::message::MessageHeader;
use crate::registration_stats::{Moment, RegistrationStats};
use crate::values::{ListEnd, MessageValues};
use flow::Transport;
use protocol::ExchangeKind;
use text::since;

impl Findings {
    /// Checks a packet of a list against what was known of its servers before it.
    pub(super) fn check_list_packet(
        &mut self,
        header: &MessageHeader,
        values: &MessageValues<'_>,
        hosts: &Hosts,
    ) {
        let (master, client, at) = (header.source, header.destination, [header.frame()]);
        let is_forwarded = client.ip() != master.ip();
        let reach = Reach::of_client(client.ip());
        for (server, listed) in values.servers.iter().zip(hosts.listed()) {
            if server.port() == 0 {
                self.add_finding(&PORT_ZERO, master, &at, || {
                    format!("{} is listed with port 0", server.ip())
                });
            }
            if is_forwarded && !reach.has(server.ip()) {
                self.add_finding(&ADDRESS_LOCAL, master, &at, || {
                    format!("{server} is told to {}", client.ip())
                });
            }
            if !listed.is_known {
                self.check_swapped(*server, header, hosts);
            }
            self.check_proof_of_listed(*server, *listed, header, hosts);
        }
        if values.plain.zeros > 0 {
            self.add_finding(&PORT_ZERO, master, &at, || {
                format!("{} has records of zeros before its end", header.name)
            });
        }
        if values.plain.short > 0 {
            self.add_finding(&ENTRY_SHORT, master, &at, || {
                format!("{} ends within a record", header.name)
            });
        }
        let length = header.length + header.missing;
        // If a protocol allows only one datagram per list, the master has no other choice.
        let splits = header.transport == Transport::Udp && header.entry.spec.has_end_mark;
        let rule = match length {
            _ if !splits => return,
            1537.. => &OVER_1536,
            1401.. => &OVER_1400,
            811.. => &OVER_810,
            _ => return,
        };
        self.add_finding(rule, master, &at, || format!("{} has {length} bytes", header.name));
    }

    /// A master lists a server of which no message was captured: whether it is one that is known,
    /// with the bytes of its port swapped.
    fn check_swapped(&mut self, server: SocketAddr, header: &MessageHeader, hosts: &Hosts) {
        let swapped = SocketAddr::new(server.ip(), server.port().swap_bytes());
        let Some(matches) = hosts.server(swapped).filter(|s| is_known(s)) else {
            return;
        };
        let heartbeat = matches.registrations.iter().find_map(RegistrationStats::first_heartbeat);
        let heartbeat = heartbeat.map(Moment::frame).into_iter();
        let numbers: Vec<_> = heartbeat.chain([header.frame()]).collect();
        self.add_finding(&PORT_SWAPPED, header.source, &numbers, || {
            format!("{server} is listed, and the server is {swapped}")
        });
    }

    /// A master lists a server: whether that has proved itself.
    fn check_proof_of_listed(
        &mut self,
        server: SocketAddr,
        listed: ListedTraits,
        header: &MessageHeader,
        hosts: &Hosts,
    ) {
        let master = header.source;
        let is_doubted = self.answers.are_doubted(server);
        if is_doubted && self.lists_unproven(server, header, hosts) {
            return;
        }
        let may_be_new = listed.is_known && listed.came_late;
        if may_be_new
            && header.entry.spec.has_end_mark
            && !(is_doubted && self.answers.are_unclear(server, master.ip()))
            && let Some(heartbeat) =
                hosts.server(server).and_then(|s| is_unverified(s, master, hosts))
        {
            self.add_finding(&UNVERIFIED, master, &[heartbeat, header.frame()], || {
                format!("{server} is listed before it answered a challenge")
            });
        }
    }

    /// Checks a complete list.
    pub(super) fn check_list(&mut self, exchange: &Exchange) {
        let Some(listing) = exchange.listing() else {
            return;
        };
        let master = exchange.master().unwrap_or(exchange.responder);
        self.protocols(exchange, listing, master);
        self.check_ends(exchange, listing, master);
        self.check_doubles(exchange, listing, master);
    }

    fn check_ends(&mut self, exchange: &Exchange, listing: &ListContents, master: SocketAddr) {
        if exchange.crossed {
            return;
        }
        let marked = |end: Option<ListEnd>| end == Some(ListEnd::Marked);
        let numbers: SmallVec<[FrameRef; 8]> =
            listing.packets.iter().map(PacketOfList::frame).collect();
        let Some(last) = listing.packets.last() else {
            return;
        };
        let packets = listing.packets.len();
        // Packets may arrive out of order: a mark in any of them ends the list.
        if !listing.packets.iter().any(|p| marked(p.end)) {
            let rule = match last.end {
                Some(ListEnd::Open) => &END_MISSING,
                Some(ListEnd::Bare) => &END_BARE,
                _ => return,
            };
            let numbers = numbers.get(packets - 1..).unwrap_or_default();
            self.add_finding(rule, master, numbers, || {
                let of =
                    if packets == 1 { String::new() } else { format!(" of {packets} packets") };
                format!("the list{of} has no end mark")
            });
            return;
        }
        let early = listing.packets.iter().filter(|p| marked(p.end)).count();
        let is_last = marked(last.end);
        if packets > 1 && (early > 1 || !is_last) {
            self.add_finding(&END_EARLY, master, &numbers, || {
                format!("{early} of {packets} packets say that the list is complete")
            });
        }
    }

    fn check_doubles(&mut self, exchange: &Exchange, listing: &ListContents, master: SocketAddr) {
        // After two requests a master lists twice.
        let mixed = exchange.crossed || exchange.retries > 0;
        let servers = &listing.servers;
        self.doubles.begin(servers.len());
        let mut packets: SmallVec<[&[_]; 8]> = SmallVec::new();
        let mut position = 0;
        for packet in servers.chunk_by(|a, b| a.1 == b.1) {
            let first = position;
            position += packet.len() as u32;
            let same = |other: &&[(SocketAddr, u16)]| {
                other.iter().map(|s| s.0).eq(packet.iter().map(|s| s.0))
            };
            // A packet that was captured twice: when it was received and when it was forwarded.
            if packets.iter().any(same) {
                continue;
            }
            packets.push(packet);
            for (at, (server, packet)) in (first..).zip(packet) {
                let of = |at: u32| servers.get(at as usize);
                let is_at = |at| of(at).is_some_and(|(known, _)| known == server);
                let before = self.doubles.replace((*server).into(), at, is_at).and_then(of);
                let Some((_, before)) = before.filter(|(_, of)| !mixed || of == packet) else {
                    continue;
                };
                let frames = [*before, *packet].map(|at| listing.packets.get(usize::from(at)));
                let frames = frames.into_iter().flatten().map(PacketOfList::frame);
                let mut frames: SmallVec<[FrameRef; 2]> = frames.collect();
                frames.dedup();
                self.add_finding(&ENTRY_DOUBLED, master, &frames, || {
                    format!("{server} is listed twice")
                });
            }
        }
    }

    /// Checks the source of answers, and whether all parts came.
    pub(super) fn check_answers(&mut self, exchange: &Exchange) {
        if !exchange.from_other_port && !exchange.parts_missing {
            return;
        }
        let numbers: Vec<_> = exchange.frames().collect();
        if exchange.from_other_port {
            let answer = exchange.steps.last().map_or(exchange.responder, |step| step.source);
            let responder = exchange.responder;
            self.add_finding(&OTHER_PORT, answer, &numbers, || match exchange.kind {
                ExchangeKind::Registration => format!("{answer} answers for another port"),
                _ => format!("{responder} was asked, {answer} answers"),
            });
        }
        if exchange.parts_missing {
            self.add_finding(&PART_MISSING, exchange.responder, &numbers, || {
                let missing = exchange.missing_parts.as_deref().map(MissingParts::words);
                let to = exchange.requester;
                let missing = missing.map(|which| format!(": {which} missing")).unwrap_or_default();
                format!("not all parts of the answer to {to} came{missing}")
            });
        }
    }
}

/// Whether a message of the server itself was captured.
fn is_known(server: &ServerHost) -> bool {
    let has_registered = || server.registrations.iter().any(|d| d.heartbeats() > 0);
    server.answered.is_some() || server.shutdown.is_some() || has_registered()
}

/// The heartbeat of a server that was not verified by a master and that the master did not know
/// before.
///
/// What happened before the capture is unknown: a master lists verified servers for 15 minutes. So
/// the capture must cover that time without a message of the server.
fn is_unverified(server: &ServerHost, master: SocketAddr, hosts: &Hosts) -> Option<FrameRef> {
    let here = |stats: &&RegistrationStats| stats.master.ip() == master.ip();
    let stats =
        server.registration_with(master).or_else(|| server.registrations.iter().find(here))?;
    let heartbeat = stats.first_heartbeat()?;
    let classified = hosts.master(stats.master)?.seen;
    let is_late = since(classified.time, heartbeat.time).is_some_and(|time| time > SILENCE);
    let is_new = is_late && server.seen.number() >= heartbeat.number();
    (stats.verified().is_none() && is_new).then_some(heartbeat.frame())
}

/// Which addresses mean the same host for a client as for others.
#[derive(Clone, Copy)]
struct Reach {
    is_ipv4: bool,
    is_loopback: bool,
    is_private: bool,
}

impl Reach {
    fn of_client(client: IpAddr) -> Self {
        let (is_loopback, is_private) = (client.is_loopback(), is_private(client));
        Self { is_ipv4: client.is_ipv4(), is_loopback, is_private }
    }

    /// Whether an address does not mean another host, or none, from the view of the client. A
    /// client with a public address of one family may have a private one of the other.
    fn has(self, address: IpAddr) -> bool {
        let Self { is_ipv4, is_loopback, is_private: is_local } = self;
        let is_other = !is_local && !is_loopback && address.is_ipv4() == is_ipv4;
        !(address.is_unspecified()
            || !is_loopback && address.is_loopback()
            || is_other && is_private(address))
    }
}
