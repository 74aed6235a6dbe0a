//! Replies in several datagrams: whole when as many clients have come as the server says it has.

use super::info::{PLAYERS, PLAYERS_EXTENDED};
use codec::PackedInt;
use protocol::{EntryCount, Part};

/// How many clients a datagram has at most, in a reply of up to 64.
const IN_A_DATAGRAM: u32 = 24;

/// How many texts stand before the four counts of a reply.
const BEFORE_COUNTS: usize = 6;
const BEFORE_COUNTS_EXTENDED: usize = 8;
/// How many texts a client has.
const OF_CLIENT: usize = PLAYERS.members.len();
const OF_CLIENT_EXTENDED: usize = PLAYERS_EXTENDED.members.len();

/// What stands behind so many texts, each with a NUL, after head and command.
fn behind(bytes: &[u8], texts: usize) -> Option<&[u8]> {
    let body = bytes.get(14..)?;
    (0..texts).try_fold(body, |rest, _| rest.get(rest.iter().position(|byte| *byte == 0)? + 1..))
}

/// The decimal number in a text.
fn number(bytes: &[u8], before: usize) -> Option<u32> {
    let text = behind(bytes, before)?.split(|byte| *byte == 0).next()?;
    str::from_utf8(text).ok()?.parse().ok()
}

/// How many clients these bytes list; each client has this many texts, with a NUL after each.
fn clients(bytes: &[u8], texts: usize) -> Option<u32> {
    u32::try_from(memchr::memchr_iter(0, bytes).count() / texts).ok()
}

/// How many clients an extended reply has, and how many there are.
pub(super) fn extended_entries(bytes: &[u8]) -> Option<EntryCount> {
    let of = number(bytes, BEFORE_COUNTS_EXTENDED + 2)?;
    let here = clients(behind(bytes, BEFORE_COUNTS_EXTENDED + 5)?, OF_CLIENT_EXTENDED)?;
    Some(EntryCount { here, of: Some(of) })
}

/// From a `dtsf`: the number of its first client, and the bytes that list its clients.
fn offset(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let all = behind(bytes, BEFORE_COUNTS + 4)?;
    let length = 1 + all.iter().take_while(|byte| **byte & 0x80 != 0).count();
    let offset = PackedInt::split_off(all).ok()?.get();
    Some((u32::try_from(offset).ok()?, all.get(length..)?))
}

/// How many clients such a reply has, and how many there are.
pub(super) fn entries_64(bytes: &[u8]) -> Option<EntryCount> {
    let of = number(bytes, BEFORE_COUNTS + 2)?;
    let (_, behind) = offset(bytes)?;
    Some(EntryCount { here: clients(behind, OF_CLIENT)?, of: Some(of) })
}

/// Which part of its answer a reply of up to 64 clients is, if it does not have all.
pub(super) fn part_64(bytes: &[u8]) -> Option<Part> {
    let (first, _) = offset(bytes)?;
    let EntryCount { here, of } = entries_64(bytes)?;
    let last = of.is_none_or(|of| first + here >= of);
    let index = u16::try_from(first / IN_A_DATAGRAM + 1).ok()?;
    (index > 1 || !last).then_some(Part { reply: number(bytes, 0)?, index, last })
}

/// Which part of its answer an extended reply is, if it does not have all clients.
pub(super) fn first_part(bytes: &[u8]) -> Option<Part> {
    let EntryCount { here, of } = extended_entries(bytes)?;
    let is_whole = of.is_none_or(|of| here >= of);
    (!is_whole).then_some(Part { reply: number(bytes, 0)?, index: 1, last: false })
}

/// Which part of its answer a reply with more clients is.
pub(super) fn later_part(bytes: &[u8]) -> Option<Part> {
    let index = u16::try_from(number(bytes, 1)?).ok()?.checked_add(1)?;
    Some(Part { reply: number(bytes, 0)?, index, last: false })
}

/// How many clients such a reply has.
pub(super) fn later_entries(bytes: &[u8]) -> Option<EntryCount> {
    let here = clients(behind(bytes, 3)?, OF_CLIENT_EXTENDED)?;
    Some(EntryCount { here, of: None })
}
