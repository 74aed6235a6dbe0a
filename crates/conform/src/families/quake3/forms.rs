//! Forms of lists that no document has: those of Raven's games, and of Unvanquished.

use super::list::{ends_with, wrong_end};
use super::packets::{MANY_SERVERS_CASE, list_of_many};
use crate::list::ReceivedList;
use crate::{Case, Done, Failure, ReceivedDatagram};
use simulate::families::quake3::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "jedi-academy/getserversResponse/head",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| expect_heads(&ctx.setup(|| list_of_many(ctx))?),
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "jedi-academy/getserversResponse/end-marks",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            let listed = ctx.setup(|| list_of_many(ctx))?;
            ends_with(&listed, |end| end == b"\\EOF", "\\EOF at the end of the last packet")?;
            let mut early = listed.ends().rev().skip(1);
            match early.find(|(.., end)| *end != b"\\EOT") {
                Some((packet, at, end)) => {
                    Err(wrong_end(packet, at, end, "\\EOT at the end of the packets before"))
                }
                None => Ok(()),
            }
        },
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "unvanquished/getserversResponse/numbers",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| expect_numbers(&numbers(&ctx.setup(|| list_of_many(ctx))?)?),
        ..MANY_SERVERS_CASE
    },
    Case {
        id: "unvanquished/getserversResponse/last-record",
        title: "a client asks for more servers than one packet holds",
        run: |ctx| {
            let listed = ctx.setup(|| list_of_many(ctx))?;
            numbers(&listed)?;
            match listed.ends().find(|(.., end)| end.is_empty()) {
                Some((packet, at, end)) => {
                    Err(wrong_end(packet, at, end, "a backslash behind the last record"))
                }
                None => Ok(()),
            }
        },
        ..MANY_SERVERS_CASE
    },
];

/// A line feed and a NUL stand before the records of each packet.
fn expect_heads(listed: &ReceivedList) -> Done {
    let mut packets = listed.packets.iter().zip(&listed.records);
    let is_wrong = |bytes: &[u8], at: usize| {
        !bytes.get(..at).is_some_and(|head| head.ends_with(b"getserversResponse\n\0"))
    };
    match packets.find(|(packet, records)| is_wrong(&packet.bytes, records.at)) {
        Some((packet, records)) => {
            let failure = Failure::new("a line feed and a NUL before the records", "none");
            Err(failure.within(packet, records.at..records.at + 1))
        }
        None => Ok(()),
    }
}

/// A packet, its number, and how many packets it says there are.
type Numbered<'a> = (&'a ReceivedDatagram, i64, i64);

/// The numbers of all packets. A list without any is not in Daemon's form.
fn numbers(listed: &ReceivedList) -> Result<Vec<Numbered<'_>>, Failure> {
    if !listed.packets.iter().any(|packet| number(packet).is_some()) {
        return Err(Failure::skipped("the packets of the list have no numbers"));
    }
    let missing = |packet| Failure::new("a packet with its number", "none").at(packet);
    let packets = listed.packets.iter();
    packets.map(|packet| number(packet).ok_or_else(|| missing(packet))).collect()
}

fn number(packet: &ReceivedDatagram) -> Option<Numbered<'_>> {
    let (index, count) = messages::packet_number(&packet.bytes)?;
    Some((packet, index, count))
}

/// The packets are numbered from 1, and each says how many there are.
fn expect_numbers(numbers: &[Numbered<'_>]) -> Done {
    let count = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
    if let Some((packet, _, all)) = numbers.iter().find(|(.., all)| *all != count) {
        let failure = Failure::new(format!("{count} as the number of packets"), all.to_string());
        return Err(failure.at(packet));
    }
    let mut indices: Vec<_> = numbers.iter().map(|(_, index, _)| *index).collect();
    indices.sort_unstable();
    if indices.iter().copied().eq(1..=count) {
        return Ok(());
    }
    Err(Failure::new(format!("packets with the numbers 1 to {count}"), format!("{indices:?}")))
}
