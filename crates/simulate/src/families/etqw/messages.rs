//! Enemy Territory: Quake Wars: a server's answers (document 002, ET:QW version). No server
//! registers in this protocol, because its lists come over HTTP.

use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, Pairs, Records, Scratch, View as _};
use protocol::{Carrier, Direction, Game};
use protocols::doom3::KEYS;
use protocols::etqw::{
    Etqw, InfoExResponse, InfoResponse, PLAYERS, PROTOCOL, STATISTICS, ServerDetails,
};

/// Protocol 10.19, the first with players in the documented form.
const LAST: u32 = (10 << 16) + 19;
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 3] = [
    ("si_name", FieldRole::Host),
    ("si_map", FieldRole::Map),
    ("si_maxPlayers", FieldRole::MaxPlayers),
];

/// A server with eight places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[("si_name", "noname"), ("si_map", "valley"), ("si_maxPlayers", "8")])
}

/// A server's answer to any request, without players; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let info = server_info.dictionary();
    let info = Pairs::split_off(&info, &KEYS);
    let server = ServerDetails {
        info,
        players: Records::split_off(b"", PLAYERS),
        ..ServerDetails::default()
    };
    let entry = protocols::recognise(&PROTOCOL, Carrier::Datagram, request, Direction::default())?;
    let mut scratch = Scratch::default();
    let decoded = Etqw::decode(entry, request, &mut scratch).filter(|of| of.fault.is_none())?;
    let protocol = LAST;
    match decoded.message {
        Etqw::GetInfo(request) => {
            let (task, challenge) = (request.task, request.challenge);
            Some(written(InfoResponse { task, challenge, protocol, server, ..Default::default() }))
        }
        Etqw::GetInfoEx(request) => {
            let (task, challenge) = (request.task, request.challenge);
            let statistics = Records::split_off(b"", STATISTICS);
            let own = InfoExResponse { statistics, ..Default::default() };
            Some(written(InfoExResponse { task, challenge, protocol, server, ..own }))
        }
        _ => None,
    }
}

/// The answer of a server with these known values.
pub(super) fn server(_: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info().with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_requests() {
        let server_info = ServerInfo::from_pairs(&[("si_map", "valley")]);
        let reply = answer(&server_info, b"\xff\xffgetInfo\0\x07\0\0\0\x01\x02\x03\x04").unwrap();
        let expected = b"\xff\xffinfoResponse\0\x07\0\0\0\x01\x02\x03\x04\x13\0\x0a\0\x1d\0\0\0\
            si_map\0valley\0\0\0\x20\0\0\0\0\0\0\0\0\0\0\0\0";
        assert_eq!(reply, expected, "{}", reply.escape_ascii());
        let reply = answer(&server_info, b"\xff\xffgetInfoEx\0\x07\0\0\0\x01\x02\x03\x04").unwrap();
        assert!(reply.starts_with(b"\xff\xffinfoExResponse\0\x07\0\0\0\x01\x02\x03\x04"));
        assert_eq!(answer(&server_info, &reply), None);
    }
}
