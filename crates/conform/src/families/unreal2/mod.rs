//! The master of Unreal Tournament 2004 over TCP: documents 009 (OpenSpy) and 010 (qstat, whose
//! client asked the original one).

mod filters;
mod lists;
mod login;
mod preconditions;
mod robust;
pub(super) mod roles;
mod servers;
mod traits;

use crate::{CsvTable, Implementation, Profile, Requirement, TestSuite};
use protocols::unreal2::UT2004;

/// The service for servers and for lists.
const MASTER: &str = UT2004.id;

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The family of Unreal's second engine.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[login::CASES, servers::CASES, lists::CASES, filters::CASES, robust::CASES],
    profiles: &[Profile {
        name: UT2004.id,
        title: "the master of Unreal Tournament 2004, as OpenSpy's",
        // OpenSpy ends a connection that is silent for so long.
        assumes: "server-timeout=2m",
        cases: &["ut2004/*"],
        except: &[],
        demands: &[],
    }],
    requirements: &REQUIREMENTS,
    answers: &preconditions::ANSWERS,
    // All requests need a connection of their own.
    sentinels: &[],
    listed_for: "server-timeout",
    // Servers leave when their connections end.
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: &IMPLEMENTATIONS,
};
