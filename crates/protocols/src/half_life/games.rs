//! The games with this protocol, and their signatures.

use super::super::quake3::WARFORK;
use super::super::source::SOURCE;
use Pattern::{Any, Is, Present, Starts};
use Role::{Master, Server};
use SignatureSource::{Field, In, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Half-Life is first: it is the default without evidence. Servers of all games of Steam, and
/// Warfork's, report to Steam's master in this protocol.
pub(super) static GAMES: &[&Game] = &[&HALF_LIFE, &XASH3D, &SOURCE, &WARFORK];

/// Half-Life.
pub static HALF_LIFE: Game = Game {
    id: "half-life",
    title: "Half-Life",
    protocol: &super::PROTOCOL,
    ports: &[Port::of(27015, Server), Port::of(27010, Master)],
    signatures: &[
        Signature::of(Field("protocol", Is(&["46", "47", "48"])), Confidence::Number),
        Signature::of(Message("rcon-challenge"), Confidence::Likely),
        Signature::of(Message("rcon-challenge-reply"), Confidence::Likely),
        Signature::of(Message("details-reply"), Confidence::Form),
        // Its servers count players from 1; most others send zeros.
        Signature::of(In("players-reply", "index", Is(&["1"])), Confidence::Number),
        // Its servers since Steam reply with the number of the application.
        Signature::of(In("s2a-info", "app id", Is(&["70"])), Confidence::Certain),
        Signature::of(In("s2a-info", "game id", Is(&["70"])), Confidence::Certain),
        Signature::of(In("rcon", "challenge", Any), Confidence::Form),
    ],
    required_keys: &[],
};

/// Xash3D FWGS, an engine of other authors for Half-Life's games, with masters of its own.
pub static XASH3D: Game = Game {
    id: "xash3d",
    title: "Xash3D FWGS",
    protocol: &super::PROTOCOL,
    ports: &[Port::of(27015, Server), Port::of(27010, Master)],
    signatures: &[
        Signature::of(Field("xash mark", Any), Confidence::Likely),
        Signature::of(Field("server challenge", Any), Confidence::Likely),
        Signature::of(Field("nat", Any), Confidence::Likely),
        Signature::of(Field("numcl", Any), Confidence::Likely),
        Signature::of(Field("product", Any), Confidence::Likely),
        Signature::of(In("reply", "version", Starts(&["0."])), Confidence::Likely),
        Signature::of(In("info-reply", "version", Starts(&["0."])), Confidence::Likely),
        Signature::of(In("infostring-response", "version", Starts(&["0."])), Confidence::Likely),
        Signature::of(In("get-region", "bots", Present), Confidence::Likely),
        Signature::of(In("get-region", "clver", Present), Confidence::Likely),
        Signature::of(In("get-region", "key", Present), Confidence::Likely),
        Signature::of(In("servers", "key", Any), Confidence::Likely),
        Signature::of(In("info", "protocol", Is(&["48", "49"])), Confidence::Likely),
        Signature::of(Field("protocol", Is(&["49"])), Confidence::Number),
        Signature::of(In("info-reply", "map", Any), Confidence::Likely),
        Signature::of(In("info-reply", "host", Any), Confidence::Likely),
        Signature::of(Message("announce"), Confidence::Likely),
        Signature::of(Message("admin-challenge"), Confidence::Likely),
        Signature::of(Message("admin-challenge-reply"), Confidence::Likely),
        Signature::of(Message("admin"), Confidence::Likely),
        Signature::of(Message("netinfo"), Confidence::Likely),
        Signature::of(Message("netinfo-reply"), Confidence::Likely),
        Signature::of(Message("bandwidth"), Confidence::Likely),
        Signature::of(Message("test-packet"), Confidence::Likely),
        Signature::of(Message("error-message"), Confidence::Likely),
        Signature::of(In("connect-challenge", "bandwidth test", Present), Confidence::Number),
        Signature::of(Message("ack"), Confidence::Form),
        Signature::of(Message("client-connect"), Confidence::Form),
        Signature::of(In("get-challenge", "for", Is(&["steam"])), Confidence::Form),
        Signature::of(In("rcon", "argument mark", Is(&["\""])), Confidence::Form),
    ],
    required_keys: &[],
};
