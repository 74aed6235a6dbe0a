//! GameSpy's query and reporting 2: how servers register with a master, on UDP port 27900, and how
//! programs ask whether their game is still served. Sources: document 008 (qr2.c), and document 009
//! for what a master of today sends.
//!
//! A server begins with the type and its instance key, which it chooses once; a master and a client
//! begin with the mark FE FD. Queries between clients and servers are the protocols `gamespy2` and
//! `gamespy3`.

mod available;
mod games;
mod messages;
mod register;

use codec::Field;
use protocol::protocol;

pub use available::{Available, AvailableReply};
pub use games::QR2;
pub use messages::{
    ClientMessage, ClientMessageAck, Echo, EchoResponse, Keepalive, KeepaliveReply,
    KeyedEchoResponse, MessageForm,
};
pub use register::{
    Challenge, ChallengeResponse, ChallengeText, ErrorMessage, Heartbeat, Registered, Update,
};

protocol! {
    /// One message of query and reporting 2.
    Qr2: "qr2", "GameSpy query and reporting 2", games::GAMES,
    [
        Heartbeat, Update, Challenge, ChallengeResponse, Registered, ErrorMessage,
        Keepalive, KeepaliveReply, ClientMessage, ClientMessageAck, Echo, EchoResponse,
        KeyedEchoResponse, Available, AvailableReply,
    ]
}

static INSTANCE_KEY: Field = Field::number(
    "instance key",
    "the server's own number, by which it knows its master's messages",
);
