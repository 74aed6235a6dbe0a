//! What document 003 says about answers and names.

use super::world::*;

/// What the listed server sends about its new state, whether the master lists it at once, and
/// whether after the timeout of an answer. `?` stands for the proof.
#[test]
fn answers_may_have_parts() {
    for (parts, at_once, later) in [
        (&[r"?\gamemode\openplaying\final\\queryid\1.1"][..], 1, 1),
        (&[r"?\gamemode\exiting\final\\queryid\1.1"], 0, 0),
        (&[r"?\queryid\1.1", r"\gamemode\exiting\final\\queryid\1.2"], 0, 0),
        (&[r"\gamemode\exiting\final\\queryid\1.2", r"?\queryid\1.1"], 0, 0),
        (&[r"?\queryid\1.1", r"\gamemode\wait\final\\queryid\1.2"], 1, 1),
        (&[r"?\queryid\1.1"], 1, 1),
        (&[r"\gamemode\wait\queryid\1.1"], 1, 0),
        (&[], 1, 0),
    ] {
        let mut w = World::new("", None);
        w.gamespy(at(1), "ut");
        let proof = w.gamespy_heartbeat(at(1), "ut", r"\statechanged\").unwrap();
        for part in parts {
            w.receive(GAMESPY, at(1), part.replace('?', &proof).as_bytes());
        }
        assert_eq!(w.master.servers(), at_once, "{parts:?}");
        w.wait(2 * SECOND);
        assert_eq!(w.master.servers(), later, "{parts:?}");
    }
}

#[test]
fn a_proof_counts_once() {
    let mut w = World::new("", None);
    w.gamespy(at(1), "ut");
    let proof = w.gamespy_heartbeat(at(1), "ut", r"\statechanged\").unwrap();
    w.receive(GAMESPY, at(1), proof.as_bytes());
    w.receive(GAMESPY, at(1), br"\gamename\ut\gamemode\exiting");
    w.receive(GAMESPY, at(1), proof.as_bytes());
    assert_eq!(w.master.servers(), 0);
}

#[test]
fn new_state_after_a_proof_is_queried() {
    let mut w = World::new("", None);
    w.gamespy(at(1), "ut");
    let first = w.gamespy_heartbeat(at(1), "ut", r"\statechanged\").unwrap();
    w.receive(GAMESPY, at(1), first.as_bytes());
    let second = w.gamespy_heartbeat(at(1), "ut", r"\statechanged\").unwrap();
    assert_ne!(second, first);
    w.wait(2 * SECOND);
    assert_eq!(w.master.servers(), 0, "it left the second unanswered");
}

#[test]
fn the_last_reply_counts_after_other_queries() {
    let mut w = World::new("", None);
    w.gamespy(at(1), "ut");
    w.gamespy_heartbeat(at(1), "ut", "").unwrap();
    w.gamespy_heartbeat(at(1), "ut", r"\statechanged\").unwrap();
    w.wait(2 * SECOND);
    assert_eq!(w.master.servers(), 0);
}

#[test]
fn names_of_games_are_compared_with_case() {
    let mut w = World::new("", None);
    w.gamespy(at(1), "mygame");
    for (game, lists) in [("mygame", true), ("MyGame", false)] {
        let says = format!(r"\gamename\ut\validate\?\final\\list\\gamename\{game}\final\");
        assert_eq!(w.stream("ut", &says).contains("192.0.2.1"), lists, "{game}");
    }
}
