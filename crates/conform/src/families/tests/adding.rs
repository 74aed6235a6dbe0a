//! What adding a protocol with all roles takes: one folder, and three lines.

use super::made_up::{self, protocol::decode_made_up};
use crate::{Assumed, CaseSelection, CsvTable, Requirement, RunPlan, TargetEnv, TestSuite, run};
use codec::Scratch;
use masters::{Config, Defect, RunningMaster, Service};
use protocol::{Direction, Protocol, Registry, Role};
use report::CaseVerdict;
use simulate::Network;
use simulate::families::FamilyMessages;

static PROTOCOLS: &[&Protocol] = &[&made_up::protocol::PROTOCOL];
static FAMILIES: &[&FamilyMessages] = &[&made_up::FAMILY];
static MASTERS: &[&[Service]] = &[made_up::SERVICES];
static SUITES: &[&TestSuite] = &[&made_up::SUITE];

/// The verdicts of its cases about its own master, with a defect or without, in their order.
fn verdicts(defect: Option<Defect>) -> Vec<CaseVerdict> {
    let defects = defect.into_iter().collect();
    let config = Config { defects, ..Config::new(MASTERS.iter().copied().flatten()).anywhere() };
    let master = RunningMaster::start(config).unwrap();
    let env =
        TargetEnv::on_network(Network::System, master.addresses(), Assumed::default()).unwrap();
    let cases = CaseSelection::new(SUITES, None, &[]).unwrap().cases;
    let judged = run(&RunPlan { cases, ..RunPlan::default() }, &env, &|_| {}).judged;
    judged.iter().map(|judged| judged.verdict).collect()
}

#[test]
fn the_messages_of_an_added_protocol_are_recognised() {
    let registry = Registry::new(PROTOCOLS);
    for entry in registry.entries() {
        assert_eq!(registry.recognise(entry.spec.example), Some(*entry));
        let (mut scratch, mut written) = (Scratch::default(), Vec::new());
        decode_made_up(entry.spec.example, &mut scratch).unwrap().encode(&mut written).unwrap();
        assert_eq!(written, entry.spec.example, "{entry:?}");
    }
    let find = registry.recognise(b"find").unwrap();
    assert!(find.is_request());
    assert!(find.spec.allows(Direction { from: Some(Role::Client), to: Some(Role::Master) }));
}

#[test]
fn the_cases_of_an_added_family_judge_its_master() {
    use CaseVerdict::{Blocked, Fail, Pass, Warn};
    assert_eq!(verdicts(None), [Pass, Pass, Pass]);
    assert_eq!(verdicts(Some(Defect::IgnoresShutdown)), [Pass, Fail, Pass]);
    assert_eq!(verdicts(Some(Defect::ListsNobody)), [Fail, Blocked, Blocked]);
    assert_eq!(verdicts(Some(Defect::WideRecords)), [Blocked, Blocked, Warn]);
}

#[test]
fn a_server_of_an_added_family_answers_its_master() {
    let server = FAMILIES[0].answers.unwrap();
    assert_eq!(server.0.id, "made-up");
}

#[test]
fn a_table_that_cannot_be_read_is_an_error() {
    for (csv, is_fine) in [
        ("id,level,source,text\na/b/c,MUST,001 1,text\n", true),
        ("id,level,source,text\na/b/c,MUST,001 1\n", false),
        ("id,level,source\na/b/c,MUST,001 1\n", false),
    ] {
        assert_eq!(CsvTable::<Requirement>::new(csv).parse_rows().is_ok(), is_fine, "{csv}");
    }
}
