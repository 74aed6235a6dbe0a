//! Answers of simulated servers to masters.

use crate::families::{FAMILIES, answer};
use crate::protocol::{Carrier, Direction, Reading, Role};

#[test]
fn every_game_answers_what_masters_ask_with_its_required_keys() {
    let asks = Direction { from: Some(Role::Master), to: Some(Role::Server) };
    let answers = Direction { from: Some(Role::Server), to: Some(Role::Master) };
    let mut questions = Vec::new();
    for (home, _) in FAMILIES.iter().filter_map(|family| family.server) {
        let messages = home.messages.iter().filter(|entry| entry.is_asked());
        for asked in messages.filter(|entry| entry.spec.allows(asks)) {
            questions.push(format!("{asked:?}"));
            for game in home.games {
                let said = answer(home, Some(game), &[], asked.spec.example);
                let said = said.unwrap_or_else(|| panic!("{} says nothing to {asked:?}", game.id));
                let entry = home.recognise(Carrier::Datagram, &said, answers).unwrap();
                assert!(entry.spec.answers.contains(&asked.spec.id), "{entry:?} to {asked:?}");
                let mut reading = Reading::default();
                reading.walk(entry, &said);
                assert_eq!(reading.fault(), None, "{}", said.escape_ascii());
                let mut owed = entry.spec.dealing.owes.to_vec();
                if !owed.is_empty() {
                    owed.extend(game.owes);
                }
                for key in owed {
                    let key = format!(r"\{key}\");
                    let there = said.windows(key.len()).any(|part| part == key.as_bytes());
                    assert!(there, "{}: {key} in {}", game.id, said.escape_ascii());
                }
            }
        }
    }
    assert_eq!(
        questions.join(" "),
        "quake3.getinfo quake3.getstatus quake3.getchallenge quake2.ping quakeworld.ping \
         doom3.get-info etqw.get-info etqw.get-info-ex half-life.challenge gamespy.query"
    );
}
