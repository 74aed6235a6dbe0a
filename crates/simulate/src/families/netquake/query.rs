//! What a client asks a server of NetQuake (document 005): what it is, and then each player and each
//! rule by a question of its own.

use super::messages::with_message;
use crate::families::{FollowTurn, Question, ServerQuestions};
use crate::written;
use protocols::netquake::{
    HEXEN2, NETQUAKE, NetQuake, PROTOCOL, PlayerInfo, RuleInfo, ServerInfoRequest,
};

/// The number of the control messages' protocol: of Quake, and of Hexen II.
const VERSIONS: [u8; 2] = [3, 5];

/// The state, the players and the settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    games: &[&NETQUAKE],
    ..named(&[
        Question::state(|_| Some(server_info(b"QUAKE", VERSIONS[0]))),
        Question::players(first_player),
        Question::rules(|_| Some(rule_after(b""))),
    ])
};

/// The same with the name of Hexen II.
pub static HEXEN2_QUERY: ServerQuestions = ServerQuestions {
    games: &[&HEXEN2],
    ..named(&[
        Question::state(|_| Some(server_info(b"HEXENII", VERSIONS[1]))),
        Question::players(first_player),
        Question::rules(|_| Some(rule_after(b""))),
    ])
};

const fn named(questions: &'static [Question]) -> ServerQuestions {
    ServerQuestions { follow: next_part, ..ServerQuestions::new(&PROTOCOL, questions) }
}

fn server_info(game: &[u8], version: u8) -> Vec<u8> {
    written(ServerInfoRequest { game, version, ..ServerInfoRequest::default() })
}

/// The question for the first player; a server without players has no answer.
fn first_player(players: Option<i64>) -> Option<Vec<u8>> {
    players.is_some_and(|players| players > 0).then(|| player(0))
}

fn player(number: u8) -> Vec<u8> {
    written(PlayerInfo { number, ..PlayerInfo::default() })
}

fn rule_after(rule: &[u8]) -> Vec<u8> {
    written(RuleInfo { rule, ..RuleInfo::default() })
}

fn next_part(turn: &FollowTurn<'_>) -> Option<Vec<u8>> {
    with_message(turn.answer, |message| match message {
        NetQuake::PlayerInfoReply(reply) => {
            let next = reply.number.checked_add(1)?;
            turn.players.is_some_and(|players| i64::from(next) < players).then(|| player(next))
        }
        NetQuake::RuleInfoReply(reply) => reply.has_rule.then(|| rule_after(reply.rule)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_rules_come_one_by_one() {
        let follow = |answer: &[u8], players| {
            next_part(&FollowTurn { asked: b"", answer, players: Some(players) })
        };
        let alfa =
            b"\x80\0\0\x2a\x84\0Alfa\0\x4d\0\0\0\x0c\0\0\0\x41\x01\0\x00198.51.100.7:26001\0";
        assert_eq!(follow(alfa, 2).unwrap(), b"\x80\0\0\x06\x03\x01");
        assert_eq!(follow(alfa, 1), None);
        let rule = b"\x80\0\0\x14\x85sv_gravity\x00800\0";
        assert_eq!(follow(rule, 0).unwrap(), b"\x80\0\0\x10\x04sv_gravity\0");
        assert_eq!(follow(b"\x80\0\0\x05\x85", 0), None);
        assert_eq!((first_player(Some(0)), first_player(None)), (None, None));
    }
}
