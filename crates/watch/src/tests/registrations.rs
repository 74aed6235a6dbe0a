//! What a round says of its probe, and what the analyzer reads of the probe's registration in the
//! traffic of the same rounds, as the master records it.

use super::*;
use analysis::{AnalysisNeeds, Analyzer, Pipeline, Registration, StepName, StepState};
use capture::Input;

/// What the last of some rounds says of the probe, and the registrations in the traffic of all.
fn both(
    kind: &'static WatchMessages,
    defects: &[Defect],
) -> (ProbeReport, Vec<Registration>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let recorder = MasterRecorder::new(file.reopen().unwrap()).unwrap();
    let (running, at) = recorded_master(kind, defects, Some(recorder));
    let plan =
        WatchPlan { heartbeat_port: heartbeat_port(kind, &running), ..plan(&[(kind, at)]) };
    let mut watcher = watcher(plan);
    let reports: Vec<_> = (1..=3).map(|round| watcher.round(round * MINUTE).unwrap()).collect();
    let probe = reports.last().unwrap().masters[0].probe.clone().unwrap();
    drop(running);
    let input = Input::File(file.path().into());
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    let all = analyzer.registrations().of_servers(|server| server.address == probe.address);
    (probe, all)
}

#[test]
fn rounds_say_what_the_analyzer_reads_in_their_traffic() {
    for kind in watched() {
        for defects in [&[][..], &[Defect::ListsNobody], &[Defect::NeverAcknowledges]] {
            let (probe, all) = both(kind, defects);
            eprintln!("{} {defects:?}: answered {:?} listed {:?}", kind.profile, probe.answered, probe.listed);
            for of in all {
                let steps: Vec<_> = of.steps.iter().map(|s| format!("{} {} {}", s.name, s.state, s.text)).collect();
                eprintln!("    {} {}: {}", of.server, of.master, steps.join(" | "));
            }
        }
    }
    panic!();
}
