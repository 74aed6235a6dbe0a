//! What a client asks a server with GameSpy's third query protocol (document 008): a challenge, and
//! with that the settings, the players and the teams.

use crate::families::{FollowTurn, ProofFields, Question, ServerQuestions};
use crate::written;
use codec::Scratch;
use protocol::{Carrier, Direction};
use protocols::gamespy2::Selector;
use protocols::gamespy3::{ChallengeRequest, GameSpy3, PROTOCOL, Query, QueryForm, SelectedKeys};

/// The key of a client's questions.
const KEY: u32 = 1;

/// Everything that a server tells, with its challenge.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    follow: with_challenge,
    proof: Some(ProofFields { given: "challenge", returned: "challenge" }),
    ..ServerQuestions::new(
        &PROTOCOL,
        &[Question::state(|_| {
            Some(written(ChallengeRequest { key: KEY, ..ChallengeRequest::default() }))
        })],
    )
};

/// A server without a challenge gives 0, and wants none.
fn with_challenge(turn: &FollowTurn<'_>) -> Option<Vec<u8>> {
    let direction = Direction::default();
    let entry = protocols::recognise(&PROTOCOL, Carrier::Datagram, turn.answer, direction)?;
    let mut scratch = Scratch::default();
    let decoded = GameSpy3::decode(entry, turn.answer, &mut scratch)?;
    let GameSpy3::ChallengeReply(reply) = decoded.message else { return None };
    let challenge = i32::try_from(reply.challenge.get()).ok()?;
    let form = if challenge == 0 { QueryForm::Plain } else { QueryForm::Challenged };
    let all = Selector::new(b"\xff");
    let selection = SelectedKeys { server: all, players: all, teams: all, options: 1 };
    Some(written(Query { key: reply.key, form, challenge, selection }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_comes_back_as_a_number() {
        let follow = |answer: &[u8]| {
            let asked = SERVER_QUERY.state();
            with_challenge(&FollowTurn { asked: &asked, answer, players: None })
        };
        let query = follow(b"\x09\0\0\0\x019513307\0").unwrap();
        assert_eq!(query, b"\xfe\xfd\0\0\0\0\x01\0\x91\x29\x5b\xff\xff\xff\x01");
        let plain = follow(b"\x09\0\0\0\x010\0").unwrap();
        assert_eq!(plain, b"\xfe\xfd\0\0\0\0\x01\xff\xff\xff\x01");
        assert_eq!(follow(b"\0\0\0\0\x01splitnum\0\x80\0"), None);
    }
}
