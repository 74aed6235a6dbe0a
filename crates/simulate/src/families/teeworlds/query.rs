//! What a client asks a server of Teeworlds (document 011): in DDNet's form, which servers of
//! version 0.6 understand too, or with a token as version 0.7 wants it.

use super::messages::with_message;
use crate::families::{FollowTurn, ProofFields, Question, ServerQuestions};
use crate::written;
use codec::PackedInt;
use protocols::teeworlds::{
    InfoRequest, InfoRequest7, PROTOCOL, RequestHead, Teeworlds, TokenPair, TokenRequest7,
};

/// The token of a client of version 0.7.
const OWN_TOKEN: [u8; 4] = [0x11, 0x22, 0x33, 0x44];
/// The bytes at the end of a request for a token: with them no answer is longer than the request.
const PADDING: [u8; 508] = [0; 508];
/// The token of a question.
const QUESTION: u8 = 5;

/// The state with players, of version 0.6.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| {
        let head = RequestHead::Extended;
        Some(written(InfoRequest { head, token: QUESTION, ..InfoRequest::default() }))
    })],
);

/// The same of version 0.7.
pub static SEVEN_QUERY: ServerQuestions = ServerQuestions {
    follow: with_token,
    proof: Some(ProofFields { given: "given token", returned: "packet token" }),
    ..ServerQuestions::new(
        &PROTOCOL,
        &[Question::state(|_| {
            let (packet, given) = ([0xff; 4], OWN_TOKEN);
            Some(written(TokenRequest7 { packet, given, padding: &PADDING }))
        })],
    )
};

fn with_token(turn: &FollowTurn<'_>) -> Option<Vec<u8>> {
    with_message(turn.answer, |message| match message {
        Teeworlds::Token7(reply) => {
            let packet = u32::from_be_bytes(reply.given);
            let tokens = TokenPair { packet, response: u32::from_be_bytes(OWN_TOKEN) };
            let token = PackedInt::from(i32::from(QUESTION));
            Some(written(InfoRequest7 { tokens, token }))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_the_server_is_sent_with_the_question() {
        let asked = SEVEN_QUERY.state();
        assert_eq!(asked.len(), 520);
        let answer = b"\x04\0\0\x11\x22\x33\x44\x05\x55\x66\x77\x88";
        let question = with_token(&FollowTurn { asked: &asked, answer, players: None }).unwrap();
        let expected = b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xffgie3\x05";
        assert_eq!(question, expected, "{}", question.escape_ascii());
    }
}
