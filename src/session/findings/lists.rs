//! Rules on lists of servers, and on answers as wholes.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use foldhash::fast::RandomState;

use super::Findings;
use super::rules::{
    ADDRESS_LOCAL, END_BARE, END_EARLY, END_MISSING, ENTRY_DOUBLED, ENTRY_SHORT, OTHER_PORT,
    OVER_810, OVER_1400, OVER_1536, PART_MISSING, PORT_SWAPPED, PORT_ZERO, UNVERIFIED,
};
use crate::flow::Transport;
use crate::proto::Affair;
use crate::session::exchange::{Exchange, Listing};
use crate::session::facts::{End, Facts};
use crate::session::hosts::{Hosts, Server};
use crate::session::message::Header;

impl Findings {
    /// A packet of a list, with what is known of its servers before it.
    pub(super) fn list_packet(&mut self, header: &Header, facts: &Facts, hosts: &Hosts) {
        let (master, client, at) = (header.source, header.destination, [header.number]);
        for server in &facts.servers {
            if server.port() == 0 {
                self.found(&PORT_ZERO, master, &at, || {
                    format!("{} is listed with port 0", server.ip())
                });
            }
            if is_out_of_reach(server.ip(), client.ip()) {
                self.found(&ADDRESS_LOCAL, master, &at, || {
                    format!("{server} is told to {}", client.ip())
                });
            }
            let swapped = SocketAddr::new(server.ip(), server.port().swap_bytes());
            let known = hosts.server(*server).filter(|s| is_heard(s));
            if let Some(meant) = hosts.server(swapped).filter(|s| known.is_none() && is_heard(s)) {
                let beat = meant.dealings.iter().find_map(|d| d.first_heartbeat);
                let numbers: Vec<_> = beat.map(|b| b.number).into_iter().chain(at).collect();
                self.found(&PORT_SWAPPED, master, &numbers, || {
                    format!("{server} is listed, and {swapped} sent the heartbeat")
                });
            }
            if header.entry.spec.dealing.marks_end
                && let Some(beat) = known.and_then(|s| is_unverified(s, master))
            {
                self.found(&UNVERIFIED, master, &[beat, header.number], || {
                    format!("{server} is listed before it answered a challenge")
                });
            }
        }
        if facts.short > 0 {
            self.found(&ENTRY_SHORT, master, &at, || {
                format!("{} ends within a record", header.name)
            });
        }
        let length = header.length as usize;
        let rule = match length {
            _ if header.transport != Transport::Udp => return,
            1537.. => &OVER_1536,
            1401.. => &OVER_1400,
            811.. => &OVER_810,
            _ => return,
        };
        self.found(rule, master, &at, || format!("{} has {length} bytes", header.name));
    }

    /// A whole list.
    pub(super) fn list(&mut self, exchange: &Exchange) {
        let Some(listing) = exchange.listing() else {
            return;
        };
        let master = exchange.master().unwrap_or(exchange.asked);
        self.ends(listing, master);
        self.doubles(listing, master);
    }

    fn ends(&mut self, listing: &Listing, master: SocketAddr) {
        let marked = |end: Option<End>| end == Some(End::Marked);
        let numbers: Vec<_> = listing.packets.iter().map(|p| p.number).collect();
        let Some(last) = listing.packets.last() else {
            return;
        };
        let packets = listing.packets.len();
        // Packets may overtake each other: a mark in any of them ends the list.
        if !listing.packets.iter().any(|p| marked(p.end)) {
            let rule = match last.end {
                Some(End::Open) => &END_MISSING,
                Some(End::Bare) => &END_BARE,
                _ => return,
            };
            let numbers = numbers.get(packets - 1..).unwrap_or_default();
            self.found(rule, master, numbers, || {
                let of =
                    if packets == 1 { String::new() } else { format!(" of {packets} packets") };
                format!("nothing says that the list{of} is complete")
            });
            return;
        }
        let early = listing.packets.iter().filter(|p| marked(p.end)).count();
        let is_last = marked(last.end);
        if packets > 1 && (early > 1 || !is_last) {
            self.found(&END_EARLY, master, &numbers, || {
                format!("{early} of {packets} packets say that the list is complete")
            });
        }
    }

    fn doubles(&mut self, listing: &Listing, master: SocketAddr) {
        let mut seen: HashMap<SocketAddr, u16, RandomState> = HashMap::default();
        for (server, packet) in &listing.servers {
            let Some(before) = seen.insert(*server, *packet) else {
                continue;
            };
            let number = |at: u16| listing.packets.get(usize::from(at)).map(|p| p.number);
            let mut numbers: Vec<_> =
                [number(before), number(*packet)].into_iter().flatten().collect();
            numbers.dedup();
            self.found(&ENTRY_DOUBLED, master, &numbers, || format!("{server} is listed twice"));
        }
    }

    /// Where answers came from, and whether all of them came.
    pub(super) fn answers(&mut self, exchange: &Exchange) {
        let numbers: Vec<_> = exchange.numbers().collect();
        if exchange.from_other_port {
            let answer = exchange.steps.last().map_or(exchange.asked, |step| step.source);
            let asked = exchange.asked;
            self.found(&OTHER_PORT, answer, &numbers, || match exchange.affair {
                Affair::Registration => format!("{answer} answers for another port"),
                _ => format!("{asked} was asked, {answer} answers"),
            });
        }
        if exchange.parts_missing {
            self.found(&PART_MISSING, exchange.asked, &numbers, || {
                format!("not all parts of the answer to {} came", exchange.asker)
            });
        }
    }
}

/// Whether a server was heard itself.
fn is_heard(server: &Server) -> bool {
    server.answered.is_some() || server.dealings.iter().any(|d| d.heartbeats > 0)
}

/// The heartbeat of a server that has not proven itself to a master and was not known to it before.
fn is_unverified(server: &Server, master: SocketAddr) -> Option<u64> {
    let dealings = server.dealings_with(master)?;
    let beat = dealings.first_heartbeat?;
    let before = dealings.first_listed.is_some_and(|listed| listed.number < beat.number);
    (dealings.verified.is_none() && !before).then_some(beat.number)
}

/// Whether `address` means another host, or none, to who is at `client`.
fn is_out_of_reach(address: IpAddr, client: IpAddr) -> bool {
    address.is_loopback() && !client.is_loopback()
        || is_private(address) && !is_private(client) && !client.is_loopback()
}

/// Whether an address belongs to a network that is not the world's: private (RFC 1918), shared
/// (RFC 6598), link-local, unique local.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            let shared = u32::from(four) & 0xffc0_0000 == u32::from(Ipv4Addr::new(100, 64, 0, 0));
            four.is_private() || four.is_link_local() || shared
        }
        IpAddr::V6(six) => six.is_unique_local() || six.is_unicast_link_local(),
    }
}
