//! The queries of Unreal's second engine: UT2003, UT2004, Unreal II XMP. Sources: qstat (qstat.c,
//! qstat.h) for queries and replies, gamedig for UTF-16, OpenSpy for the master.
//!
//! All numbers are little-endian. A text has its length in front, with the NUL behind it.

mod frames;
mod heartbeat;
mod keys;
mod login;
mod master;
mod query;
mod replies;
mod server;

use Pattern::Is;
use Role::Server;
use SignatureSource::In;
use codec::{Field, FieldRole};
use protocol::{Colours, protocol};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

pub use heartbeat::{HasFlags, HasNumbers, Heartbeat};
pub use login::{HasGraphics, Login, SystemForm, Uplink};
pub use master::{
    ApprovedResponse, ListCount, ListRecord, MasterChallenge, MasterListRequest, MotdRequest,
    NumberFrame, RecordEnd, TextFrame, Verified,
};
pub use query::Query;
pub use replies::{PLAYERS, PLAYERS_XMP, PlayersReply, RulesReply, ServerReply, Waves};
pub use server::{
    DetectedPorts, HeartbeatRequest, Packages, PackagesVersion, PortsForm, Statistics,
};

protocol! {
    /// One message of Unreal's second engine.
    Unreal2: "unreal2", "Unreal Engine 2", &[&UT2004, &UT2003, &UNREAL2_XMP, &KILLING_FLOOR],
    [
        ServerReply, RulesReply, PlayersReply, Query, MasterChallenge, Verified, ApprovedResponse,
        MasterListRequest,
        ListCount, ListRecord, MotdRequest, NumberFrame, TextFrame, Login, Uplink, Heartbeat,
        DetectedPorts, HeartbeatRequest, PackagesVersion, Packages, Statistics,
    ], cut: frames::cut, opens: Some(frames::opens), resumes: frames::resumes,
    colours: Colours::Escape
}

/// Unreal Tournament 2004.
pub static UT2004: Game = Game {
    id: "ut2004",
    title: "Unreal Tournament 2004",
    protocol: &PROTOCOL,
    ports: &[Port::new(7778, Server), Port::new(28902, Role::Master)],
    signatures: &[
        Signature::new(In("server-reply", "version", Is(&["128"])), Confidence::Certain),
        Signature::new(In("rules-reply", "version", Is(&["128"])), Confidence::Certain),
        Signature::new(In("players-reply", "version", Is(&["128"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// Unreal Tournament 2003.
pub static UT2003: Game = Game {
    id: "ut2003",
    title: "Unreal Tournament 2003",
    protocol: &PROTOCOL,
    ports: &[Port::new(7758, Server)],
    signatures: &[
        Signature::new(In("server-reply", "version", Is(&["120", "121"])), Confidence::Certain),
        Signature::new(In("rules-reply", "version", Is(&["120", "121"])), Confidence::Certain),
        Signature::new(In("players-reply", "version", Is(&["120", "121"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// Unreal II's expanded multiplayer.
pub static UNREAL2_XMP: Game = Game {
    id: "unreal2-xmp",
    title: "Unreal II XMP",
    protocol: &PROTOCOL,
    ports: &[Port::new(7778, Server)],
    signatures: &[
        Signature::new(In("query", "version", Is(&["126"])), Confidence::Form),
        Signature::new(In("server-reply", "version", Is(&["126"])), Confidence::Certain),
        Signature::new(In("rules-reply", "version", Is(&["126"])), Confidence::Certain),
        Signature::new(In("players-reply", "version", Is(&["126"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// Killing Floor, whose servers have UT2004's version: without a wave its port tells it.
pub static KILLING_FLOOR: Game = Game {
    id: "killing-floor",
    title: "Killing Floor",
    protocol: &PROTOCOL,
    ports: &[Port::new(7708, Server)],
    signatures: &[
        Signature::new(In("server-reply", "version", Is(&["128"])), Confidence::Certain),
        Signature::new(In("rules-reply", "version", Is(&["128"])), Confidence::Certain),
        Signature::new(In("players-reply", "version", Is(&["128"])), Confidence::Certain),
        Signature::new(In("server-reply", "wave", Pattern::Present), Confidence::Certain),
        Signature::new(SignatureSource::Field("app id", Is(&["1250"])), Confidence::Certain),
        Signature::new(SignatureSource::Field("game id", Is(&["1250"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// The version of XMP, whose players have more fields.
const XMP: u32 = 126;
static VERSION: Field =
    Field::number("version", "of the query protocol; replies have the server's")
        .role(FieldRole::Protocol)
        .values(&[
            ("119", "Pariah"),
            ("120", "UT2003's demo"),
            ("121", "UT2003, and all clients"),
            ("126", "Unreal II XMP"),
            ("127", "UT2004's demo"),
            ("128", "UT2004, Killing Floor"),
        ]);
static TYPE: Field = Field::number("type", "what is asked for, or answered").values(&[
    ("0", "server"),
    ("1", "rules"),
    ("2", "players"),
    ("3", "all of them"),
]);

/// Whether a payload begins with a version and this type.
fn is_of_type(bytes: &[u8], kind: impl Fn(u8) -> bool) -> bool {
    matches!(bytes, [0x77..=0x80, 0, 0, 0, own, ..] if kind(*own))
}
