//! Quake III's lists: the words that filter them, and how they are split into packets.

use std::net::SocketAddr;

use super::defect::{Defect, Defects};
use super::registry::{ListKey, Load};
use super::state::MasterState;
use codec::{AddrForm, Addrs, Tokens};

/// The spellings of an end mark: with three NUL (000, 004), bare (001 1.1.2), that of the last packet
/// of Raven's masters, that of protocols 43 and 45 (000), none.
const EOT_NUL: u8 = 0;
/// The end mark `EOT` and NULs.
pub const EOT: u8 = 1;
const EOF: u8 = 2;
/// The end mark of older lists.
pub const OLD_END: u8 = 3;
const NO_END: u8 = 5;

/// The filter words of a request.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four words, each there or not")]
pub struct ListFilter<'a> {
    empty: bool,
    full: bool,
    /// The requested game types; empty: all.
    gametypes: Vec<&'a [u8]>,
    /// The requested IP families; neither: both.
    pub four: bool,
    /// Whether IPv6 addresses are wanted.
    pub six: bool,
}

impl<'a> ListFilter<'a> {
    /// Reads the words of 001 1.1.1 and those of dpmaster; others are ignored, and so is `demo`,
    /// because no server says that it is one.
    pub fn parse(words: Tokens<'a>, defects: Defects) -> Self {
        let mut filter = Self::default();
        for word in words.iter() {
            let known = [&b"empty"[..], b"full"].into_iter().find(|known| word.starts_with(known));
            let word = known.filter(|_| defects.has(Defect::SimilarWords)).unwrap_or(word);
            match word {
                b"empty" => filter.empty = true,
                b"full" => filter.full = true,
                b"ffa" => filter.gametypes.push(b"0"),
                b"tourney" => filter.gametypes.push(b"1"),
                b"team" => filter.gametypes.push(b"3"),
                b"ctf" => filter.gametypes.push(b"4"),
                b"ipv4" => filter.four = true,
                b"ipv6" => filter.six = true,
                word => filter.gametypes.extend(word.strip_prefix(b"gametype=")),
            }
        }
        if !filter.four && !filter.six {
            (filter.four, filter.six) = (true, true);
        }
        filter
    }

    /// The same for the servers of a game: clients of Enemy Territory always get all of them (004 4)
    /// getservers).
    #[must_use]
    pub fn of_game(self, game: Option<&[u8]>) -> Self {
        let all = game == Some(b"et".as_slice());
        Self { empty: self.empty || all, full: self.full || all, ..self }
    }

    /// Whether servers of this kind match. Without a word for them, empty and full ones do not (001
    /// 1.1.1).
    pub fn fits(&self, defects: Defects, kind: &ListKey) -> bool {
        let load = match kind.load {
            Load::Empty if defects.has(Defect::HidesEmpty) => false,
            Load::Full if defects.has(Defect::HidesFull) => false,
            Load::Empty => self.empty || defects.has(Defect::LeaksEmpty),
            Load::Full => self.full || defects.has(Defect::LeaksFull),
            Load::Open => true,
        };
        let any = self.gametypes.is_empty() || defects.has(Defect::IgnoresGametype);
        let is_of = |wanted: &[u8]| {
            wanted == &*kind.gametype
                || defects.has(Defect::GametypePrefix) && kind.gametype.starts_with(wanted)
                || defects.has(Defect::GametypeAnyCase)
                    && kind.gametype.eq_ignore_ascii_case(wanted)
        };
        load && (any || self.gametypes.iter().any(|wanted| is_of(wanted)))
    }
}

/// How a list is split into packets and ended.
#[derive(Debug, Clone, Copy)]
pub struct Split {
    /// Bytes of records in one packet.
    pub bytes: usize,
    /// How many records fit into a packet.
    pub records: usize,
    /// The spellings of the end marks: of the packets before the last, and of the last.
    pub between: u8,
    /// The end mark of the last packet.
    pub end: u8,
}

impl Split {
    /// Like id's programs: this many records per packet, an end mark in each.
    pub fn by_records(records: usize, end: u8) -> Self {
        Self { bytes: usize::MAX, records, between: end, end }
    }

    /// Like Raven's masters: up to 111 records per packet, and another end mark in the last
    /// (dionrhys/JAMasterServer, docs/protocol.txt).
    pub fn of_raven() -> Self {
        Self { between: EOT, ..Self::by_records(111, EOF) }
    }

    /// As a client of Unvanquished reads it: the last record of a packet counts only if an end mark
    /// follows (Daemon, src/engine/client/cl_main.cpp).
    pub fn of_daemon(state: &MasterState, header: &[u8]) -> Self {
        let by_bytes = Self::by_bytes(state, header);
        let longest = b"\0".len() + 2 * b"65535\0".len();
        Self { bytes: by_bytes.bytes.saturating_sub(longest), between: EOT_NUL, ..by_bytes }
    }

    /// Like dpmaster: as many records as fit besides header and end mark.
    pub fn by_bytes(state: &MasterState, header: &[u8]) -> Self {
        let size = if state.has(Defect::LongPackets) { 9000 } else { state.settings.packet_size };
        let bytes = size.saturating_sub(header.len() + b"\\EOT\0\0\0".len());
        Self { bytes, records: usize::MAX, between: NO_END, end: EOT_NUL }
    }

    /// The same, with the master's defects.
    fn broken(mut self, state: &MasterState) -> Self {
        if state.has(Defect::EndMarkEverywhere) {
            self.between = self.end;
        }
        if state.has(Defect::NoEndMark) {
            (self.between, self.end) = (NO_END, NO_END);
        }
        self
    }

    /// Passes each packet's records and end mark to `each`. An empty list is one packet.
    pub fn each(
        self,
        state: &mut MasterState,
        servers: &[SocketAddr],
        form: AddrForm,
        mut packet: impl FnMut(&mut MasterState, Addrs<'_>, u8),
    ) {
        let split = self.broken(state);
        let (mut raw, mut count) = (Vec::new(), 0);
        for server in servers {
            let whole = raw.len();
            state.push(form, *server, &mut raw);
            if raw.len() > split.bytes || count == split.records {
                packet(state, Addrs::new(raw.get(..whole).unwrap_or_default()), split.between);
                if state.has(Defect::OnePacket) {
                    return;
                }
                raw.drain(..whole);
                if state.has(Defect::LosesAtPackets) {
                    raw.clear();
                }
                count = 0;
            }
            count += 1;
        }
        let width = raw.len().checked_div(count).unwrap_or_default();
        let is_full = raw.len() + width > split.bytes || count == split.records;
        if is_full && state.has(Defect::LosesWhenFull) {
            raw.truncate(raw.len() - width);
        }
        if state.has(Defect::EmptyLastPacket) && !raw.is_empty() {
            packet(state, Addrs::new(&raw), split.between);
            raw.clear();
        }
        packet(state, Addrs::new(&raw), split.end);
    }
}
