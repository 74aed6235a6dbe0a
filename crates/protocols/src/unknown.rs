//! A datagram that no protocol reads: its bytes, with the first text in them. It is in no registry,
//! so that nothing is ever recognised as it; `flow` says which datagrams are shown so.

use codec::{Field, FieldRole, Group, Kind, Parts, Pass, RawBytes, Shape, Sink, View, Walk};
use protocol::{Entry, Game, Message, Role, Spec, protocol};

protocol! {
    /// What nobody reads.
    Unknown: "unknown", "Unknown", &[&UNKNOWN],
    [UnknownDatagram];
    page: ""
}

/// The game of flows of which nothing is known.
pub static UNKNOWN: Game = Game {
    id: "unknown",
    title: "Unknown",
    protocol: &PROTOCOL,
    ports: &[],
    signatures: &[],
    required_keys: &[],
};

/// The declaration of such a datagram.
pub static DATAGRAM: &Entry = {
    let [only] = &MESSAGES;
    only
};

/// How many printable characters in a row are a text.
const TEXT_LENGTH: usize = 4;

const ANY: &[(Role, Role)] = &[
    (Role::Client, Role::Server),
    (Role::Server, Role::Client),
    (Role::Client, Role::Master),
    (Role::Master, Role::Client),
    (Role::Server, Role::Master),
    (Role::Master, Role::Server),
];

static PAYLOAD: Field = Field::group("payload", "what no protocol reads");
static BYTES: Field = Field::new("bytes", Kind::Unparsed, "what stands before and after the text");
static TEXT: Field =
    Field::text("text", "the first printable characters in a row").role(FieldRole::Free);

/// The bytes of a datagram.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UnknownPayload<'a> {
    raw: &'a [u8],
}

impl<'a> RawBytes<'a> for UnknownPayload<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for UnknownPayload<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        all.len()
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        let (before, text) = first_text(self.raw);
        let after = self.raw.len() - before - text;
        for (field, shape, length) in
            [(&BYTES, Shape::Raw, before), (&TEXT, Shape::Text, text), (&BYTES, Shape::Raw, after)]
        {
            if length > 0 {
                out.leaf(field, shape, length);
            }
        }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        [&BYTES, &TEXT].into_iter().for_each(each);
    }
}

/// How many bytes stand before the first text, and how many it has.
fn first_text(bytes: &[u8]) -> (usize, usize) {
    let is_printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.iter().take_while(|byte| is_printable(byte)).count();
        if length >= TEXT_LENGTH {
            return (at, length);
        }
        at += length + 1;
    }
    (bytes.len(), 0)
}

/// A datagram that no protocol reads.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UnknownDatagram<'a> {
    /// All of it.
    pub payload: UnknownPayload<'a>,
}

impl<'a> Message<'a> for UnknownDatagram<'a> {
    const SPEC: Spec =
        Spec::new("unknown", &[], ANY, b"\xff\xff\xff\xffwhat").id("datagram").one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&PAYLOAD, (), &mut self.payload)
    }
}
