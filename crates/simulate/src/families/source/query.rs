//! What a client asks a server with Source's queries (document 006): each question again with the
//! challenge that the server gives.

use super::messages::with_message;
use crate::families::{FollowTurn, ProofFields, Question, ServerQuestions};
use crate::written;
use protocols::source::{A2sInfo, A2sPlayer, A2sRules, PROTOCOL, Source};

/// The challenge of a client that has none.
const NONE: i32 = -1;

/// The state, the players and the settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    follow: with_challenge,
    proof: Some(ProofFields { given: "challenge", returned: "challenge" }),
    ..ServerQuestions::new(
        &PROTOCOL,
        &[
            Question::state(|_| Some(written(A2sInfo::default()))),
            Question::players(|_| Some(players(NONE))),
            Question::rules(|_| Some(rules(NONE))),
        ],
    )
};

fn players(challenge: i32) -> Vec<u8> {
    written(A2sPlayer { has_challenge: true, challenge, ..A2sPlayer::default() })
}

fn rules(challenge: i32) -> Vec<u8> {
    written(A2sRules { has_challenge: true, challenge, ..A2sRules::default() })
}

fn with_challenge(turn: &FollowTurn<'_>) -> Option<Vec<u8>> {
    let challenge = with_message(turn.answer, |message| match message {
        Source::S2cChallenge(given) => Some(given.challenge),
        _ => None,
    })?;
    with_message(turn.asked, |message| match message {
        Source::A2sInfo(asked) => {
            Some(written(A2sInfo { has_challenge: true, challenge, ..asked }))
        }
        Source::A2sPlayer(_) => Some(players(challenge)),
        Source::A2sRules(_) => Some(rules(challenge)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_question_is_sent_again_with_the_challenge() {
        let given = b"\xff\xff\xff\xffA\x01\x02\x03\x04";
        for question in SERVER_QUERY.questions {
            let asked = (question.ask)(None).unwrap();
            let turn = FollowTurn { asked: &asked, answer: given, players: None };
            let again = with_challenge(&turn).unwrap();
            assert!(again.ends_with(b"\x01\x02\x03\x04"), "{}", again.escape_ascii());
            let turn = FollowTurn { answer: b"\xff\xff\xff\xffE\0\0", ..turn };
            assert_eq!(with_challenge(&turn), None);
        }
    }
}
