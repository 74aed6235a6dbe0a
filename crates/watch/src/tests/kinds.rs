//! Watching every kind of master, over UDP and over TCP.

use std::collections::BTreeSet;
use std::net::UdpSocket;

use super::*;
use crate::page::UNWATCHED;
use masters::{Handler, Service};
use query::ListFailure;
use random::SeededRandom;
use simulate::families::{HeartbeatMessages, RegistrationMessages, StreamTurn};

/// The services with which the reference master is one of this kind: for its lists, and for its
/// servers if they have another port.
pub(super) fn services_of(kind: &MasterMessages) -> Vec<&'static Service> {
    let is_connected = matches!(kind.list, ListMessages::Connection(_));
    let is_stream = |service: &Service| matches!(service.handler, Handler::Stream(_));
    let has_name = |service: &Service, name: Option<&str>| name == Some(service.name);
    let names = [Some(kind.profile), kind.variant_of];
    let of_carrier = || services().filter(|service| is_stream(service) == is_connected);
    let by_name = |name| of_carrier().find(|service| has_name(service, name));
    let list = by_name(names[0]);
    let list = list.or_else(|| of_carrier().find(|service| service.port == kind.port));
    let list = list.or_else(|| by_name(names[1])).unwrap();
    let RegistrationMessages::Heartbeats(HeartbeatMessages { port: Some(port), .. }) =
        kind.registration
    else {
        return vec![list];
    };
    let datagrams = services().filter(|service| !is_stream(service) && service.port == port);
    let servers: Vec<_> =
        datagrams.filter(|service| names.iter().any(|name| has_name(service, *name))).collect();
    assert_eq!(servers.len(), 1, "{}", kind.profile);
    vec![list, servers[0]]
}

/// Where a service of a master is.
pub(super) fn addresses(running: &RunningMaster, service: &Service) -> SocketAddr {
    let all = running.addresses();
    all.iter().find(|one| one.service.name == service.name).unwrap().address
}

/// The port for servers of such a master, if it is another than that of lists.
pub(super) fn heartbeat_port(kind: &MasterMessages, running: &RunningMaster) -> Option<u16> {
    services_of(kind).get(1).map(|service| addresses(running, service).port())
}

#[test]
fn every_profile_and_service_is_watched_or_left_out_with_a_reason() {
    let mut left: Vec<_> = UNWATCHED.iter().map(|(name, _)| *name).collect();
    let watched_services: BTreeSet<_> =
        master_kinds().flat_map(services_of).map(|service| service.name).collect();
    for service in services() {
        let is_left = left.contains(&service.name);
        left.retain(|name| *name != service.name);
        assert!(watched_services.contains(service.name) != is_left, "{}", service.name);
    }
    for profile in profiles() {
        let is_watched = master_kinds().any(|kind| kind.profile == profile.name);
        let is_left = left.contains(&profile.name);
        left.retain(|name| *name != profile.name);
        assert!(is_watched != is_left, "{}", profile.name);
    }
    assert!(left.is_empty(), "neither a profile nor a service: {left:?}");
    assert!(UNWATCHED.iter().all(|(_, why)| !why.is_empty()));
}

#[test]
fn a_probe_registers_with_every_kind_of_master_and_leaves() {
    let mut count = 0;
    for kind in master_kinds() {
        let (running, at) = master(kind, &[]);
        let plan =
            || WatchPlan { heartbeat_port: heartbeat_port(kind, &running), ..plan(&[(kind, at)]) };
        let mut watcher = watcher(plan());
        // Elite Force's master asks twice, and others list a server a moment later.
        let mut reports = (1..=20).map(|round| watcher.round(round * MINUTE).unwrap());
        let listed =
            |report: &RoundReport| report.masters[0].probe.as_ref().unwrap().listed == Some(true);
        let report = reports.find(listed);
        drop(reports);
        let report = report.unwrap_or_else(|| panic!("{} does not list the probe", kind.profile));
        let report = &report.masters[0];
        assert!(report.answered && report.servers == Some(1), "{}: {report:?}", kind.profile);
        let (answered, leaves) = match kind.registration {
            RegistrationMessages::Heartbeats(messages) => {
                (messages.are_answered.then_some(true), messages.shutdown.is_some())
            }
            RegistrationMessages::Connection { .. } => (Some(true), true),
        };
        assert_eq!(report.probe.as_ref().unwrap().answered, answered, "{}", kind.profile);
        watcher.leave();
        let mut later = WatchPlan { probe: ProbeUse::Never, ..plan() };
        later.limits.timeout = Duration::from_secs(5);
        let later = super::Watcher::new(later, WatchHistory::in_memory(DAY).unwrap(), 0);
        let mut later = later.unwrap();
        // The master reads the end of a connection when it gets to it.
        let mut lists = (1..=50).map(|round| later.round(round * MINUTE).unwrap());
        let is_gone = |report: RoundReport| report.masters[0].servers.unwrap_or_default() == 0;
        assert_eq!(lists.any(is_gone), leaves, "{}", kind.profile);
        count += 1;
    }
    assert_eq!(count, master_kinds().count());
}

/// Servers register with a master until it lists this many, by watching it with as many probes.
fn probes(kind: &'static MasterMessages, at: SocketAddr, count: usize) -> Vec<Watcher> {
    let one = |_| {
        let mut one = watcher(plan(&[(kind, at)]));
        one.round(MINUTE).unwrap();
        one
    };
    (0..count).map(one).collect()
}

#[test]
fn a_list_in_several_datagrams_is_read_to_its_end_in_each_form() {
    for name in ["quake3", "dpmaster", "jedi-academy", "unvanquished", "half-life"] {
        let kind = kind_named(name);
        let (_running, at) = master(kind, &[]);
        let _listed = probes(kind, at, 240);
        let mut reading = plan(&[(kind, at)]);
        reading.probe = ProbeUse::Never;
        let report = watcher(reading).round(MINUTE).unwrap();
        assert_eq!(report.masters[0].servers, Some(240), "{name}");
    }
}

#[test]
fn a_probe_connects_again_to_a_master_that_was_away() {
    let kind = kind_named("ut2004");
    // At an address of its own: while it is away, no other test gets its port.
    let address = Ipv4Addr::new(127, 1, 1, 2);
    let (running, at) = started_master(kind, &[], address, None);
    let mut watcher = watcher(plan(&[(kind, at)]));
    let mut round = |minute: i64| {
        let report = watcher.round(minute * MINUTE).unwrap();
        let master = &report.masters[0];
        let probe = master.probe.clone().unwrap();
        (master.failure, probe.answered, probe.listed)
    };
    assert_eq!(round(1), (None, Some(true), Some(true)));
    // The connection stays, and is used again.
    assert_eq!(round(2), (None, Some(true), Some(true)));
    drop(running);
    assert_eq!(round(3), (Some(ListFailure::NoConnection), Some(false), None));
    let mut config = Config::new(services()).anywhere();
    config.services = services_of(kind).into_iter().map(|service| (service, at.port())).collect();
    config.listen = vec![address.into()];
    config.listen_if_there.clear();
    let _again = RunningMaster::start(config).unwrap();
    assert_eq!(round(4), (None, Some(true), Some(true)));
}

#[test]
fn servers_are_asked_at_their_query_port() {
    for name in ["quake3", "gamespy", "ut2004"] {
        let kind = kind_named(name);
        let (_running, at) = master(kind, &[]);
        // A server that answers anything, at the port at which servers of the kind are asked.
        let (listed, asked) = loop {
            let listed = UdpSocket::bind("127.0.0.1:0").unwrap();
            let port = listed.local_addr().unwrap().port();
            let above = port.checked_add(kind.servers.port_above);
            match above.filter(|above| *above != port) {
                None => break (port, listed),
                Some(above) => {
                    if let Ok(asked) = UdpSocket::bind(("127.0.0.1", above)) {
                        break (port, asked);
                    }
                }
            }
        };
        asked.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let answering = std::thread::spawn(move || {
            let (_, from) = asked.recv_from(&mut [0; 2000]).unwrap();
            asked.send_to(b"here", from).unwrap();
        });
        let servers = vec![target(SocketAddr::from(([127, 0, 0, 1], listed)))];
        let mut plan = WatchPlan { servers, probe: ProbeUse::Never, ..plan(&[(kind, at)]) };
        plan.limits.timeout = Duration::from_secs(10);
        let report = watcher(plan).round(MINUTE).unwrap();
        answering.join().unwrap();
        assert!(report.servers[0].answered, "{name}: {:?}", report.servers);
        assert_eq!(report.servers[0].address.port(), listed);
        assert_eq!(report.servers[0].missing_at.len(), 1, "{name}");
    }
}

#[test]
fn defects_of_masters_over_tcp_are_seen() {
    let no_end = "the list did not come to its end";
    let missing = "the probe is not listed";
    for (name, defect, expected) in [
        ("gamespy", Defect::NoFinal, no_end),
        ("qr2", Defect::NoFinal, no_end),
        ("ut2004", Defect::NeverAcknowledges, "it accepts a connection and sends nothing"),
        ("gamespy", Defect::ListsNobody, missing),
        ("qr2", Defect::ListsNobody, missing),
        ("ut2004", Defect::ListsNobody, missing),
        ("gamespy", Defect::SwappedPort, missing),
        ("qr2", Defect::WrongInstance, missing),
        ("ut2004", Defect::SwappedPort, missing),
    ] {
        let kind = kind_named(name);
        let run = || {
            let (running, at) = master(kind, &[defect]);
            let heartbeat_port = heartbeat_port(kind, &running);
            let mut watcher = watcher(WatchPlan { heartbeat_port, ..plan(&[(kind, at)]) });
            (1..=3).map(|round| watcher.round(round * MINUTE).unwrap()).last().unwrap()
        };
        // A probe's port may be the same when it is swapped.
        let is_same = |report: &RoundReport| {
            let probe = report.masters[0].probe.as_ref();
            probe.is_some_and(|probe| probe.address.port().swap_bytes() == probe.address.port())
        };
        let mut report = run();
        while is_same(&report) {
            report = run();
        }
        let line = report.lines().remove(0);
        assert!(line.contains(expected), "{name} {defect:?}: {line}");
        let is_unlisted = alerts(&report) == [("server-unlisted", "probe")];
        assert_eq!(is_unlisted, expected == missing, "{name} {defect:?}: {:?}", alerts(&report));
    }
}

#[test]
fn no_bytes_of_a_master_end_a_client() {
    let mut random = SeededRandom::new(0x5eed_1157);
    let beginnings: [&[u8]; 6] = [
        b"",
        br"\basic\\secure\wookie",
        br"\ip\192.0.2.7:7778",
        b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c",
        b"\x08\0\0\0\x07123456\0",
        b"\x05\0\0\0\xff\xff\xff\xff\x01",
    ];
    let selection = ListSelection::default();
    for kind in master_kinds() {
        let ListMessages::Connection(next) = kind.list else { continue };
        for round in 0..200 {
            let mut received = beginnings[round % beginnings.len()].to_vec();
            received.extend((0..round).map(|_| random.byte()));
            for (sent, is_over) in (0..4).flat_map(|sent| [(sent, false), (sent, true)]) {
                let turn = StreamTurn { sent, received: &received, is_over };
                _ = next(&selection, turn);
                if let RegistrationMessages::Connection { log_in, .. } = kind.registration {
                    _ = log_in(&selection, turn);
                }
            }
        }
    }
}
