//! Lists that do not fit into one packet: 001 1.1.2, 000 "response format", 004 5)
//! getserversResponse.

use std::collections::BTreeSet;

use super::LISTS;
use super::ends::{Quake3Client, Quake3List, Quake3Server, all};
use super::list::ends_with;
use super::preconditions::LISTED;
use crate::conform::{Case, Done, Failure, MUST, ReceivedDatagram, SHOULD, TestContext};
use crate::families::quake3::messages as voice;
use crate::master::ListForm;

/// More servers than any packet holds.
const CROWD: usize = 198;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/split",
        title: "a client asks for more servers than one packet holds",
        requires: "the master sends several packets if there are too many servers for one",
        citation: "001 1.1.2, 000 getserversResponse",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            register_crowd(ctx)?;
            ctx.until(|| {
                let listed = client.asks(all(ctx))?;
                if listed.packets.len() > 1 {
                    return Ok(());
                }
                let came = format!("one packet with {} servers", listed.servers.len());
                Err(Failure::new(format!("several packets with {CROWD} servers"), came))
            })
        },
        ..CROWDED
    },
    Case {
        id: "quake3/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        requires: "no packet is larger than 1536 bytes, to avoid fragments",
        citation: "000 getserversResponse",
        run: |ctx| no_longer(&ctx.setup(|| crowd(ctx))?, 1536),
        level: SHOULD.level,
        ..CROWDED
    },
    Case {
        id: "quake3/getserversResponse/no-empty-packet",
        title: "a client asks for more servers than one packet holds",
        requires: "several packets are sent where the servers need them, and each holds some",
        citation: "001 1.1.2",
        run: |ctx| {
            let listed = ctx.setup(|| crowd(ctx))?;
            let used: BTreeSet<_> = listed.servers.iter().map(|(_, packet, _)| *packet).collect();
            let mut idle = (0..listed.packets.len()).filter(|packet| !used.contains(packet));
            match idle.next() {
                Some(packet) => {
                    let failure = Failure::new("servers in every packet", "a packet without any");
                    Err(listed.blame(failure, packet, 0..0))
                }
                None => Ok(()),
            }
        },
        level: SHOULD.level,
        ..CROWDED
    },
    Case {
        id: "quake3/getserversResponse/packets",
        title: "a client asks for more servers than one packet holds",
        requires: "a packet holds 112 servers at most and 810 bytes, and ends in a backslash and EOT",
        citation: "001 1.1.2",
        run: |ctx| {
            if ctx.assumed().settings().list_form == ListForm::Dpmaster {
                let why = "the target is assumed to pack lists as dpmaster does";
                return Err(Failure::skipped(why));
            }
            let listed = ctx.setup(|| crowd(ctx))?;
            no_longer(&listed, 810)?;
            for (number, end) in listed.ends.iter().enumerate() {
                if end != b"\\EOT" {
                    return Err(listed.wrong_end(number, "\\EOT at the end of every packet"));
                }
            }
            Ok(())
        },
        ..CROWDED
    },
    Case {
        id: "dpmaster/getserversResponse/end-mark",
        title: "a client asks for more servers than one packet holds",
        requires: "the list ends with EOT and three NUL; packets before the last have no end mark",
        citation: "004 5) getserversResponse",
        run: |ctx| {
            if ctx.assumed().settings().list_form == ListForm::Id {
                return Err(Failure::skipped("the target is assumed to pack lists as id's does"));
            }
            let listed = ctx.setup(|| crowd(ctx))?;
            let what = "\\EOT and three NUL at the end of the list";
            ends_with(&listed, |end| end == b"\\EOT\0\0\0", what)?;
            let last = listed.ends.len().saturating_sub(1);
            let mut early = listed.ends.iter().take(last);
            match early.position(|end| !end.is_empty()) {
                Some(packet) => Err(listed.wrong_end(packet, "no end mark before the last packet")),
                None => Ok(()),
            }
        },
        ..CROWDED
    },
    Case {
        id: "dpmaster/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        requires: "dpmaster's packets have 1400 bytes at most",
        citation: "dpmaster's, in no document",
        run: |ctx| no_longer(&ctx.setup(|| crowd(ctx))?, ctx.assumed().settings().packet_size),
        level: SHOULD.level,
        ..CROWDED
    },
];

/// A case with the maximum number of servers: it runs alone, because it uses those of all others.
const CROWDED: Case = Case { needs: &[&LISTED], exclusive: true, ..MUST };

/// Registers more servers than a packet holds, and returns the list with all of them.
pub fn crowd(ctx: &TestContext<'_>) -> Result<Quake3List, Failure> {
    let client = Quake3Client::new(ctx)?;
    let servers = register_crowd(ctx)?;
    let listed = ctx.until(|| {
        let listed = client.asks(all(ctx))?;
        let there: BTreeSet<_> = listed.servers.iter().map(|(server, ..)| *server).collect();
        let missing = servers.iter().filter(|s| !there.contains(&s.address())).count();
        if missing > 0 {
            let what = format!("a list that holds all of {CROWD} servers");
            let came = format!("{} packets without {missing} of them", listed.packets.len());
            let failure = Failure::new(what, came);
            let last = listed.packets.len().saturating_sub(1);
            return Err(listed.blame(failure, last, 0..0));
        }
        Ok(listed)
    })?;
    Ok(listed)
}

/// Registers more servers than a packet holds.
fn register_crowd<'s>(ctx: &'s TestContext<'_>) -> Result<Vec<Quake3Server<'s>>, Failure> {
    let ends = ctx.servers(LISTS, CROWD)?;
    let persona = voice::persona(&all(ctx).protocol.to_string());
    let server = |end| Quake3Server { end, tag: voice::QUAKE, persona: persona.clone() };
    let servers: Vec<_> = ends.into_iter().map(server).collect();
    ctx.setup(|| servers.iter().try_for_each(Quake3Server::register))?;
    Ok(servers)
}

/// No packet of the list is longer.
fn no_longer(listed: &Quake3List, most: usize) -> Done {
    let is_longer = |packet: &ReceivedDatagram| packet.bytes.len() > most;
    let Some((number, packet)) = listed.packets.iter().enumerate().find(|(_, p)| is_longer(p))
    else {
        return Ok(());
    };
    let length = packet.bytes.len();
    let failure = Failure::new(format!("packets of {most} bytes at most"), format!("{length}"));
    Err(listed.blame(failure, number, most..length))
}
