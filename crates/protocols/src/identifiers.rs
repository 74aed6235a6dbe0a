//! Where messages have what an answer brings back of its request.

use codec::{Info, RawBytes as _};
use protocol::Identifier;

/// A number of 32 bits at an offset, its least significant byte first.
pub(crate) fn little<const AT: usize>(bytes: &[u8]) -> Option<Identifier> {
    let number = bytes.get(AT..)?.first_chunk::<4>()?;
    Some(Identifier::from_number(u32::from_le_bytes(*number)))
}

/// So many bytes at an offset.
pub(crate) fn bytes<const AT: usize, const LENGTH: usize>(bytes: &[u8]) -> Option<Identifier> {
    bytes.get(AT..AT + LENGTH).map(Identifier::from_bytes)
}

/// The first word, or another one, behind a command and a blank.
pub(crate) fn word<const NUMBER: usize>(bytes: &[u8]) -> Option<Identifier> {
    let mut words = bytes.splitn(NUMBER + 2, |byte| *byte == b' ').skip(1);
    Identifier::from_text(words.nth(NUMBER)?)
}

/// The challenge in an infostring.
pub(crate) fn challenge_key(bytes: &[u8]) -> Option<Identifier> {
    value_of(bytes, b"challenge").and_then(Identifier::from_text)
}

/// What the asker wanted to have back, in one of GameSpy's replies.
pub(crate) fn echo_key(bytes: &[u8]) -> Option<Identifier> {
    value_of(bytes, b"echo").and_then(Identifier::from_text)
}

/// The key of a list in Half-Life's filter, in hex.
pub(crate) fn hex_key(bytes: &[u8]) -> Option<Identifier> {
    let key = value_of(bytes, b"key")?.split(|byte| *byte == 0).next()?;
    let key = u32::from_str_radix(std::str::from_utf8(key).ok()?, 16).ok()?;
    Some(Identifier::from_number(key))
}

/// A value of the infostring in a message: it begins with a backslash, or in quotes.
fn value_of<'a>(bytes: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let begin = memchr::memchr2(b'\\', b'"', bytes)?;
    let info = bytes.get(begin..)?;
    let value = Info::from_raw(info.strip_prefix(b"\"").unwrap_or(info)).get(key)?;
    value.split(|byte| *byte == b'"').next()
}
