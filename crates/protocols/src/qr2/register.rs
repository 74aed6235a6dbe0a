//! How a server registers: heartbeat, challenge, the answer made with its game's key, and the master's
//! confirmation or refusal.

use super::super::identifiers::bytes;
use std::marker::PhantomData;

use super::super::{CHALLENGE, M2S, S2M, TEXT};
use super::INSTANCE_KEY;
use crate::declare::messages;
use crate::gamespy::{AnswerForm, validation};
use crate::gamespy2::{MARK, MAYBE_NUL, NUL, ReplyBody, Settings, TYPE, is_reply};
use codec::{
    BitMeanings, Endian, Field, FieldRole, Group, Parts, Pass, RawBytes, Shape, Sink, View,
    ViewLayout, Walk,
};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Refusal, Spec, Validation};

static CHALLENGE_TEXT: Field =
    Field::group("challenge", "a text; its end says how the master sees the server");
static OPTIONS: Field = Field::number("options", "what the master wants of the server")
    .bits(&[BitMeanings::set(1, "clients that query get a challenge first")])
    .values(&[("0", "nothing")]);
static ADDRESS: Field =
    Field::new("address", codec::Kind::Address, "the server's, as the master sees it")
        .role(FieldRole::Address);
static PORT: Field =
    Field::text("port", "the server's, as the master sees it").role(FieldRole::Port);
static RESPONSE: Field = Field::text("response", "what the game's key makes of the challenge");
static CODE: Field = Field::number("code", "why the master does not list the server");

/// How many hex digits of options, address and port end a challenge.
const TAIL: usize = 2 + 8 + 4;

/// The settings of a heartbeat.
fn settings(bytes: &[u8]) -> Option<Settings<'_>> {
    let body = bytes.get(5..).filter(|body| is_reply(body))?;
    let settings = Settings::split_off(body, ());
    settings.get(b"gamename").map(|_| settings)
}

/// Why a heartbeat is sent.
fn state(bytes: &[u8]) -> Option<&[u8]> {
    settings(bytes)?.get(b"statechanged")
}

messages! {
    { key: u32, body: ReplyBody<'a> }
    |self, p, value: &'static [u8]| {
        p.lit(&TYPE, value)?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        self.body.walk(p)
    }
    /// The first heartbeats of a server, until a challenge comes.
    Heartbeat = b"\x03", Spec::new(
        "heartbeat",
        &["008 qr2.c", "009 handle_heartbeat.cpp"],
        S2M,
        b"\x03\x5a\x11\xc0\xdelocalip0\x00192.0.2.50\0localport\x0029900\0natneg\x001\0\
          statechanged\x003\0gamename\0battlefield2\0hostname\0A server\0\0\0\0\0\0\0\0",
    )
    .exact()
    .content_match(b"\x03", |bytes| state(bytes) == Some(b"3"))
    .exchange(ExchangeKind::Registration)
    .sends(bytes::<1, 4>);
    /// The heartbeats of a server that is registered: each minute, when its state changes, and when it
    /// leaves. A master that does not know the server sends a challenge.
    Update = b"\x03", Spec::new(
        "heartbeat",
        &["008 qr2.c", "009 handle_heartbeat.cpp"],
        S2M,
        b"\x03\x5a\x11\xc0\xdelocalip0\x00192.0.2.50\0localport\x0029900\0natneg\x001\0\
          statechanged\x002\0gamename\0battlefield2\0\0",
    )
    .id("update")
    .exact()
    .content_match(b"\x03", |bytes| settings(bytes).is_some() && state(bytes) != Some(b"3"))
    .exchange(ExchangeKind::Registration)
    .sends(bytes::<1, 4>)
    .every(&[HeartbeatInterval::new(60, "008 qr2.c")])
    .one_way()
    .shutdown(|bytes| state(bytes) == Some(b"2"));
}

/// The text of a challenge up to a NUL.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeText<'a> {
    raw: &'a [u8],
}

impl<'a> ChallengeText<'a> {
    /// A text.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// The random part, and options, address and port in hex digits, if the text ends in them.
    fn halves(self) -> (&'a [u8], Option<&'a [u8]>) {
        let at = self.raw.len().checked_sub(TAIL);
        let halves = at.and_then(|at| self.raw.split_at_checked(at));
        let halves = halves.filter(|(_, tail)| tail.iter().all(u8::is_ascii_hexdigit));
        halves.map_or((self.raw, None), |(text, tail)| (text, Some(tail)))
    }
}

impl<'a> RawBytes<'a> for ChallengeText<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for ChallengeText<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        memchr::memchr(0, all).unwrap_or(all.len())
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        let (text, tail) = self.halves();
        out.leaf(&CHALLENGE, Shape::Text, text.len());
        if tail.is_some() {
            out.leaf(&OPTIONS, Shape::HexNumber, 2);
            out.leaf(&ADDRESS, Shape::HexIpv4, 8);
            out.leaf(&PORT, Shape::HexNumber, 4);
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::Text(b"\0")
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        [&CHALLENGE, &OPTIONS, &ADDRESS, &PORT].into_iter().for_each(each);
    }
}

/// How long a challenge is. OpenSpy's has 22 bytes; other masters choose other texts, without the
/// server's address, and the server's library answers any.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=64;

/// The text of a challenge behind mark, type and key.
fn challenge(bytes: &[u8]) -> Option<&[u8]> {
    let text = bytes.strip_prefix(b"\xfe\xfd\x01")?.get(4..)?.strip_suffix(b"\0")?;
    text.iter().all(u8::is_ascii_graphic).then_some(text)
}

/// The master's challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub key: u32,
    pub challenge: ChallengeText<'a>,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec = Spec::new(
        "challenge",
        &["008 qr2.c", "009 handle_heartbeat.cpp"],
        M2S,
        b"\xfe\xfd\x01\x5a\x11\xc0\xdeLabChal000CB00713274CC\0",
    )
    .exact()
    .content_match(b"\xfe", |bytes| {
        challenge(bytes).is_some_and(|text| LENGTHS.contains(&text.len()))
    })
    .challenge(challenge)
    .answers(&["heartbeat", "update"])
    .returns(bytes::<3, 4>)
    .sends(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x01")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        p.view(&CHALLENGE_TEXT, (), &mut self.challenge)?;
        p.lit(&NUL, b"\0")
    }
}

/// The answer of a server, behind type and key.
fn response(bytes: &[u8]) -> Option<&[u8]> {
    let text = bytes.get(5..)?;
    let text = text.strip_suffix(b"\0").unwrap_or(text);
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    (!text.is_empty() && text.len().is_multiple_of(4) && text.iter().all(is_digit)).then_some(text)
}

/// A server proves that it has its game's key: the whole challenge, enciphered with it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeResponse<'a> {
    pub key: u32,
    pub response: &'a [u8],
    pub nul: u8,
}

impl<'a> Message<'a> for ChallengeResponse<'a> {
    const SPEC: Spec = Spec::new(
        "challenge response",
        &["008 qr2.c", "009 handle_challenge.cpp"],
        S2M,
        b"\x01\x5a\x11\xc0\xdeMU9aQCni2j90asCRMKiMkkbqSsf0ugAA\0",
    )
    .id("challenge-response")
    .weak()
    .whole()
    .content_match(b"\x01", |bytes| response(bytes).is_some())
    .validation(validates)
    .answers(&["challenge"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\x01")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        p.text(&RESPONSE, b"\0", &mut self.response)?;
        p.one_of(&NUL, &MAYBE_NUL, &mut self.nul)
    }
}

/// Whether an answer is right for a published key. It does not say of which game it is.
fn validates(bytes: &[u8], challenge: &[u8]) -> Option<Validation> {
    Some(validation(None, challenge, response(bytes)?, AnswerForm::Plain))
}

/// The master lists the server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Registered<'a> {
    pub key: u32,
    pub payload: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Registered<'a> {
    const SPEC: Spec = Spec::new(
        "registered",
        &["009 handle_challenge.cpp"],
        M2S,
        b"\xfe\xfd\x0a\x5a\x11\xc0\xde",
    )
    .weak()
    .whole()
    .content_match(b"\xfe", |bytes| bytes.starts_with(b"\xfe\xfd\x0a") && bytes.len() == 7)
    .answers(&["heartbeat", "update"])
    .returns(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x0a")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)
    }
}

/// The master does not list the server, and says why.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorMessage<'a> {
    pub key: u32,
    pub code: u8,
    pub text: &'a [u8],
    pub nul: u8,
}

impl<'a> Message<'a> for ErrorMessage<'a> {
    const SPEC: Spec = Spec::new(
        "error",
        &["008 qr2.c", "009 handle_heartbeat.cpp"],
        M2S,
        b"\xfe\xfd\x04\x5a\x11\xc0\xde\x01Unknown game\0",
    )
    .exact()
    .content_match(b"\xfe", |bytes| {
        let body = bytes.strip_prefix(b"\xfe\xfd\x04").and_then(|behind| behind.get(5..));
        let text = body.map(|body| body.strip_suffix(b"\0").unwrap_or(body));
        let is_shown = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        text.is_some_and(|text| !text.is_empty() && text.iter().all(is_shown))
    })
    .refusal(Refusal::Always)
    .answers(&["heartbeat", "update"])
    .returns(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x04")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        p.int(&CODE, Endian::Big, &mut self.code)?;
        p.text(&TEXT, b"\0", &mut self.text)?;
        p.one_of(&NUL, &MAYBE_NUL, &mut self.nul)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_judged_by_the_published_keys() {
        let bytes = ChallengeResponse::SPEC.example;
        let text = challenge(Challenge::SPEC.example).unwrap();
        assert_eq!(text, b"LabChal000CB00713274CC");
        assert_eq!(validates(bytes, text), Some(Validation::KeyOf("gmtest")));
        assert_eq!(validates(bytes, b"LabChal100CB00713274CC"), Some(Validation::NoKnownKey));
        assert_eq!(validates(b"\x01\0\0\0\0abc\0", text), None);
    }

    #[test]
    fn a_challenge_ends_in_hex_digits() {
        for (text, random) in [
            (&b"LabChal000CB00713274CC"[..], &b"LabChal0"[..]),
            (b"LabChal000CB00713274Cx", b"LabChal000CB00713274Cx"),
            (b"00CB00713274CC", b""),
            (b"short", b"short"),
        ] {
            assert_eq!(ChallengeText::new(text).halves().0, random);
        }
    }
}
