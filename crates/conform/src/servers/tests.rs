//! Simulated servers are judged in memory, with virtual time: without a defect they pass, and each
//! defect makes the cases fail that are recorded for it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::{SERVERS, TestedServer, keep_within_limits, server_profiles, server_suites};
use crate::{Assumed, CaseSelection, Judged, Level, RunPlan, TargetEnv, fits, requirements, run};
use report::CaseVerdict;
use simulate::{
    MemoryNetwork, Network, SERVER_DEFECTS, ServerDefect, ServerDefects, SimulatedServers,
};
use std::time::Duration;

/// Golden data: a line `DEFECT / PROFILE` for each run, and below it what is judged otherwise than
/// without the defect.
const GOLDEN: &str = "src/servers/defects.txt";
/// Cases that no defect makes fail, and why.
const NO_DEFECT: &str = include_str!("no_defect.csv");

/// How long a run may take in which all cases pass.
const LONGEST: Duration = Duration::from_secs(10);

/// A server in memory that has this defect.
fn env(server: &TestedServer, defect: Option<ServerDefect>) -> TargetEnv {
    let defects: ServerDefects = defect.into_iter().collect();
    let service = server.service();
    let target = SimulatedServers(vec![server.simulated(service.port, defects)]);
    let addresses: Vec<_> = target.addresses().map(|address| (service, address)).collect();
    let network = Network::Memory(MemoryNetwork::new(target));
    let name = "the simulated server";
    let mut env =
        TargetEnv::named_on_network(name, network, addresses, Assumed::default()).unwrap();
    keep_within_limits(&mut env);
    env.timeout = Duration::from_secs(2);
    env
}

/// All cases of a kind, judged with a server that has this defect; SHOULD as MUST.
fn judged(server: &TestedServer, defect: Option<ServerDefect>) -> Vec<Judged> {
    let env = env(server, defect);
    let suites = server_suites();
    let profile = server.suite.profiles.first();
    let cases = CaseSelection::new(suites, profile, &[]).unwrap().cases;
    let plan = RunPlan { cases, strict: true, ..RunPlan::default() };
    run(&plan, &env, &|_| {}).judged
}

/// Whether a case went as it should, at once.
fn is_good(judged: &Judged) -> bool {
    matches!(judged.verdict, CaseVerdict::Pass | CaseVerdict::Info) && judged.first_try.is_none()
}

fn profile(server: &TestedServer) -> &'static str {
    server.suite.profiles.first().map_or("", |profile| profile.name)
}

#[test]
fn simulated_servers_pass() {
    let mut bad = String::new();
    for server in SERVERS {
        let judged = judged(server, None);
        assert!(judged.len() > 12, "{}", profile(server));
        // As long as on loopback: what takes time is to ask no more than servers answer.
        let took: Duration = judged.iter().map(|judged| judged.took).sum();
        assert!(took < LONGEST, "{}: {took:?}", profile(server));
        for one in judged.iter().filter(|one| !is_good(one)) {
            writeln!(bad, "{:?} {:?}: {}", one.verdict, one.case, one.text).unwrap();
        }
    }
    assert!(bad.is_empty(), "{bad}");
}

/// An earlier run ends with a flood, which uses all answers that a server gives at once.
#[test]
fn a_run_begins_as_if_all_answers_were_used() {
    for server in SERVERS {
        let env = env(server, None);
        let (begun, from) = (env.network.now(), [127, 0, 0, 2].into());
        env.wait_for_answer(server.kind.service, from);
        let waited = env.network.now().duration_since(begun);
        assert!(waited >= server.kind.limits.of_all.refill, "{}: {waited:?}", profile(server));
    }
}

/// What each defect makes fail, by run; `UPDATE=1` writes the file.
#[test]
fn what_every_defect_of_a_server_makes_fail_is_known() {
    let mut text = String::new();
    for (defect, name, _) in SERVER_DEFECTS {
        let mut is_found = false;
        for server in SERVERS {
            let judged = judged(server, Some(*defect));
            let failed: Vec<_> = judged
                .iter()
                .filter(|one| one.verdict == CaseVerdict::Fail || one.unstable)
                .collect();
            if failed.is_empty() {
                let others = judged.iter().filter(|one| !is_good(one));
                let others: Vec<_> = others
                    .map(|one| format!("{:?} {:?}: {}", one.verdict, one.case, one.text))
                    .collect();
                assert_eq!(others, [""; 0], "{name} / {}", profile(server));
                continue;
            }
            is_found = true;
            writeln!(text, "{name} / {}", profile(server)).unwrap();
            let mut lines = BTreeSet::new();
            let mut blocked = 0;
            for one in judged.iter().filter(|one| !is_good(one)) {
                match one.blocked_by {
                    Some(_) => blocked += 1,
                    None => _ = lines.insert(format!("  {:?} {}", one.verdict, one.case.id)),
                }
            }
            if blocked > 0 {
                lines.insert(format!("  Blocked: {blocked}"));
            }
            for line in &lines {
                writeln!(text, "{line}").unwrap();
            }
        }
        assert!(is_found, "no case of any kind fails for {name}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert!(golden == text, "UPDATE=1 writes this to {GOLDEN}:\n{text}");
}

#[test]
fn every_case_for_servers_has_a_defect_or_a_reason() {
    let golden = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN));
    let golden = golden.unwrap();
    let fails: BTreeSet<_> =
        golden.lines().filter_map(|line| line.trim().strip_prefix("Fail ")).collect();
    let cases = server_suites().iter().flat_map(|suite| suite.cases());
    let judged = cases.filter(|case| case.level != Level::Info);
    let without: Vec<_> = judged.map(|case| case.id).filter(|id| !fails.contains(id)).collect();
    let mut reader = csv::Reader::from_reader(NO_DEFECT.as_bytes());
    let rows: Vec<(String, String)> = reader.deserialize().map(Result::unwrap).collect();
    let is_known = |id: &&&str| !rows.iter().any(|(pattern, _)| fits(pattern, id));
    let unknown: Vec<_> = without.iter().filter(is_known).collect();
    assert_eq!(unknown, [&""; 0], "neither defect nor reason");
    for (pattern, why) in &rows {
        assert!(without.iter().any(|id| fits(pattern, id)), "{pattern}: no case without a defect");
        assert!(why.len() > 20, "{pattern}: {why}");
    }
}

#[test]
fn cases_for_servers_have_requirements_and_profiles() {
    let mut ids = BTreeSet::new();
    for suite in server_suites() {
        suite.requirements.parse_rows().unwrap();
        let declared: Vec<_> = suite.cases.iter().copied().flatten().map(|case| case.id).collect();
        let with: Vec<_> = suite.cases().map(|case| case.id).collect();
        assert_eq!(with, declared, "a case without a requirement");
        for case in suite.cases() {
            assert!(ids.insert(case.id), "{} stands here twice", case.id);
            assert!(server_profiles().any(|profile| profile.includes(case.id)), "{}", case.id);
            let says = |text: &str| text.len() > 10 && !text.ends_with('.') && !text.contains("  ");
            assert!(says(case.title) && says(&case.requirement.text), "{}", case.id);
        }
    }
    for requirement in requirements(server_suites()) {
        assert!(ids.contains(requirement.id.as_str()), "{}: no case tests it", requirement.id);
        assert!(!requirement.source.is_empty(), "{}", requirement.id);
    }
    // A case of a master and one of a server have no common id.
    let masters = crate::families::suites().iter().flat_map(|suite| suite.cases());
    assert!(masters.into_iter().all(|case| !ids.contains(case.id)));
}

/// A document that a requirement cites has a section that is found.
#[test]
fn citations_of_servers_lead_somewhere() {
    for case in server_suites().iter().flat_map(|suite| suite.cases()) {
        let cited = case.requirement.source.split(", ");
        let of_document = |part: &&str| part.starts_with('0');
        let found = crate::sources::sources(case.id, &case.requirement.source);
        for part in cited.filter(of_document) {
            assert!(found.iter().any(|source| source.cited == part), "{}: {part}", case.id);
        }
    }
}
