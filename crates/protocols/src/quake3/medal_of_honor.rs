//! Words that only Medal of Honor has, behind its own mark. In no document; known from the sources
//! of OpenMoHAA.

use super::super::declare::messages;
use super::super::{BLANK, C2S, CHALLENGE, NEWLINE, S2C, TEXT};
use super::marked;
use codec::{CommandWord, Field, FieldRole};
use protocol::{ExchangeKind, Refusal, Spec};

static RESPONSE: Field =
    Field::text("response", "what the client's key makes of the challenge").role(FieldRole::Secret);
static VERSION: Field =
    Field::text("version", "the version that the server wants").role(FieldRole::Version);

messages! {
    { mark: u8, command: CommandWord<'a>, text: &'a [u8] }
    |self, p, value: (&'static [u8], &'static Field, &'static [u8], &'static Field)| {
        let (word, separator, between, field) = value;
        marked(p, word, &mut self.mark, &mut self.command)?;
        p.lit(separator, between)?;
        p.text(field, b"", &mut self.text)
    }
    /// A server refuses a client, or drops it, with a text.
    DropError = (b"droperror", &NEWLINE, b"\n", &TEXT), Spec::new(
        "droperror", &["001 1.2.10"], S2C,
        b"\xff\xff\xff\xff\x01droperror\nServer rejected connection:\nInvalid CD Key",
    ).id("drop-error").answers(&["connect", "getchallenge", "authorize-this"])
    .exchange(ExchangeKind::Connection).refusal(Refusal::Always).undocumented();
    /// A server asks a client to prove its key, before it sends its own challenge.
    GetKey = (b"getKey", &BLANK, b" ", &CHALLENGE), Spec::new(
        "getKey", &["001 1.2.6"], S2C, b"\xff\xff\xff\xff\x01getKey qwertzui",
    ).id("get-key").answers(&["getchallenge"]).exchange(ExchangeKind::Connection).continues()
    .undocumented();
    /// A client proves its key to the server.
    AuthorizeThis = (b"authorizeThis", &BLANK, b" ", &RESPONSE), Spec::new(
        "authorizeThis", &["001 1.2.7"], C2S,
        b"\xff\xff\xff\xff\x02authorizeThis 3d1c0a5f8e9b7c6d",
    ).id("authorize-this").answers(&["get-key"]).exchange(ExchangeKind::Connection).undocumented();
    /// A server refuses a client of another version.
    WrongVersion = (b"wrongver", &BLANK, b" ", &VERSION), Spec::new(
        "wrongver", &["001 1.2.10"], S2C, b"\xff\xff\xff\xff\x01wrongver 1.11",
    ).id("wrong-version").answers(&["connect", "getchallenge"])
    .exchange(ExchangeKind::Connection).refusal(Refusal::Always).undocumented();
}
