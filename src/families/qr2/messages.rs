//! Query and reporting 2: a server's answers to its master (document 008, qr2.c).

use crate::codec::Scratch;
use crate::protocol::{Carrier, Direction, Game, Pattern, SignatureSource};
use crate::protocols::gamespy;
use crate::protocols::qr2::{
    ChallengeResponse, ClientMessageAck, EchoResponse, KeyedEchoResponse, PROTOCOL, Qr2,
};
use crate::simulate::{KnownValue, written};

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
            let key = echo.key;
            Some(if key == 0 {
                written(EchoResponse { key, data })
            } else {
                written(KeyedEchoResponse { key, data })
            })
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
    }
}
