//! The master's list: a header with the master's half of the key, and the list, deciphered where the
//! request is known and the key of the asking game is published.

use super::super::{M2C, SERVERS};
use super::servers::{KeyTypes, LAST, PopularValues, ServerForm, Servers};
use codec::{
    Anomaly, Body, Endian, Field, FieldRole, Group, Kind, Parts, Pass, RawBytes, Scratch, Shape,
    Sink, Spelling, View, Walk, decode,
};
use protocol::{Message, Spec};

static HEADER: Field = Field::group("header", "the master's half of the key of the cipher");
static LENGTH: Field =
    Field::number("length", "how many bytes follow, XOR EC").role(FieldRole::Packet);
static GAME_FLAGS: Field = Field::number("game flags", "what the master says of the game");
static RANDOM: Field = Field::new("random", Kind::Mark, "random bytes").role(FieldRole::Packet);
static CHALLENGE_LENGTH: Field =
    Field::number("challenge length", "how many bytes the challenge has, XOR EA")
        .role(FieldRole::Packet);
static CHALLENGE: Field =
    Field::new("master challenge", Kind::Mark, "a part of the key of the cipher")
        .role(FieldRole::Packet);
static OWN_ADDRESS: Field =
    Field::new("own address", Kind::Address, "the client's, as the master sees it")
        .role(FieldRole::Address);
static DEFAULT_PORT: Field =
    Field::number("default port", "on which servers are asked whose port is not told")
        .values(&[("65535", "no list: the reason follows")]);
static REASON: Field = Field::text("reason", "why there is no list").role(FieldRole::Free);
static KEY_TYPES: Field = Field::group("keys", "the name and type of each value");
static VALUES: Field = Field::group("common values", "texts that servers refer to by their place");
static PUSHED: Field = Field::text("pushed", "later changes of the list; not read");
static ENCIPHERED: Field = Field::text(
    "list",
    "the list, enciphered: its request is not known, or the key of the asking game",
);
static END: Field = Field::separator("end", "the list is complete").role(FieldRole::End);
static ENDS: [Spelling; 2] = [Spelling::new(LAST), Spelling::odd(b"", Anomaly::EndMark).last()];

/// The default port of a reply that is an error.
const NO_LIST: u16 = 0xffff;
/// What the lengths in the header are combined with.
pub(super) const MASKS: [u8; 2] = [0xec, 0xea];
/// How many bytes OpenSpy puts in each half.
const OPENSPY: [u8; 2] = [10, 25];
/// The fewest and the most bytes in each half of the header that are taken for one.
const HALVES: [(u8, u8); 2] = [(2, 31), (1, 64)];

/// What stands before a list: game flags and random bytes, and the master's challenge, with a length
/// before each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CryptHeader<'a> {
    raw: &'a [u8],
}

impl<'a> CryptHeader<'a> {
    /// The header at the beginning of `all`, and what is behind it; `None` if there is none, or if
    /// chance could have made it.
    pub fn split(all: &'a [u8]) -> Option<(Self, &'a [u8])> {
        Self::split_any(all).filter(|_| has_known_flags(all))
    }

    /// The same, whatever flags it has.
    pub fn split_any(all: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (_, behind) = half(all, 0)?;
        let (_, behind) = half(behind?, 1)?;
        let behind = behind?;
        Some((Self { raw: all.get(..all.len() - behind.len())? }, behind))
    }

    /// Whether a header may begin so.
    pub(super) fn may_begin(all: &[u8]) -> bool {
        match half(all, 0) {
            None => all.is_empty(),
            Some((_, behind)) => {
                has_known_flags(all)
                    && behind.is_none_or(|behind| behind.is_empty() || half(behind, 1).is_some())
            }
        }
    }

    /// The master's challenge.
    pub fn challenge(self) -> &'a [u8] {
        let second = half(self.raw, 0).and_then(|(_, behind)| half(behind?, 1));
        second.map_or(&[], |(challenge, _)| challenge)
    }
}

/// Whether the upper flags of a header, as far as it is there, are those of a known master: none, or
/// OpenSpy's, which are random, in halves of its lengths.
fn has_known_flags(all: &[u8]) -> bool {
    let Some((first, behind)) = half(all, 0) else { return false };
    let has_none = first.first().is_none_or(|flags| *flags == 0);
    let lengths = [all.first(), behind.and_then(|behind| behind.first())];
    let of = |at: usize| MASKS.get(at).zip(OPENSPY.get(at)).map(|(mask, length)| mask ^ length);
    let is_openspy =
        lengths.into_iter().enumerate().all(|(at, length)| length.copied().or(of(at)) == of(at));
    has_none || is_openspy
}

/// The bytes that a length counts, as far as they are there, and what is behind them, if they are.
fn half(all: &[u8], at: usize) -> Option<(&[u8], Option<&[u8]>)> {
    let (length, behind) = all.split_first()?;
    let length = length ^ MASKS.get(at)?;
    let (least, most) = HALVES.get(at)?;
    if !(*least..=*most).contains(&length) {
        return None;
    }
    match behind.split_at_checked(length.into()) {
        Some((bytes, behind)) => Some((bytes, Some(behind))),
        None => Some((behind, None)),
    }
}

impl<'a> RawBytes<'a> for CryptHeader<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for CryptHeader<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        Self::split(all).map_or(0, |(header, _)| header.raw.len())
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        let number = Shape::Unsigned(Endian::Big);
        let challenge = self.challenge().len();
        let random = self.raw.len().saturating_sub(1 + 2 + 1 + challenge);
        out.leaf(&LENGTH, number, 1);
        out.leaf(&GAME_FLAGS, number, 2);
        out.leaf(&RANDOM, Shape::Raw, random);
        out.leaf(&CHALLENGE_LENGTH, number, 1);
        out.leaf(&CHALLENGE, Shape::Raw, challenge);
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        [&LENGTH, &GAME_FLAGS, &CHALLENGE_LENGTH].into_iter().for_each(each);
    }
}

/// A deciphered list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListBody<'a> {
    pub address: [u8; 4],
    pub port: u16,
    pub reason: &'a [u8],
    pub keys: KeyTypes<'a>,
    pub popular: PopularValues<'a>,
    pub servers: Servers<'a>,
    pub end: u8,
    pub has_more: bool,
    pub pushed: &'a [u8],
}

impl<'a> Body<'a> for ListBody<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.raw(&OWN_ADDRESS, Shape::Ipv4, &mut self.address)?;
        p.int(&DEFAULT_PORT, Endian::Big, &mut self.port)?;
        p.when(self.port == NO_LIST, "no list", |p| p.cstr(&REASON, &mut self.reason))?;
        p.when(self.port != NO_LIST, "a list", |p| {
            p.view(&KEY_TYPES, (), &mut self.keys)?;
            p.view(&VALUES, (), &mut self.popular)?;
            p.view(&SERVERS, ServerForm { keys: self.keys }, &mut self.servers)?;
            p.one_of(&END, &ENDS, &mut self.end)?;
            p.more(&mut self.has_more, "changes", |p| p.text(&PUSHED, b"", &mut self.pushed))
        })
    }
}

/// Whether bytes behind a header are a list, and not enciphered.
pub(super) fn is_plain(body: &[u8]) -> bool {
    let Some((head, behind)) = body.split_at_checked(6) else { return false };
    if head.ends_with(&NO_LIST.to_be_bytes()) {
        let text = behind.strip_suffix(b"\0");
        let is_shown = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
        return text.is_some_and(|text| text.len() >= 4 && text.iter().all(is_shown));
    }
    match behind {
        [] => false,
        [0, ..] => {
            decode::<ListBody<'_>, _>(body, &mut Scratch::default(), &mut ()).fault.is_none()
                && behind.ends_with(LAST)
        }
        _ => KeyTypes::split_off(behind, ()).are_named(),
    }
}

/// A list that is deciphered.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct List<'a> {
    pub header: CryptHeader<'a>,
    pub body: ListBody<'a>,
}

impl<'a> Message<'a> for List<'a> {
    const SPEC: Spec = Spec::new(
        "list",
        &["008 sb_serverlist.c", "009 V2Peer.cpp"],
        M2C,
        b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c\
          \xc6\x33\x64\x07\x74\xcc\x02\0hostname\0\x01numplayers\0\0\
          \x51\xc0\0\x02\x0a\x74\xcd\xffA server\0\x03\0\xff\xff\xff\xff",
    )
    .stream()
    .exact()
    .content_match(b"", |bytes| CryptHeader::split(bytes).is_some_and(|(_, body)| is_plain(body)))
    .has_end_mark()
    .answers(&["list-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&HEADER, (), &mut self.header)?;
        self.body.walk(p)
    }
}

/// A list that is not deciphered.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EncipheredList<'a> {
    pub header: CryptHeader<'a>,
    pub list: &'a [u8],
}

impl<'a> Message<'a> for EncipheredList<'a> {
    const SPEC: Spec = Spec::new(
        "list",
        &["008 sb_serverlist.c", "009 V2Peer.cpp"],
        M2C,
        b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c\
          \x6e\x40\xb1\x1f\xd2\x67\x39\x5d\x69\xba\xb4\x2e",
    )
    .id("enciphered-list")
    .stream()
    .weak()
    .content_match(b"", |bytes| {
        CryptHeader::split(bytes).is_some_and(|(_, body)| body.len() >= 6 && !is_plain(body))
    })
    .answers(&["list-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&HEADER, (), &mut self.header)?;
        p.text(&ENCIPHERED, b"", &mut self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_two_halves() {
        let header = List::SPEC.example.get(..20).unwrap();
        let (split, behind) = CryptHeader::split(List::SPEC.example).unwrap();
        assert_eq!(split.raw(), header);
        assert_eq!(split.challenge(), b"\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c");
        assert!(is_plain(behind));
        for (bytes, may) in [
            (&b""[..], true),
            (b"\xe4", true),
            (b"\xe4\0", true),
            (b"\xe4\x01", false),
            (b"\xe6\x01", true),
            (b"\xe6\xff\x7f12345678\xf3", true),
            (b"\xe6\xff\x7f12345678\xf2", false),
            (b"\xe4\0\0\x31\x41\x59\x26\x53\x58", true),
            (b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0", true),
            (b"\xe4\0\0\x31\x41\x59\x26\x53\x58\0", false),
            (b"GET / HTTP/1.1", false),
        ] {
            assert_eq!(CryptHeader::may_begin(bytes), may, "{}", bytes.escape_ascii());
        }
    }
}
