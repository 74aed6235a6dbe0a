//! Source's remote console: packets over TCP, a length of four bytes and so much more. Minecraft's
//! servers and others speak it too. Source: Valve's page on the protocol.
//!
//! Only the packet with the password says what a connection is; the others have a type that other
//! protocols' numbers can have too.

use super::super::{C2S, S2C};
use codec::{Endian::Little, Field, FieldRole, Kind, Pass, Size, SizeForm, Walk};
use protocol::{ExchangeKind, FrameBoundary, Message, Refusal, Spec};

/// The least and the most bytes behind the length: the id, the type, and two NULs around a text.
const LEAST: usize = 10;
const LONGEST: usize = 65_000;
/// The types.
const AUTH: u32 = 3;
const COMMAND: u32 = 2;
const RESPONSE: u32 = 0;

static SIZE: Field = Field::separator("size", "how many bytes follow");
const SIZE_FORM: SizeForm = SizeForm { order: Little, base: 0, is_exact: true };
static ID: Field = Field::number("id", "chosen by the client; the answer has it too");
static VERDICT_ID: Field =
    Field::number("id", "that of the password's packet, or that the password is wrong")
        .role(FieldRole::Verdict)
        .values(&[("-1", "the password is wrong")]);
static TYPE: Field = Field::new("type", Kind::Command, "what the packet is");
static PASSWORD: Field =
    Field::text("password", "the password for commands from afar").role(FieldRole::Secret);
static LINE: Field =
    Field::text("line", "what the server is to do; it may hold passwords").role(FieldRole::Secret);
static OUTPUT: Field = Field::text("output", "what the command printed").role(FieldRole::Free);
static NUL: Field = Field::terminator("NUL", "ends the packet");

/// The client proves that it may send commands: the first packet of a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconAuth<'a> {
    pub size: Size,
    pub id: i32,
    pub password: &'a [u8],
}

impl<'a> Message<'a> for RconAuth<'a> {
    const SPEC: Spec = Spec::new(
        "SERVERDATA_AUTH",
        &["006 RCON"],
        C2S,
        b"\x13\0\0\0\x01\0\0\0\x03\0\0\0swordfish\0\0",
    )
    .id("rcon-auth")
    .stream()
    .exact()
    .content_match(b"", |bytes| is(bytes, AUTH, |_| true))
    .exchange(ExchangeKind::Command);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&ID, Little, &mut self.id)?;
            p.lit(&TYPE, b"\x03\0\0\0")?;
            p.cstr(&PASSWORD, &mut self.password)?;
            p.lit(&NUL, b"\0")
        })
    }
}

/// The server says whether the password was right.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconAuthResponse<'a> {
    pub size: Size,
    pub id: i32,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for RconAuthResponse<'a> {
    const SPEC: Spec = Spec::new(
        "SERVERDATA_AUTH_RESPONSE",
        &["006 RCON"],
        S2C,
        b"\x0a\0\0\0\x01\0\0\0\x02\0\0\0\0\0",
    )
    .id("rcon-auth-response")
    .stream()
    .weak()
    .whole()
    .content_match(b"", |bytes| is(bytes, COMMAND, <[u8]>::is_empty))
    .answers(&["rcon-auth"])
    .refusal(Refusal::At("-1"));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&VERDICT_ID, Little, &mut self.id)?;
            p.lit(&TYPE, b"\x02\0\0\0")?;
            p.cstr(&OUTPUT, &mut self.text)?;
            p.lit(&NUL, b"\0")
        })
    }
}

/// A command for the server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconCommand<'a> {
    pub size: Size,
    pub id: i32,
    pub line: &'a [u8],
}

impl<'a> Message<'a> for RconCommand<'a> {
    const SPEC: Spec = Spec::new(
        "SERVERDATA_EXECCOMMAND",
        &["006 RCON"],
        C2S,
        b"\x10\0\0\0\x02\0\0\0\x02\0\0\0status\0\0",
    )
    .id("rcon-command")
    .stream()
    .weak()
    .whole()
    .content_match(b"", |bytes| is(bytes, COMMAND, |text| !text.is_empty()))
    .exchange(ExchangeKind::Command);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&ID, Little, &mut self.id)?;
            p.lit(&TYPE, b"\x02\0\0\0")?;
            p.cstr(&LINE, &mut self.line)?;
            p.lit(&NUL, b"\0")
        })
    }
}

/// What a command printed; a long text takes several packets. One without a text precedes the answer
/// to a password, and clients send one too, to see by its answer where a long text ends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconResponse<'a> {
    pub size: Size,
    pub id: i32,
    pub output: &'a [u8],
}

impl<'a> Message<'a> for RconResponse<'a> {
    const SPEC: Spec = Spec::new(
        "SERVERDATA_RESPONSE_VALUE",
        &["006 RCON"],
        S2C,
        b"\x17\0\0\0\x02\0\0\0\0\0\0\0hostname: Lab\0\0",
    )
    .id("rcon-response")
    .stream()
    .weak()
    .whole()
    .content_match(b"", |bytes| is(bytes, RESPONSE, |_| true))
    .rare_directions(C2S)
    .answers(&["rcon-command"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&ID, Little, &mut self.id)?;
            p.lit(&TYPE, b"\0\0\0\0")?;
            p.cstr(&OUTPUT, &mut self.output)?;
            p.lit(&NUL, b"\0")
        })
    }
}

/// What has come of the first packet: its length, its type and its text with the NULs, each as far as
/// it is there.
fn split(bytes: &[u8]) -> Option<(usize, Option<u32>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    let kind = rest.get(4..8).and_then(|kind| kind.try_into().ok()).map(u32::from_le_bytes);
    let text = rest.get(8..length.min(rest.len())).unwrap_or_default();
    (LEAST..=LONGEST).contains(&length).then_some((length, kind, text))
}

/// Whether the first packet has this type and a whole text that is so.
fn is(bytes: &[u8], kind: u32, so: impl Fn(&[u8]) -> bool) -> bool {
    let packet = split(bytes).filter(|(_, own, _)| *own == Some(kind));
    packet.is_some_and(|(length, _, text)| {
        let text = text.strip_suffix(b"\0\0").filter(|text| !text.contains(&0));
        bytes.len() == 4 + length && text.is_some_and(so)
    })
}

/// A packet ends by its length.
pub(super) fn cut(bytes: &[u8], _: usize) -> FrameBoundary {
    let open = FrameBoundary::Open { searched: 0 };
    if bytes.len() < 4 {
        return if bytes.get(2).is_none_or(|byte| *byte == 0) {
            open
        } else {
            FrameBoundary::Foreign
        };
    }
    let Some((length, kind, text)) = split(bytes) else { return FrameBoundary::Foreign };
    let is_kind = kind.is_none_or(|kind| matches!(kind, AUTH | COMMAND | RESPONSE));
    let is_whole = bytes.len() >= 4 + length;
    match is_kind {
        true if is_whole && text.ends_with(b"\0\0") => FrameBoundary::At(4 + length),
        true if !is_whole => open,
        _ => FrameBoundary::Foreign,
    }
}

/// Whether a connection begins: with a password, as far as it is there.
pub(super) fn opens(bytes: &[u8]) -> bool {
    if bytes.len() < 4 {
        return true;
    }
    split(bytes).is_some_and(|(length, kind, text)| {
        let is_whole = bytes.len() >= 4 + length;
        let text = if is_whole { text.strip_suffix(b"\0\0") } else { Some(text) };
        let is_text = |text: &[u8]| text.iter().take(64).all(|byte| *byte >= b' ' || !is_whole);
        kind.is_none_or(|kind| kind == AUTH) && text.is_some_and(is_text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_end_by_their_length_and_begin_with_a_password() {
        let open = FrameBoundary::Open { searched: 0 };
        let auth = RconAuth::SPEC.example;
        for (bytes, cut_at, begins) in [
            (auth, FrameBoundary::At(23), true),
            (&auth[..22], open, true),
            (&auth[..9], open, true),
            (&auth[..1], open, true),
            (RconAuthResponse::SPEC.example, FrameBoundary::At(14), false),
            (RconCommand::SPEC.example, FrameBoundary::At(20), false),
            (RconResponse::SPEC.example, FrameBoundary::At(27), false),
            (b"\x01\0\0\0\x01", FrameBoundary::Foreign, false),
            (b"\x0a\0\0\0\x01\0\0\0\x04\0\0\0\0\0", FrameBoundary::Foreign, false),
            (b"\x0a\0\0\0\x01\0\0\0\x03\0\0\0\0x", FrameBoundary::Foreign, false),
            (b"GET / HTTP/1.1\r\n", FrameBoundary::Foreign, false),
        ] {
            assert_eq!(cut(bytes, 0), cut_at, "{}", bytes.escape_ascii());
            assert_eq!(opens(bytes), begins, "{}", bytes.escape_ascii());
        }
    }
}
