//! Lists that are encrypted because the client asks for it with `enctype`. In no document; known from
//! open-source programs.
//!
//! Type 2 begins with random bytes, which the key of the asking game makes the key of a stream cipher.
//! The list does not say whose key that is: it is the published one that gives a list.

use super::super::{M2C, SERVERS};
use super::cipher::Leviathan;
use super::secure::KEY_OF;
use super::stream::{END, ENDS, FINAL, is_compressed, is_pair};
use super::{PAIRS, PairList};
use codec::{
    Addrs, Body, Choice, Coded, Coding, Endian, Endpoints, Fault, Field, FieldRole, Group,
    IP_PAIRS, Kind, PLAIN_FINAL, Parts, Pass, RawBytes, Shape, Sink, View, Walk,
};
use protocol::{Message, Spec};

static LENGTH: Field = Field::number("length", "how many bytes of the key follow, XOR EC");
static HEADER: Field = Field::group("key", "one half of the key of the cipher");
static RANDOM: Field =
    Field::new("random bytes", Kind::Mark, "XOR the key of a game they are the key of the cipher")
        .role(FieldRole::Packet);
static LIST: Field = Field::new(
    "list",
    Kind::Coded,
    "the list, with encryption type 2; read with the published key that fits",
);
static PADDING: Field = Field::separator("padding", "fills up the list");
static TOTAL: Field = Field::number("total", "how many bytes the whole list has");
static UNREAD: Field = Field::text(
    "list",
    "the list, with encryption type 1, or with a key that is not published; not read",
);

/// What the first byte is combined with.
const MASK: u8 = 0xec;
/// The most bytes of a key that are taken for one.
const LONGEST: u8 = 32;
/// The least bytes of a list with encryption type 1: its head and its end mark.
const LEAST: usize = 47;

/// The game whose published key decrypts a list, by its place among the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListKeyOf(pub u8);

impl Choice for ListKeyOf {
    const ALL: &'static [(Self, &'static str)] = &[(Self(0), "by the published key that fits")];

    fn peek(rest: &[u8]) -> Self {
        Self(fitting_key(rest).unwrap_or_default())
    }
}

/// The random bytes of a list, and its coded bytes.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first()?;
    let length = length ^ MASK;
    if !(1..=LONGEST).contains(&length) {
        return None;
    }
    rest.split_at_checked(length.into())
}

/// The published key that gives a list, by its place.
fn fitting_key(bytes: &[u8]) -> Option<u8> {
    let (header, coded) = parts(bytes)?;
    let fits = |(at, _): &(u8, _)| {
        let mut stream = Encryption { header, key: ListKeyOf(*at) }.stream();
        let mut plain = coded.to_vec();
        stream.apply(&mut plain);
        is_compressed(&plain) || is_pair(&plain) && memchr::memmem::find(&plain, FINAL).is_some()
    };
    (0..).zip(KEY_OF).find(fits).map(|(at, _)| at)
}

/// Encryption type 2, with the random bytes of a list and the key of a game.
#[derive(Debug, Clone, Copy)]
struct Encryption<'a> {
    header: &'a [u8],
    key: ListKeyOf,
}

impl Encryption<'_> {
    fn stream(self) -> Leviathan {
        let mut key = self.header.to_vec();
        let of_game = KEY_OF.get(usize::from(self.key.0)).map_or("", |(_, key)| *key);
        key.iter_mut().zip(of_game.bytes()).for_each(|(byte, letter)| *byte ^= letter);
        Leviathan::new(&key)
    }
}

impl Coding for Encryption<'_> {
    fn undo(&self, coded: &[u8], plain: &mut Vec<u8>) -> Result<(), Fault> {
        plain.extend_from_slice(coded);
        self.stream().apply(plain);
        Ok(())
    }

    fn apply(&self, plain: &[u8], coded: &mut Vec<u8>) -> Walk {
        let mut bytes = plain.to_vec();
        self.stream().apply(&mut bytes);
        coded.append(&mut bytes);
        Ok(())
    }
}

/// A known number of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counted<'a>(&'a [u8]);

impl<'a> RawBytes<'a> for Counted<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self(raw)
    }

    fn raw(&self) -> &'a [u8] {
        self.0
    }
}

impl<'a> View<'a> for Counted<'a> {
    type Form = u8;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], count: u8) -> usize {
        all.len().min(count.into())
    }

    fn parts<S: Sink>(&self, _: u8, out: &mut Parts<'_, '_, S>) {
        out.leaf(&RANDOM, Shape::Text, self.0.len());
    }

    fn fields(_: u8, each: &mut dyn FnMut(&'static Field)) {
        each(&RANDOM);
    }
}

crate::declare::choices! {
    /// The form of a list.
    ListForm { Records "six bytes each", Pairs "pairs: a backslash and a key first" }
    |rest| is_pair(rest);
}

/// The content of an encrypted list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EncryptedText<'a> {
    pub form: ListForm,
    pub servers: Endpoints<'a>,
    pub pairs: PairList<'a>,
    pub records: Addrs<'a>,
    pub end: u8,
    pub padding: &'a [u8],
}

impl<'a> Body<'a> for EncryptedText<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.choose(&mut self.form, |p, form| match form {
            ListForm::Pairs => {
                p.view(&SERVERS, IP_PAIRS, &mut self.servers)?;
                p.view(&PAIRS, (), &mut self.pairs)
            }
            ListForm::Records => {
                p.view(&SERVERS, PLAIN_FINAL, &mut self.records)?;
                p.one_of(&END, &ENDS, &mut self.end)
            }
        })?;
        p.text(&PADDING, b"", &mut self.padding)
    }
}

/// A master's list with encryption type 2, of a game whose key is published.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EncryptedList<'a> {
    pub key: ListKeyOf,
    pub length: u8,
    pub header: Counted<'a>,
    pub list: Coded<'a, EncryptedText<'a>>,
}

impl<'a> EncryptedList<'a> {
    /// A list for a game, with these random bytes; `None` if the game's key is not published.
    pub fn new(game: &[u8], header: &'a [u8], list: EncryptedText<'a>) -> Option<Self> {
        let is_game = |(known, _): &(&str, &str)| known.as_bytes().eq_ignore_ascii_case(game);
        let key = u8::try_from(KEY_OF.iter().position(is_game)?).ok()?;
        let length = u8::try_from(header.len()).ok().filter(|n| (1..=LONGEST).contains(n))?;
        Some(Self {
            key: ListKeyOf(key),
            length: length ^ MASK,
            header: Counted(header),
            list: Coded::new(list),
        })
    }
}

impl<'a> Message<'a> for EncryptedList<'a> {
    const SPEC: Spec = Spec::new("TCP encrypted list", &["001 5.6"], M2C, EXAMPLE)
        .id("encrypted-list")
        .stream()
        .weak()
        .content_match(b"", |bytes| fitting_key(bytes).is_some())
        .answers(&["list-request"])
        .has_end_mark()
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.choose(&mut self.key, |p, key| {
            p.int(&LENGTH, Endian::Little, &mut self.length)?;
            p.view(&HEADER, self.length ^ MASK, &mut self.header)?;
            p.layer(&LIST, Encryption { header: self.header.raw(), key }, &mut self.list)
        })
    }
}

crate::declare::choices! {
    /// The encryption type of a list that is not read. Type 1 begins with the length of everything.
    UnreadForm { Keyed "of type 2, by a key that is not published", Counted "of type 1: its length first" }
    |rest| is_counted(rest);
}

/// Whether the first four bytes are the length of all, most significant byte first.
fn is_counted(bytes: &[u8]) -> bool {
    let length = bytes.first_chunk().map(|length| u32::from_be_bytes(*length));
    let length = length.and_then(|length| usize::try_from(length).ok());
    length.is_some_and(|length| (LEAST..=bytes.len()).contains(&length))
}

fn is_unread(bytes: &[u8]) -> bool {
    let is_keyed = || parts(bytes).is_some_and(|(_, coded)| coded.len() >= FINAL.len());
    let is_known = is_pair(bytes) || is_compressed(bytes) || fitting_key(bytes).is_some();
    (is_counted(bytes) || is_keyed()) && !is_known
}

/// A master's list with encryption type 1, or of a game whose key is not published.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UnreadList<'a> {
    pub form: UnreadForm,
    pub total: u32,
    pub length: u8,
    pub header: Counted<'a>,
    pub list: &'a [u8],
}

impl<'a> Message<'a> for UnreadList<'a> {
    const SPEC: Spec = Spec::new("TCP encrypted list", &["001 5.6"], M2C, COUNTED)
        .id("unread-list")
        .stream()
        .content_match(b"", is_unread)
        .answer_only()
        .answers(&["list-request"])
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.choose(&mut self.form, |p, form| match form {
            UnreadForm::Counted => p.int(&TOTAL, Endian::Big, &mut self.total),
            UnreadForm::Keyed => {
                p.int(&LENGTH, Endian::Little, &mut self.length)?;
                p.view(&HEADER, self.length ^ MASK, &mut self.header)
            }
        })?;
        p.text(&UNREAD, b"", &mut self.list)
    }
}

/// Forty-eight bytes, invented behind the length.
const COUNTED: &[u8] = b"\0\0\0\x30\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\
      \x12\x23\x34\x45\x56\x67\x78\x89\x9a\xab\xbc\xcd\xde\xef\xf0\x01\
      \x13\x24\x35\x46\x57\x68\x79\x8a\x9b\xac\xbd\xce\xdf\xe0\xf1\x02";

/// Two servers, with the key of `gmtest`.
const EXAMPLE: &[u8] = b"\
      \xe1\x31\x41\x59\x26\x53\x58\x97\x93\x23\x84\x62\x64\x33\xd7\x21\
      \x92\x5c\x50\xe7\xb6\x37\xc5\xe6\xa3\xdf\x26\xb6\x50\xce\x11\x8b\
      \x58\x62\xdb\x53\x0b\xe8\xaa\xd7\x4b\x97\x9e\xb9\xd5\x33\xd3\xe8\
      \x16\x8b\x87\x3a\xc7\xa5\xba\xa0\xb5\x80\x6d\x76";

#[cfg(test)]
mod tests {
    use super::super::PROTOCOL;
    use super::*;
    use codec::Scratch;
    use protocol::{Carrier, Direction, Reading};

    #[test]
    fn lists_are_read_with_the_key_that_fits() {
        let mut reading = Reading::default();
        let entry =
            crate::recognise(&PROTOCOL, Carrier::Stream, EXAMPLE, Direction::default()).unwrap();
        assert_eq!(entry.spec.id, "encrypted-list");
        reading.read_message(entry, EXAMPLE);
        assert_eq!(reading.fault(), None);
        let plain = reading.plain().unwrap();
        assert_eq!(plain, br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789\final\");
        let mut again = Vec::new();
        (entry.rewrite)(EXAMPLE, &mut Scratch::default(), &mut (), &mut again).unwrap();
        assert_eq!(again, EXAMPLE);
    }

    #[test]
    fn what_no_key_fits_is_shown_as_it_is() {
        let mut other = EXAMPLE.to_vec();
        other[20] ^= 1;
        other[3] ^= 1;
        for (bytes, name) in [
            (&other[..], Some("unread-list")),
            (COUNTED, Some("unread-list")),
            (&COUNTED[..40], None),
            (b"GET / HTTP/1.1\r\n\r\n", None),
            (b"\xc0\0\x02\x07\x1e\x62\xc6\x33\x64\x09\x22\x55", None),
        ] {
            let entry = crate::recognise(&PROTOCOL, Carrier::Stream, bytes, Direction::default());
            assert_eq!(entry.map(|entry| entry.spec.id), name, "{}", bytes.escape_ascii());
        }
    }
}
