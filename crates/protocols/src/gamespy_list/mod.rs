//! GameSpy's server browsing: how clients get lists from a master, on TCP port 28910. The master
//! enciphers each list with the key of the asking game and a challenge of the client, which both are
//! known from the request. Sources: document 008 (sb_serverlist.c), and document 009 for a master of
//! today.

mod cipher;
mod compose;
mod list;
mod request;
mod servers;
mod stream;

use crate::gamespy3::{BATTLEFIELD_2, BATTLEFIELD_2142, UNREAL_TOURNAMENT_3};
use protocol::protocol;
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

pub use cipher::{Cipher, session_key};
pub use compose::{NewServer, header, key_types};
pub use list::{CryptHeader, EncipheredList, List, ListBody};
pub use request::BrowseRequest;
pub use servers::{KeyTypes, PopularValues, ServerForm, ServerRecord, Servers};
pub use stream::cipher;

protocol! {
    /// One message of GameSpy's server browsing.
    GameSpyList: "gamespy-list", "GameSpy server browsing", GAMES,
    [BrowseRequest, List, EncipheredList], cut: stream::cut, opens: Some(stream::opens),
    resumes: stream::resumes, decipher: Some(stream::decipher), encipher: Some(stream::encipher)
}

/// Every game that is not listed here; it is first, because it is the default without evidence.
pub static GAMESPY_LIST: Game = Game {
    id: "gamespy-list",
    title: "Games with GameSpy's server browsing",
    protocol: &PROTOCOL,
    ports: &[Port::new(28910, Role::Master)],
    signatures: &[Signature::new(
        SignatureSource::Field("gamename", Pattern::Any),
        Confidence::Likely,
    )],
    required_keys: &[],
};

static GAMES: &[&Game] = &[&GAMESPY_LIST, &BATTLEFIELD_2, &BATTLEFIELD_2142, &UNREAL_TOURNAMENT_3];
