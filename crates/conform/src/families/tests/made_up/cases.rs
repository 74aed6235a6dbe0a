//! The cases that test such a master, all of them shared ones.

use super::messages;
use super::messages::MASTER;
use super::protocol::GAME;
use crate::shared::no_challenge::{self, GameMessages};
use crate::{
    CASE, Case, Implementation, Precondition, Profile, Requirement, Sentinel, ShutdownMessage,
    TestSuite, csv_table,
};

pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[CASES],
    profiles: &[Profile::new(GAME.id, "a master of the made-up game", &["made-up/*"])],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &ANSWERS,
    sentinels: &[Sentinel::new(GAME.id, |_| messages::query())],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage { service: GAME.id, message: |_| messages::shutdown() }],
    control: None,
    traits: &[],
    implementations: csv_table!(Implementation, "implementations.csv"),
};

static MESSAGES: GameMessages = GameMessages {
    service: GAME.id,
    master: &MASTER,
    heartbeat: messages::heartbeat,
    heartbeats: || vec![messages::heartbeat()],
    answer: |_| None,
    is_ack: |_| false,
    beginnings: Vec::new,
};

static ANSWERS: Precondition = Precondition {
    id: "made-up/answers",
    otherwise: "the target does not answer find",
    needs: &[],
    check: |ctx| no_challenge::is_answered(ctx, &MESSAGES),
};

static CASES: &[Case] = &[
    Case {
        id: "made-up/beat/registers",
        title: "a server sends beat; a client sends find",
        run: |ctx| no_challenge::registers(ctx, &MESSAGES),
        ..CASE
    },
    Case {
        id: "made-up/stop/gone",
        title: "a listed server sends stop; a client sends find",
        run: |ctx| no_challenge::shutdown_removes(ctx, &MESSAGES),
        ..CASE
    },
    Case {
        id: "made-up/list/whole-records",
        title: "servers send beat one after the other, and a client sends find after each",
        run: |ctx| no_challenge::whole_records(ctx, &MESSAGES),
        ..CASE
    },
];
