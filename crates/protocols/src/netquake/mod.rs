//! NetQuake: the control messages of Quake's servers before QuakeWorld, with their length in front.
//! Sources: QuakeSpasm (net_defs.h, net_dgrm.c), and ProQuake for what its clients add.
//!
//! A server of NetQuake registers at no master of its own time; it answers clients that know its
//! address. Everything behind an accepted connection has another mark and is not of this protocol.

mod replies;
mod requests;

use codec::{BitMeanings, Endian, Field, FieldRole, PackedNumber, SizeForm};
use protocol::protocol;
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

pub use replies::{Accept, PlayerInfoReply, RconReply, Reject, RuleInfoReply, ServerInfoReply};
pub use requests::{Connect, PlayerInfo, Rcon, RuleInfo, ServerInfoRequest};

protocol! {
    /// One control message of NetQuake.
    NetQuake: "netquake", "NetQuake", &[&NETQUAKE, &HEXEN2],
    [
        Connect, ServerInfoRequest, PlayerInfo, RuleInfo, Rcon, Accept, Reject, ServerInfoReply,
        PlayerInfoReply, RuleInfoReply, RconReply,
    ]
}

/// Quake, over the network as it was before QuakeWorld.
pub static NETQUAKE: Game = Game {
    id: "netquake",
    title: "Quake (NetQuake)",
    protocol: &PROTOCOL,
    ports: &[Port::new(26000, Role::Server)],
    signatures: &[Signature::new(
        SignatureSource::Field("game", Pattern::Is(&["QUAKE"])),
        Confidence::Certain,
    )],
    required_keys: &[],
};

/// Hexen II, whose messages have another name and number.
pub static HEXEN2: Game = Game {
    id: "hexen2",
    title: "Hexen II",
    protocol: &PROTOCOL,
    ports: &[Port::new(26900, Role::Server)],
    signatures: &[Signature::new(
        SignatureSource::Field("game", Pattern::Is(&["HEXENII"])),
        Confidence::Certain,
    )],
    required_keys: &[],
};

/// Bit 31 marks a control message; the length counts its own four bytes.
const SIZE_FORM: SizeForm = SizeForm { order: Endian::Big, base: 0x8000_0004, is_exact: true };
static SIZE: Field = Field::number("size", "bit 31, and how many bytes the datagram has").packed(
    const { &[PackedNumber::new(0xffff, 0, ["", " bytes"])] },
    const { &[BitMeanings::set(1 << 31, "a control message")] },
);
static CODE: Field =
    Field::new("code", codec::Kind::Mark, "what is asked (01 to 05) or answered (81 to 86)");
static GAME: Field = Field::text("game", "the game's name: QUAKE, HEXENII").role(FieldRole::Game);
static VERSION: Field =
    Field::number("version", "the number of the control protocol").role(FieldRole::Protocol);
static ADDRESS: Field = Field::text("address", "address and port");

/// Whether a payload begins as a control message.
fn is_control(bytes: &[u8]) -> bool {
    matches!(bytes, [0x80, 0, _, _, _code, ..])
}

/// Declares messages with a length and a code in front of their own walk.
macro_rules! control_messages {
    ($(
        $(#[$doc:meta])+ $name:ident = $code:literal, $spec:expr,
        { $($slot:ident: $type:ty),* $(,)? } |$this:ident, $p:ident| $walk:block
    )+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            pub size: codec::Size,
            $(pub $slot: $type,)*
            /// Messages borrow from their payload; some of these have no text.
            pub payload: std::marker::PhantomData<&'a [u8]>,
        }

        impl<'a> protocol::Message<'a> for $name<'a> {
            const SPEC: protocol::Spec =
                $spec.exact().whole().content_match_with(
                    b"\x80",
                    protocol::SecondByte::At(4, $code),
                    super::is_control,
                );

            fn walk<P: codec::Pass<'a>>(&mut $this, $p: &mut P) -> codec::Walk {
                $p.sized(&super::SIZE, super::SIZE_FORM, &mut $this.size, |$p| {
                    $p.lit(&super::CODE, &[$code])?;
                    $walk
                })
            }
        }
    )+};
}
use control_messages;
