//! Watching the reference master, in the protocol of each kind.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::*;
use crate::families::{ListSelection, WatchMessages, services, watched};
use crate::master::{Config, Defect, ListForm, RunningMaster, Settings};
use crate::simulate::{Consent, Target};

const MINUTE: i64 = 60_000_000_000;
const DAY: Duration = Duration::from_hours(24);

/// A master of this kind on loopback.
fn master(kind: &WatchMessages, defects: &[Defect]) -> (RunningMaster, SocketAddr) {
    let mut settings = Settings::default();
    for defect in defects {
        settings.defects = settings.defects.with(*defect);
    }
    if kind.profile == "quake3" {
        settings.list_form = ListForm::Id;
    }
    let mut config = Config { settings, ..Config::new(services()).anywhere() };
    // Kinds that are variants share a port with the kind whose service they use.
    let service = services().find(|service| service.name == kind.profile);
    let service = service.or_else(|| services().find(|service| service.port == kind.port)).unwrap();
    config.services = vec![(service, 0)];
    config.listen = vec![Ipv4Addr::LOCALHOST.into()];
    config.listen_if_there.clear();
    let running = RunningMaster::start(config).unwrap();
    let address = running.addresses()[0].address;
    (running, address)
}

fn kind(name: &str) -> &'static WatchMessages {
    watched().find(|kind| kind.profile == name).unwrap()
}

fn target(at: SocketAddr) -> Target {
    Target::new(&at.to_string(), at, Consent::default()).unwrap()
}

fn plan(masters: &[(&'static WatchMessages, SocketAddr)]) -> WatchPlan {
    let masters = masters.iter().map(|(kind, at)| (target(*at), *kind, KindSource::Profile));
    let limits = RoundLimits {
        timeout: Duration::from_millis(500),
        entries: 0,
        consent: Consent::default(),
    };
    WatchPlan {
        masters: masters.collect(),
        servers: Vec::new(),
        selection: ListSelection::default(),
        probe: ProbeUse::Auto,
        limits,
    }
}

fn watcher(plan: WatchPlan) -> Watcher {
    Watcher::new(plan, WatchHistory::in_memory(DAY).unwrap(), 0).unwrap()
}

#[test]
fn a_probe_registers_with_every_kind_of_master() {
    let mut count = 0;
    for kind in watched() {
        let (_running, at) = master(kind, &[]);
        let mut watcher = watcher(plan(&[(kind, at)]));
        // Elite Force's master asks twice, and others list a server a moment later.
        let report = (1..=20).map(|round| watcher.round(round * MINUTE).unwrap());
        let listed =
            |report: &RoundReport| report.masters[0].probe.as_ref().unwrap().listed == Some(true);
        let report = report.into_iter().find(listed);
        let report = report.unwrap_or_else(|| panic!("{} does not list the probe", kind.profile));
        let report = &report.masters[0];
        assert!(report.answered && report.servers == Some(1), "{}: {report:?}", kind.profile);
        let answered = kind.answers_heartbeats.then_some(true);
        assert_eq!(report.probe.as_ref().unwrap().answered, answered, "{}", kind.profile);
        watcher.leave();
        count += 1;
    }
    assert!(count > 10, "{count}");
}
