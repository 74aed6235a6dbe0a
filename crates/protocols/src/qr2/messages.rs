//! Between registered servers and their master: signs of life, messages of clients that the master
//! passes on, and echoes, by which clients search their local network too.

use super::super::identifiers::bytes;
use std::marker::PhantomData;

use super::super::{ANSWER, ASK, M2S, S2M};
use super::INSTANCE_KEY;
use crate::declare::{choices, messages};
use crate::gamespy2::{MARK, REQUEST_KEY, TYPE};
use codec::{Endian, Field, FieldRole, Kind, Pass, Walk};
use protocol::{ExchangeKind, Message, Spec};

static TIME: Field = Field::number("time", "the master's clock, in seconds since 1970; OpenSpy's")
    .role(FieldRole::Time);
static MESSAGE_KEY: Field =
    Field::number("message key", "by which the server knows a repeated one");
static NEGOTIATION: Field =
    Field::new("negotiation", Kind::Mark, "a client wants to be reached by NAT negotiation");
static COOKIE: Field = Field::number("cookie", "which negotiation");
static CLIENT_TEXT: Field =
    Field::text("message", "what the client says; the game knows its meaning")
        .role(FieldRole::Free);
static DATA: Field = Field::text("data", "sent back, at most 32 bytes").role(FieldRole::Free);

/// A server is still there; each 20 seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Keepalive<'a> {
    pub key: u32,
    pub payload: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Keepalive<'a> {
    const SPEC: Spec = Spec::new(
        "keepalive",
        &["008 qr2.c", "009 handle_keepalive.cpp"],
        S2M,
        b"\x08\x5a\x11\xc0\xde",
    )
    .weak()
    .whole()
    .content_match(b"\x08", |bytes| bytes.len() == 5)
    .one_way()
    .sends(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\x08")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)
    }
}

choices! {
    /// Whether a master tells the time.
    HasTime { No "nothing more", Yes "four bytes more, from OpenSpy" }
    |rest| !rest.is_empty();
}

/// The master still knows the server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KeepaliveReply<'a> {
    pub key: u32,
    pub has_time: HasTime,
    pub time: u32,
    pub payload: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for KeepaliveReply<'a> {
    const SPEC: Spec = Spec::new(
        "keepalive",
        &["008 qr2.c", "009 handle_keepalive.cpp"],
        M2S,
        b"\xfe\xfd\x08\x5a\x11\xc0\xde\x80\x30\x02\x6b",
    )
    .id("keepalive-reply")
    .weak()
    .whole()
    .content_match(b"\xfe", |bytes| {
        bytes.starts_with(b"\xfe\xfd\x08") && matches!(bytes.len(), 7 | 11)
    })
    .answers(&["keepalive"])
    .returns(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x08")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        p.choose(&mut self.has_time, |p, has_time| match has_time {
            HasTime::No => Ok(()),
            HasTime::Yes => p.int(&TIME, Endian::Little, &mut self.time),
        })
    }
}

choices! {
    /// What a client has the master pass on.
    MessageForm { Text "a message of the game", Negotiation "a request for NAT negotiation" }
    |rest| rest.starts_with(NEGOTIATE) && rest.len() == NEGOTIATE.len() + 4;
}

const NEGOTIATE: &[u8] = b"\xfd\xfc\x1e\x66\x6a\xb2";

/// The master passes on what a client says to the server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClientMessage<'a> {
    pub key: u32,
    pub message_key: u32,
    pub form: MessageForm,
    pub cookie: u32,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for ClientMessage<'a> {
    const SPEC: Spec = Spec::new(
        "client message",
        &["008 qr2.c", "009 handle_client_message_ack.cpp"],
        M2S,
        b"\xfe\xfd\x06\x5a\x11\xc0\xde\0\0\0\x07\xfd\xfc\x1e\x66\x6a\xb2\0\0\x12\x34",
    )
    .id("client-message")
    .weak()
    .content_match(b"\xfe", |bytes| bytes.starts_with(b"\xfe\xfd\x06") && bytes.len() > 11)
    .exchange(ExchangeKind::Command)
    .sends(bytes::<3, 8>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x06")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        p.int(&MESSAGE_KEY, Endian::Big, &mut self.message_key)?;
        p.choose(&mut self.form, |p, form| match form {
            MessageForm::Text => p.text(&CLIENT_TEXT, b"", &mut self.text),
            MessageForm::Negotiation => {
                p.lit(&NEGOTIATION, NEGOTIATE)?;
                p.int(&COOKIE, Endian::Big, &mut self.cookie)
            }
        })
    }
}

/// The server has got a client's message.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClientMessageAck<'a> {
    pub key: u32,
    pub message_key: u32,
    pub payload: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for ClientMessageAck<'a> {
    const SPEC: Spec = Spec::new(
        "client message ack",
        &["008 qr2.c", "009 handle_client_message_ack.cpp"],
        S2M,
        b"\x07\x5a\x11\xc0\xde\0\0\0\x07",
    )
    .id("client-message-ack")
    .weak()
    .whole()
    .content_match(b"\x07", |bytes| bytes.len() == 9)
    .answers(&["client-message"])
    .returns(bytes::<1, 8>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\x07")?;
        p.int(&INSTANCE_KEY, Endian::Big, &mut self.key)?;
        p.int(&MESSAGE_KEY, Endian::Big, &mut self.message_key)
    }
}

/// A client or master asks whether a server is there; clients ask everybody in their network.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Echo<'a> {
    pub key: u32,
    pub data: &'a [u8],
}

impl<'a> Message<'a> for Echo<'a> {
    const SPEC: Spec = Spec::new("echo", &["008 qr2.c"], ASK, b"\xfe\xfd\x02\0\0\0\0\0")
        .weak()
        .whole()
        .content_match(b"\xfe", |bytes| bytes.starts_with(b"\xfe\xfd\x02") && bytes.len() >= 7)
        .sends(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x02")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.text(&DATA, b"", &mut self.data)
    }
}

messages! {
    { key: u32, data: &'a [u8] }
    |self, p, value: &'static [u8]| {
        p.lit(&TYPE, value)?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.text(&DATA, b"", &mut self.data)
    }
    /// The server is there. A client that searches its network has no key.
    EchoResponse = b"\x05", Spec::new("echo response", &["008 qr2.c"], ANSWER, b"\x05\0\0\0\0\0")
        .id("echo-response")
        .weak()
        .whole()
        .content_match(b"\x05", |bytes| is_echo(bytes) && bytes.starts_with(b"\x05\0\0\0\0"))
        .answers(&["echo"])
        .returns(bytes::<1, 4>);
    /// The server is there; to an asker with a key.
    KeyedEchoResponse = b"\x05", Spec::new(
        "echo response", &["008 qr2.c"], ANSWER, b"\x05\x5a\x11\xc0\xdehello",
    )
    .id("keyed-echo-response")
    .answer_only()
    .whole()
    .content_match(b"\x05", |bytes| is_echo(bytes) && !bytes.starts_with(b"\x05\0\0\0\0"))
    .answers(&["echo"])
    .returns(bytes::<1, 4>);
}

fn is_echo(bytes: &[u8]) -> bool {
    bytes.len() >= 5
}
