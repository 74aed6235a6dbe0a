//! Answers of simulated servers to masters.

use crate::families::{FAMILIES, answer, master_kinds};
use protocol::{Carrier, Direction, Reading, Role};

#[test]
fn every_game_answers_what_masters_ask_with_its_required_keys() {
    let asks = Direction { from: Some(Role::Master), to: Some(Role::Server) };
    let answers = Direction { from: Some(Role::Server), to: Some(Role::Master) };
    let mut questions = Vec::new();
    for (protocol, _) in FAMILIES.iter().filter_map(|family| family.answers) {
        let messages = protocol.messages.iter().filter(|entry| entry.is_request());
        for request in messages.filter(|entry| entry.spec.allows(asks)) {
            questions.push(format!("{request:?}"));
            for game in protocol.games {
                let answer_bytes = answer(protocol, Some(game), &[], request.spec.example);
                let answer_bytes = answer_bytes
                    .unwrap_or_else(|| panic!("{} says nothing to {request:?}", game.id));
                let entry =
                    protocols::recognise(protocol, Carrier::Datagram, &answer_bytes, answers)
                        .unwrap();
                assert!(entry.spec.answers.contains(&request.spec.id), "{entry:?} to {request:?}");
                let mut reading = Reading::default();
                reading.walk(entry, &answer_bytes);
                assert_eq!(reading.fault(), None, "{}", answer_bytes.escape_ascii());
                let mut required = entry.spec.required_keys.to_vec();
                if !required.is_empty() {
                    required.extend(game.required_keys);
                }
                for key in required {
                    let key = format!(r"\{key}\");
                    let there = answer_bytes.windows(key.len()).any(|part| part == key.as_bytes());
                    assert!(there, "{}: {key} in {}", game.id, answer_bytes.escape_ascii());
                }
            }
        }
    }
    assert_eq!(
        questions.join(" "),
        "quake3.getinfo quake3.getstatus quake3.getchallenge quake2.ping quakeworld.ping \
         doom3.get-info etqw.get-info etqw.get-info-ex half-life.challenge gamespy.query \
         gamespy2.query gamespy3.challenge-request gamespy3.query qr2.challenge \
         qr2.client-message qr2.echo teeworlds.check teeworlds.token-request \
         teeworlds.check-7"
    );
}

#[test]
fn the_question_to_servers_of_each_kind_of_master_is_answered() {
    for kind in master_kinds() {
        let query = kind.servers.state();
        let mut servers = FAMILIES.iter().filter_map(|family| family.answers);
        let answers = servers.any(|(protocol, _)| answer(protocol, None, &[], &query).is_some());
        assert!(answers, "{}: {}", kind.profile, query.escape_ascii());
    }
}

#[test]
fn a_loopback_address_in_a_list_without_a_key_is_no_key() {
    // The port of the first server ends in the byte 08, as the form of Xash3D's keys does.
    let servers = ["127.0.0.7:27400", "192.0.2.7:27015"];
    let packet = b"\xff\xff\xff\xfff\n\x7f\0\0\x07\x6b\x08\xc0\0\x02\x07\x69\x87";
    let records = super::half_life::messages::list_records(packet).unwrap();
    let found: Vec<_> = records.servers.iter().map(|(server, _)| server.to_string()).collect();
    assert_eq!(found, servers);
}
