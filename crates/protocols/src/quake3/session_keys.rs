//! How DarkPlaces' clients and servers agree on keys before a client connects, with the library
//! d0_blind_id. In no document; known from the released sources.

use super::super::{INFO, oob};
use Role::{Client, Server};
use codec::{CommandWord, Field, FieldRole, Info, InfoForm, Keys, Pass, Walk};
use protocol::{ExchangeKind, Message, Role, Spec};

static NUL: Field = Field::terminator("NUL", "ends a part");
static SERVER_KEY: Field =
    Field::text("server_key", "fingerprint of the key that the server is to have");
static CLIENT_KEY: Field =
    Field::text("client_key", "fingerprint of the key that the client has").role(FieldRole::Free);
static DATA: Field =
    Field::text("data", "the step's own bytes, of the library d0_blind_id").role(FieldRole::Free);

static KEYS: Keys = Keys::new(
    &[
        Field::number("aes", "1: what follows is enciphered"),
        Field::number("aeslevel", "whether the client wants encipherment"),
        Field::text("challenge", "sent back, to show that the sender's address is not forged")
            .role(FieldRole::Challenge),
        Field::number("cnt", "the step, from 0; even ones are the client's"),
        Field::number("id", "tells exchanges of keys apart"),
    ],
    &[],
);
const TO_NUL: InfoForm = InfoForm { stop: b"\0", keys: &KEYS };

/// A step of the exchange, from the client or the server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KeyExchange<'a> {
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub server_key: &'a [u8],
    pub client_key: &'a [u8],
    pub data: &'a [u8],
}

impl<'a> Message<'a> for KeyExchange<'a> {
    const SPEC: Spec = Spec::new(
        "d0pk",
        &["001 1.2.7"],
        &[(Client, Server), (Server, Client)],
        b"\xff\xff\xff\xffd0pk\\cnt\\1\\id\\7\\aes\\1\0\x0b\x30",
    )
    .id("key-exchange")
    .exchange(ExchangeKind::Connection)
    .one_way()
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"d0pk", &mut self.command)?;
        p.view(&INFO, TO_NUL, &mut self.info)?;
        p.lit(&NUL, b"\0")?;
        let is_first = self.info.get(b"cnt") == Some(b"0");
        p.when(is_first, "in the first step", |p| {
            p.cstr(&SERVER_KEY, &mut self.server_key)?;
            p.cstr(&CLIENT_KEY, &mut self.client_key)
        })?;
        p.text(&DATA, b"", &mut self.data)
    }
}
