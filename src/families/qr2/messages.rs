//! Query and reporting 2: what a server sends its master, and its answers (document 008, qr2.c).

use crate::codec::{Scratch, View as _};
use crate::protocol::{Carrier, Direction, Game, Pattern, SignatureSource};
use crate::protocols::gamespy;
use crate::protocols::gamespy2::{ReplyBody, Settings};
use crate::protocols::qr2::{
    ChallengeResponse, ClientMessageAck, EchoResponse, Heartbeat, PROTOCOL, Qr2,
};
use crate::simulate::{KnownValue, ServerInfo, written};

/// The gamename of the example program, whose key is published.
pub const TEST: &str = "gmtest";

/// The name of a game in the network.
fn gamename(game: &Game) -> &'static str {
    let names = game.signatures.iter().filter_map(|signature| match &signature.source {
        SignatureSource::Field("gamename", Pattern::Is([name, ..])) => Some(*name),
        _ => None,
    });
    names.into_iter().next().unwrap_or(TEST)
}

/// The first heartbeat of a server of a game.
pub fn heartbeat(key: u32, game: &str, port: u16) -> Vec<u8> {
    let info = ServerInfo::of(&[("localip0", "192.0.2.50")])
        .with("localport", port.to_string())
        .with("natneg", "0")
        .with("statechanged", "3")
        .with("gamename", game)
        .with("hostname", "a server")
        .with("numplayers", "0")
        .dictionary();
    let body = ReplyBody { info: Settings::take(&info, ()), ..ReplyBody::default() };
    written(Heartbeat { key, body })
}

/// The answer of a server of a game to a challenge, an echo or a client's message.
pub(super) fn server(game: &Game, _: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let entry = PROTOCOL.recognise(Carrier::Datagram, request, Direction::default())?;
    let mut scratch = Scratch::default();
    let decoded = Qr2::decode(entry, request, &mut scratch).filter(|of| of.fault.is_none())?;
    match decoded.message {
        Qr2::Challenge(challenge) => {
            let game_key = gamespy::key_of(gamename(game).as_bytes())
                .or_else(|| gamespy::key_of(TEST.as_bytes()))?;
            let text = (entry.spec.challenge?)(request)?;
            let response = gamespy::answer(game_key, text);
            let key = challenge.key;
            Some(written(ChallengeResponse { key, response: response.as_bytes(), nul: 0 }))
        }
        Qr2::ClientMessage(message) => {
            let (key, message_key) = (message.key, message.message_key);
            Some(written(ClientMessageAck { key, message_key, ..ClientMessageAck::default() }))
        }
        Qr2::Echo(echo) => {
            let data = echo.data.get(..32).unwrap_or(echo.data);
            Some(written(EchoResponse { key: echo.key, data }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocols::qr2::QR2;

    #[test]
    fn servers_answer_their_master() {
        for (request, expected) in [
            (
                &b"\xfe\xfd\x01\x5a\x11\xc0\xdeLabChal000CB00713274CC\0"[..],
                &b"\x01\x5a\x11\xc0\xdeMU9aQCni2j90asCRMKiMkkbqSsf0ugAA\0"[..],
            ),
            (b"\xfe\xfd\x06\x5a\x11\xc0\xde\0\0\0\x07hello", b"\x07\x5a\x11\xc0\xde\0\0\0\x07"),
            (b"\xfe\xfd\x02\0\0\0\0\0", b"\x05\0\0\0\0\0"),
        ] {
            let reply = server(&QR2, &[], request).unwrap();
            assert_eq!(reply, expected, "{}", reply.escape_ascii());
        }
        assert_eq!(server(&QR2, &[], b"\xfe\xfd\x0a\x5a\x11\xc0\xde"), None);
        let heartbeat = heartbeat(7, TEST, 29900);
        assert!(heartbeat.starts_with(b"\x03\0\0\0\x07localip0\0"));
    }
}
