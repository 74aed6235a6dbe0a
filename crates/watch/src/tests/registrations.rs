//! What a round says of its probe, and what the analyzer reads of the probe's registration in the
//! traffic of the same rounds, as the master records it: the same.

use super::*;
use analysis::{
    AnalysisNeeds, Analyzer, FailureCause, Pipeline, Registration, StepName, StepReport, StepState,
};
use capture::Input;

/// What the last of some rounds says of the probe, and its registration in the traffic of all; the
/// analyzer knows none over TCP.
fn both(kind: &'static MasterMessages, defects: &[Defect]) -> (ProbeReport, Option<Registration>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let recorder = MasterRecorder::new(file.reopen().unwrap()).unwrap();
    let (running, at) = recorded_master(kind, defects, recorder);
    let plan = WatchPlan { heartbeat_port: heartbeat_port(kind, &running), ..plan(&[(kind, at)]) };
    let mut watcher = watcher(plan);
    let reports: Vec<_> = (1..=3).map(|round| watcher.round(round * MINUTE).unwrap()).collect();
    let probe = reports.last().unwrap().masters[0].probe.clone().unwrap();
    // The file is whole when the master has ended.
    drop(running);
    let input = Input::File(file.path().into());
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    let mut all = analyzer.registrations().of_servers(|server| server.address == probe.address);
    assert!(all.len() <= 1, "{}: {all:?}", kind.profile);
    (probe, all.pop())
}

#[test]
fn rounds_say_what_the_analyzer_reads_in_their_traffic() {
    let (mut listed, mut unlisted) = (0, 0);
    for kind in master_kinds() {
        for defects in [&[][..], &[Defect::ListsNobody], &[Defect::NeverAcknowledges]] {
            let (probe, registration) = both(kind, defects);
            let what = format!("{} {defects:?}: {probe:?} {registration:#?}", kind.profile);
            let Some(registration) = registration else {
                assert!(matches!(kind.list, ListMessages::Connection(_)), "{what}");
                continue;
            };
            let step = |name| registration.steps.iter().find(|step| step.name == name).unwrap();
            let StepReport { state, cause, text, .. } = step(StepName::Listing);
            match probe.listed {
                Some(true) => {
                    assert_eq!(*state, StepState::Ok, "{what}");
                    listed += 1;
                }
                Some(false) if *state == StepState::Failed => {
                    assert_eq!(*cause, Some(FailureCause::Unlisted), "{what}");
                    unlisted += 1;
                }
                // On a port of its own the game of a server is a guess, and so is its filter.
                Some(false) => assert!(text.contains(" a guess"), "{what}"),
                None => assert_eq!(*state, StepState::Unseen, "{what}"),
            }
            if probe.answered == Some(true) {
                assert_eq!(step(StepName::Challenge).state, StepState::Ok, "{what}");
            }
        }
    }
    assert!(listed > 35 && unlisted > 12, "{listed}, {unlisted}");
}
