//! Every view says the same of every registration in every capture of the repository: `explain`, the
//! servers screen, the tables `registrations` and `servers`, the findings of `check`, and the page of
//! `report`, whose table is the exported one. What `watch` says of its probe is compared with the same
//! verdict in its crate (`watch::tests::registrations`).

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;

use fragshark::analysis::{
    AnalysisNeeds, Analyzer, FailureCause, Finding, Pipeline, Registration, Session, StepState,
};
use fragshark::capture::Input;
use fragshark::text::Secrets;

use crate::golden;

type Ends = (SocketAddr, SocketAddr);

/// What a view says of a registration: each step, its state and its words; and why one failed.
type Steps = (Vec<[String; 3]>, Option<FailureCause>);

fn steps(of: &Registration) -> (Ends, Steps) {
    let words = |step: &analysis::StepReport| {
        [step.name.to_string(), step.state.to_string(), step.text.clone()]
    };
    let cause = of.failed().and_then(|step| step.cause);
    ((of.server, of.master), (of.steps.iter().map(words).collect(), cause))
}

/// As `explain` gives them, and the findings of `check`.
fn explained(capture: &Path) -> (BTreeMap<Ends, Registration>, Vec<Finding>) {
    let mut pipeline = Pipeline::open(vec![Input::File(capture.into())], Vec::new()).unwrap();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    let all = analyzer.registrations().of_servers(|_| true);
    let all = all.into_iter().map(|of| ((of.server, of.master), of)).collect();
    (all, analyzer.findings().into_iter().cloned().collect())
}

/// As the servers screen gives them, and what its column `listed` says of each server.
fn shown(capture: &Path) -> (BTreeMap<Ends, Steps>, BTreeMap<SocketAddr, String>) {
    let (session, loader) = Session::open(&[Input::File(capture.into())], Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    let session = session.lock();
    let index = session.index().unwrap();
    let servers: Vec<_> = (0..index.servers()).filter_map(|at| index.server(at)).collect();
    let all = servers.iter().flat_map(|server| index.registrations_of(server));
    let all = all.map(|of| steps(&of)).collect();
    let listed = servers
        .iter()
        .map(|server| (server.address, index.registration_summary(server).listed_words()));
    (all, listed.collect())
}

/// The rows of both tables.
fn exported(capture: &Path) -> [Vec<Value>; 2] {
    let mut pipeline = Pipeline::open(vec![Input::File(capture.into())], Vec::new()).unwrap();
    let options = export::TableOptions {
        format: export::TableFormat::Ndjson,
        secrets: Secrets::Masked,
        live: false,
        redactor: None,
        scratch: None,
        selects: None,
        origin: None,
    };
    let mut out = [Vec::new(), Vec::new()];
    let [registrations, servers] = &mut out;
    let named = |name| export::Table::named(name).unwrap();
    let to: [(_, &mut (dyn std::io::Write + Send)); 2] =
        [(named("registrations"), registrations), (named("servers"), servers)];
    export::write_tables(&mut pipeline, options, to).unwrap();
    out.map(|rows| {
        let rows = String::from_utf8(rows).unwrap();
        rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    })
}

fn end(row: &Value, [address, port]: [&str; 2]) -> SocketAddr {
    let address = row[address].as_str().unwrap().parse().unwrap();
    SocketAddr::new(address, u16::try_from(row[port].as_u64().unwrap()).unwrap())
}

/// The rule whose finding `check` has for a cause; none where the message at fault is reported.
fn rule(cause: FailureCause) -> &'static [&'static str] {
    match cause {
        FailureCause::MasterUnreachable => &["master.unreachable"],
        FailureCause::HeartbeatUnanswered => &["heartbeat.unanswered", "master.unreachable"],
        FailureCause::Refused => &["registration.refused"],
        FailureCause::ValueChanged => &["registration.value-changed"],
        FailureCause::ServerUnreachable
        | FailureCause::ChallengeUnanswered
        | FailureCause::Misdirected => &["challenge.unanswered"],
        FailureCause::Unlisted => &["registration.unlisted"],
        FailureCause::PortSwapped => &["list.port-swapped"],
        FailureCause::ChallengeWrong => {
            &["challenge.changed", "challenge.missing", "validate.wrong", "list.unproven"]
        }
        FailureCause::ContentsIncomplete => {
            &["info.key-missing", "info.no-places", "info.overfull"]
        }
    }
}

/// Findings about registrations, which only a failed step, or a master that stopped to answer, has.
const OF_STEPS: [&str; 4] = [
    "registration.refused",
    "registration.value-changed",
    "registration.unlisted",
    "challenge.unanswered",
];

#[test]
fn every_view_says_the_same_of_every_registration() {
    let (mut registrations, mut failures) = (0, 0);
    for capture in golden::captures() {
        let name = capture.display();
        let (explained, findings) = explained(&capture);
        let (shown, listed) = shown(&capture);
        let expected: BTreeMap<_, _> = explained.values().map(steps).collect();
        assert_eq!(shown, expected, "{name}: the screen and explain");

        let [rows, servers] = exported(&capture);
        for row in &rows {
            let ends = (end(row, ["server", "server_port"]), end(row, ["master", "master_port"]));
            let of = explained.get(&ends);
            let failed = of.and_then(Registration::failed);
            let cause = failed.and_then(|step| step.cause).map_or("", |cause| cause.name());
            assert_eq!(row["cause"], cause, "{name}: {ends:?}");
            assert_eq!(row["failed_step"], failed.map_or("", |step| step.name.name()), "{name}");
            let words = of.into_iter().flat_map(Registration::reached);
            let words: Vec<_> = words.map(|s| format!("{} {}", s.name, s.state)).collect();
            assert_eq!(row["steps"], Value::from(words), "{name}: {ends:?}");
        }
        assert!(rows.len() >= explained.len(), "{name}: rows are missing");
        for row in &servers {
            let server = end(row, ["server", "server_port"]);
            assert_eq!(row["listed_where"], listed[&server].as_str(), "{name}: {server}");
        }

        for of in explained.values() {
            registrations += 1;
            let Some(step) = of.failed() else { continue };
            failures += 1;
            assert_eq!(step.state, StepState::Failed);
            let rules = rule(step.cause.unwrap());
            let is_it = |finding: &&Finding| rules.contains(&finding.rule.id);
            assert!(findings.iter().any(|f| is_it(&f)), "{name}: {step:?} has no finding");
        }
        for finding in findings.iter().filter(|finding| OF_STEPS.contains(&finding.rule.id)) {
            let is_it = |of: &&Registration| {
                of.server == finding.subject
                    && of
                        .failed()
                        .and_then(|step| step.cause)
                        .is_some_and(|cause| rule(cause).contains(&finding.rule.id))
            };
            assert!(explained.values().any(|of| is_it(&of)), "{name}: {finding:?} has no step");
        }
    }
    assert!(registrations > 150 && failures > 25, "{registrations}, {failures}");
}
