//! The pairs of a message, and what may stand behind them.

use super::super::NOTHING;
use super::KEYS;
use codec::{
    Field, FieldRole, Group, Info, InfoForm, Parts, RawBytes, Sink, Spelling, View, ViewLayout,
};

/// Pairs up to the end of their bytes.
const ALL: InfoForm = InfoForm { stop: b"", keys: &KEYS };

/// The end mark without the backslash that leads its empty value, as Descent 3 sends it: the key
/// behind it would be read as its value.
pub(super) static BARE_FINAL: Field =
    Field::separator("final", "the last part of an answer; Descent 3's, without an empty value")
        .role(FieldRole::End);
/// The end mark with what is behind it.
const BARE_END: &[u8] = br"\final\queryid";
pub(super) static BARE_FINALS: [Spelling; 2] = [NOTHING, Spelling::new(b"\\final")];
pub(super) static NUL: Field = Field::terminator("NUL", "ends the datagram; Descent 3's");
pub(super) static NULS: [Spelling; 2] = [NOTHING, Spelling::new(b"\0")];

/// Pairs as they were sent: to the end of the message, to NULs at its end, or to an end mark without
/// a value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairList<'a> {
    info: Info<'a>,
}

impl<'a> PairList<'a> {
    /// The pairs in these bytes.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { info: Info::new(raw) }
    }

    /// Keys and values in wire order.
    pub fn pairs(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.info.pairs()
    }
}

/// The offset of an end mark whose value is the key behind it. A NUL ends a datagram, so no such mark
/// stands behind one.
pub(super) fn bare_final(bytes: &[u8]) -> Option<usize> {
    // Few messages have one.
    memchr::memmem::find(bytes, BARE_END)?;
    let mut pairs = Info::new(bytes).pairs();
    let (key, _) = pairs.find(|(key, value)| *key == b"final" && *value == b"queryid")?;
    let at = key.as_ptr().addr().checked_sub(bytes.as_ptr().addr() + 1)?;
    Some(at).filter(|at| bytes.get(..*at).and_then(<[u8]>::last) != Some(&0))
}

impl<'a> RawBytes<'a> for PairList<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self::new(raw)
    }

    fn raw(&self) -> &'a [u8] {
        self.info.raw()
    }
}

impl<'a> View<'a> for PairList<'a> {
    type Form = ();
    const GROUP: Group = Info::GROUP;

    fn len(all: &'a [u8], (): ()) -> usize {
        bare_final(all).unwrap_or_else(|| {
            let nuls = all.iter().rev().take_while(|byte| **byte == 0).count();
            all.len() - nuls
        })
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        self.info.parts(ALL, out);
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::Infostring { stop: b"\0", before: BARE_END }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        Info::fields(ALL, each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_end_at_a_bare_end_mark_and_before_nuls() {
        for (bytes, len) in [
            (&br"\a\1\final\\queryid\1.1"[..], 23),
            (br"\a\1\final\queryid\1.1", 4),
            (br"\final\queryid\1.1", 0),
            (br"\a\final\queryid\1.1", 20),
            (b"\\a\\1\0\\final\\queryid\\1.1", 23),
            (b"\\a\\1\0", 4),
            (b"\\a\\\0\x31\0\0", 5),
            (b"", 0),
        ] {
            assert_eq!(PairList::len(bytes, ()), len, "{}", bytes.escape_ascii());
            assert_eq!(PairList::len(&bytes[..len], ()), len, "{}", bytes.escape_ascii());
        }
    }
}
