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
    ports: &[Port::new(27015, Server), Port::new(27010, Master)],
    signatures: &[
        Signature::new(Field("protocol", Is(&["46", "47", "48"])), Confidence::Number),
        Signature::new(Message("rcon-challenge"), Confidence::Likely),
        Signature::new(Message("rcon-challenge-reply"), Confidence::Likely),
        Signature::new(Message("details-reply"), Confidence::Form),
        // Its servers count players from 1; most others send zeros.
        Signature::new(In("players-reply", "index", Is(&["1"])), Confidence::Number),
        // Its servers since Steam reply with the number of the application, and so do those of many
        // games made from it, whose folder tells them.
        Signature::new(In("s2a-info", "app id", Is(&["70"])), Confidence::Likely),
        Signature::new(In("s2a-info", "game id", Is(&["70"])), Confidence::Likely),
        Signature::new(In("rcon", "challenge", Any), Confidence::Form),
    ],
    required_keys: &[],
};

/// Xash3D FWGS, an engine of other authors for Half-Life's games, with masters of its own.
pub static XASH3D: Game = Game {
    id: "xash3d",
    title: "Xash3D FWGS",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27015, Server), Port::new(27010, Master)],
    signatures: &[
        Signature::new(Field("xash mark", Any), Confidence::Likely),
        Signature::new(Field("server challenge", Any), Confidence::Likely),
        Signature::new(Field("nat", Any), Confidence::Likely),
        Signature::new(Field("numcl", Any), Confidence::Likely),
        Signature::new(Field("product", Any), Confidence::Likely),
        Signature::new(In("reply", "version", Starts(&["0."])), Confidence::Likely),
        Signature::new(In("info-reply", "version", Starts(&["0."])), Confidence::Likely),
        Signature::new(In("infostring-response", "version", Starts(&["0."])), Confidence::Likely),
        Signature::new(In("get-region", "bots", Present), Confidence::Likely),
        Signature::new(In("get-region", "clver", Present), Confidence::Likely),
        Signature::new(In("get-region", "key", Present), Confidence::Likely),
        Signature::new(In("servers", "key", Any), Confidence::Likely),
        Signature::new(In("info", "protocol", Is(&["48", "49"])), Confidence::Likely),
        Signature::new(Field("protocol", Is(&["49"])), Confidence::Number),
        Signature::new(In("info-reply", "map", Any), Confidence::Likely),
        Signature::new(In("info-reply", "host", Any), Confidence::Likely),
        Signature::new(Message("announce"), Confidence::Likely),
        Signature::new(Message("admin-challenge"), Confidence::Likely),
        Signature::new(Message("admin-challenge-reply"), Confidence::Likely),
        Signature::new(Message("admin"), Confidence::Likely),
        Signature::new(Message("netinfo"), Confidence::Likely),
        Signature::new(Message("netinfo-reply"), Confidence::Likely),
        Signature::new(Message("bandwidth"), Confidence::Likely),
        Signature::new(Message("test-packet"), Confidence::Likely),
        Signature::new(Message("error-message"), Confidence::Likely),
        Signature::new(In("connect-challenge", "bandwidth test", Present), Confidence::Number),
        Signature::new(Message("ack"), Confidence::Form),
        Signature::new(Message("client-connect"), Confidence::Form),
        Signature::new(In("get-challenge", "for", Is(&["steam"])), Confidence::Form),
        Signature::new(In("rcon", "argument mark", Is(&["\""])), Confidence::Form),
    ],
    required_keys: &[],
};
