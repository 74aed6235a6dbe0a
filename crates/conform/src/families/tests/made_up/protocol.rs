//! The protocol: a server's heartbeat, its shutdown, a client's list request, and the list.

use std::sync::LazyLock;

use codec::{AddrForm, Addrs, CommandWord, Decoded, Field, Kind, PLAIN_BIG, Pass, Scratch, Walk};
use protocol::{ExchangeKind, Game, Message, Port, Registry, Role, Spec, protocol};

protocol! {
    /// One message of the made-up protocol.
    MadeUp: "made-up", "Made up", &[&GAME],
    [MadeUpHeartbeat, MadeUpStop, MadeUpFind, MadeUpList]; page: "# Made up"
}

pub static GAME: Game = Game {
    id: "made-up",
    title: "Made up",
    protocol: &PROTOCOL,
    ports: &[Port::new(47_000, Role::Master)],
    signatures: &[],
    required_keys: &[],
};

/// A registry of this protocol alone.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&[&PROTOCOL]));

static COMMAND: Field = Field::new("command", Kind::Command, "what is sent");
static SERVERS: Field = Field::group("servers", "the servers listed");

/// Messages that are one word.
macro_rules! word {
    ($($(#[$doc:meta])+ $name:ident = $word:literal, $spec:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            pub command: CommandWord<'a>,
        }

        impl<'a> Message<'a> for $name<'a> {
            const SPEC: Spec = $spec;

            fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
                p.word(&COMMAND, $word, &mut self.command)
            }
        }
    )+};
}

word! {
    /// A server is alive.
    MadeUpHeartbeat = b"beat",
        Spec::new("beat", &[], &[(Role::Server, Role::Master)], b"beat").one_way();
    /// A server shuts down.
    MadeUpStop = b"stop",
        Spec::new("stop", &[], &[(Role::Server, Role::Master)], b"stop").one_way();
    /// A client requests all servers.
    MadeUpFind = b"find",
        Spec::new("find", &[], &[(Role::Client, Role::Master)], b"find")
            .exchange(ExchangeKind::List);
}

/// A master's list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MadeUpList<'a> {
    pub command: CommandWord<'a>,
    pub servers: Addrs<'a>,
}

impl MadeUpList<'_> {
    pub const FORM: AddrForm = PLAIN_BIG;
}

impl<'a> Message<'a> for MadeUpList<'a> {
    const SPEC: Spec =
        Spec::new("list", &[], &[(Role::Master, Role::Client)], b"list").answers(&["find"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"list", &mut self.command)?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)
    }
}

/// Decodes a message; `None` if it is of another protocol, or has a fault.
pub fn decode_made_up<'a>(bytes: &'a [u8], scratch: &'a mut Scratch) -> Option<MadeUp<'a>> {
    let decoded = MadeUp::decode(REGISTRY.recognise(bytes)?, bytes, scratch);
    decoded.filter(|decoded| decoded.fault.is_none()).map(|Decoded { message, .. }| message)
}
