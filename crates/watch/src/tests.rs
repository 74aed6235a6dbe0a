//! Watching the reference master, in the protocol of each kind.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::*;
use conform::{Assumed, families::profiles};
use kinds::{addresses, heartbeat_port, services_of};
use masters::families::services;
use masters::{Config, Defect, MasterRecorder, RunningMaster};
use simulate::families::{ListMessages, ListSelection, MasterMessages, master_kinds};
use simulate::{Consent, Target};

mod awaited;
mod connections;
mod kinds;
mod registrations;

const MINUTE: i64 = 60_000_000_000;
const DAY: Duration = Duration::from_hours(24);

/// A master of this kind on loopback, as its profile says that such masters are.
fn master(kind: &MasterMessages, defects: &[Defect]) -> (RunningMaster, SocketAddr) {
    started_master(kind, defects, Ipv4Addr::LOCALHOST, None)
}

/// The same, with its traffic recorded.
fn recorded_master(
    kind: &MasterMessages,
    defects: &[Defect],
    recorder: MasterRecorder,
) -> (RunningMaster, SocketAddr) {
    started_master(kind, defects, Ipv4Addr::LOCALHOST, Some(recorder))
}

fn started_master(
    kind: &MasterMessages,
    defects: &[Defect],
    address: Ipv4Addr,
    recorder: Option<MasterRecorder>,
) -> (RunningMaster, SocketAddr) {
    let profile = profiles().find(|profile| profile.name == kind.profile).unwrap();
    let settings = Assumed::parse(profile.assumes).unwrap().settings().clone();
    let defects = defects.iter().copied().collect();
    let mut config = Config { settings, defects, recorder, ..Config::new(services()).anywhere() };
    config.services = services_of(kind).into_iter().map(|service| (service, 0)).collect();
    config.listen = vec![address.into()];
    config.listen_if_there.clear();
    let running = RunningMaster::start(config).unwrap();
    let list = services_of(kind)[0];
    let address = addresses(&running, list);
    (running, address)
}

fn kind_named(name: &str) -> &'static MasterMessages {
    master_kinds().find(|kind| kind.profile == name).unwrap()
}

fn target(at: SocketAddr) -> Target {
    Target::new(&at.to_string(), at, Consent::default()).unwrap()
}

fn plan(masters: &[(&'static MasterMessages, SocketAddr)]) -> WatchPlan {
    let masters = masters.iter().map(|(kind, at)| PlannedMaster {
        name: at.to_string(),
        target: Some(target(*at)),
        kind: Some(*kind),
    });
    let limits = RoundLimits {
        timeout: Duration::from_millis(500),
        entries: 0,
        consent: Consent::default(),
    };
    WatchPlan {
        masters: masters.collect(),
        needs_all: true,
        servers: Vec::new(),
        selection: ListSelection::default(),
        probe: ProbeUse::Auto,
        heartbeat_port: None,
        limits,
    }
}

fn watcher(plan: WatchPlan) -> Watcher {
    Watcher::new(plan, WatchHistory::in_memory(DAY).unwrap(), 0).unwrap()
}

/// The alerts of a report: name, and whom it is about.
fn alerts(report: &RoundReport) -> Vec<(&'static str, &str)> {
    report.alerts.iter().map(|alert| (alert.key.name, alert.key.about.subject.as_str())).collect()
}

#[test]
fn a_master_with_a_defect_is_alerted() {
    let kind = kind_named("quake3");
    for (defects, expected) in [
        (&[][..], &[][..]),
        (&[Defect::ListsNobody], &[("server-unlisted", "probe")]),
        (&[Defect::NoEndMark], &[]),
    ] {
        let (_running, at) = master(kind, defects);
        let mut watcher = watcher(plan(&[(kind, at)]));
        let mut last = Vec::new();
        for round in 1..=4 {
            let report = watcher.round(round * MINUTE).unwrap();
            last = alerts(&report).into_iter().map(|(name, who)| (name, who.to_owned())).collect();
            assert!(round > 2 || last.is_empty(), "{defects:?}: {last:?} after {round}");
        }
        let last: Vec<_> = last.iter().map(|(name, who)| (*name, who.as_str())).collect();
        assert_eq!(last, expected, "{defects:?}");
    }
}

#[test]
fn a_master_that_is_down_is_alerted_and_its_list_stays() {
    let kind = kind_named("quake3");
    // At an address of its own: once it has ended, no other test gets its port.
    let (running, at) = started_master(kind, &[], Ipv4Addr::new(127, 1, 1, 1), None);
    let mut watcher = watcher(plan(&[(kind, at)]));
    let first = watcher.round(MINUTE).unwrap();
    assert_eq!((first.masters[0].servers, first.masters[0].came.len()), (Some(1), 0));
    assert!(metrics(&watcher, MINUTE, 60.0).contains("fragshark_master_servers{"));
    drop(running);
    for round in 2..=4 {
        let report = watcher.round(round * MINUTE).unwrap();
        let master = &report.masters[0];
        assert!(!master.answered && master.list.is_none() && master.went.is_empty());
        let expected = if round < 4 { vec![] } else { vec![("master-silent", "")] };
        assert_eq!(alerts(&report), expected, "{round}");
        // What this round did not measure is not said.
        let page = metrics(&watcher, round * MINUTE, 60.0);
        assert!(page.contains("fragshark_master_answered{"), "{page}");
        assert!(!page.contains("fragshark_master_servers"), "{page}");
        let counted = usize::from(round >= 4);
        assert_eq!(report.changes.len(), counted, "{round}");
    }
}

#[test]
fn lists_of_two_masters_that_differ_are_alerted() {
    let kind = kind_named("quake3");
    let [(_one, one), (_other, other)] = [master(kind, &[]), master(kind, &[])];
    // A probe of its own of each watcher: that of this one is in one list alone.
    let mut third = watcher(plan(&[(kind, one)]));
    third.round(MINUTE).unwrap();
    let mut both = watcher(plan(&[(kind, one), (kind, other)]));
    let mut names = Vec::new();
    for round in 2..=4 {
        let report = both.round(round * MINUTE).unwrap();
        assert!((report.differences[0].ratio - 1.0).abs() < 1e-9);
        names = alerts(&report).into_iter().map(|(name, who)| (name, who.to_owned())).collect();
    }
    assert_eq!(names, [("lists-differ", other.to_string())]);
}

#[test]
fn servers_of_a_list_are_asked_in_turn_if_the_user_wants_that() {
    let kind = kind_named("quake3");
    let (_running, at) = master(kind, &[]);
    // Three servers that do not answer clients between their rounds.
    let silent: Vec<_> = (0..3)
        .map(|_| {
            let mut one = watcher(plan(&[(kind, at)]));
            one.round(MINUTE).unwrap();
            one
        })
        .collect();
    let mut asking = plan(&[(kind, at)]);
    asking.limits.entries = 2;
    asking.limits.timeout = Duration::from_millis(100);
    let mut watcher = watcher(asking);
    let asked: Vec<_> = (2..=4)
        .map(|round| {
            let report = watcher.round(round * MINUTE).unwrap();
            report.masters[0].entries.clone().unwrap().silent
        })
        .collect();
    assert!(asked.iter().all(|silent| silent.len() == 2), "{asked:?}");
    let mut all = asked.concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 3, "each is asked, and the own probe is not");
    drop(silent);
}

#[test]
fn a_run_goes_on_where_an_earlier_one_ended() {
    let kind = kind_named("quake3");
    let (_running, at) = master(kind, &[Defect::ListsNobody]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("history.db");
    let hour = Duration::from_hours(1);
    let mut probes = Vec::new();
    // Two hours: a new process every half hour.
    for half in 0..4 {
        let history = WatchHistory::open(&file, hour).unwrap();
        let in_use = WatchHistory::open(&file, hour).unwrap_err();
        assert!(matches!(in_use, WatchHistoryError::InUse), "{in_use}");
        let begun = half * 30;
        let mut watcher = Watcher::new(plan(&[(kind, at)]), history, begun * MINUTE).unwrap();
        for round in begun + 1..=begun + 30 {
            let report = watcher.round(round * MINUTE).unwrap();
            // It began once, in the third round of the first process.
            let changes = usize::from(round == 3);
            assert_eq!(report.changes.len(), changes, "{round}");
            probes.push(report.masters[0].probe.as_ref().unwrap().address);
        }
    }
    probes.dedup();
    assert_eq!(probes.len(), 1, "the probe keeps its address");
    let history = WatchHistory::open(&file, hour).unwrap();
    assert_eq!(history.rounds().unwrap(), 61, "an hour is kept");
    let about = SampleSubject::of_target(&at.to_string());
    let times: Vec<_> = history
        .samples(Series::named("answered").unwrap(), &about)
        .unwrap()
        .iter()
        .map(|sample| sample.time / MINUTE)
        .collect();
    assert_eq!(times, (60..=120).collect::<Vec<_>>());
}

/// A master that answers each datagram with many.
fn flooding(each: Vec<Vec<u8>>) -> (SocketAddr, std::sync::mpsc::Sender<()>) {
    let master = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let at = master.local_addr().unwrap();
    master.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let (end, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut clients = std::collections::BTreeSet::new();
        while ended.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            if let Ok((_, from)) = master.recv_from(&mut [0; 2000]) {
                clients.insert(from);
            }
            for client in &clients {
                for datagram in &each {
                    // Its buffer may be full.
                    _ = master.send_to(datagram, client);
                }
            }
        }
    });
    (at, end)
}

#[test]
fn a_master_that_never_stops_does_not_hold_up_a_round() {
    let kind = kind_named("quake3");
    let lists = (0..100u8).map(|n| {
        [b"\xff\xff\xff\xffgetserversResponse", &[b'\\', 192, 0, 2, n, 0x6d, 0x38][..]].concat()
    });
    let questions =
        (0..100).map(|n| [b"\xff\xff\xff\xffgetinfo ", n.to_string().as_bytes()].concat());
    for each in [lists.collect::<Vec<_>>(), questions.collect()] {
        let (at, _end) = flooding(each);
        let mut plan = plan(&[(kind, at)]);
        plan.limits.timeout = Duration::from_millis(50);
        let mut watcher = watcher(plan);
        for round in 1..=3 {
            let report = watcher.round(round * MINUTE).unwrap();
            let servers = report.masters[0].servers.unwrap_or_default();
            assert!(servers <= 100, "{servers}");
        }
    }
}

#[test]
fn a_list_that_goes_on_for_ever_is_not_requested_for_ever() {
    let kind = kind_named("half-life");
    // Each part ends with a server behind which the next one begins, two in turn.
    let master = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let at = master.local_addr().unwrap();
    master.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
    let requests = std::thread::spawn(move || {
        let mut count = 0_usize;
        while let Ok((length, from)) = master.recv_from(&mut [0; 2000]) {
            if length == 1 {
                break;
            }
            count += 1;
            let port = 27000 + u16::from(count.is_multiple_of(2));
            let head = b"\xff\xff\xff\xfff\n\xc0\0\x02\x01";
            master.send_to(&[&head[..], &port.to_be_bytes()].concat(), from).unwrap();
        }
        count
    });
    let mut endless = plan(&[(kind, at)]);
    endless.probe = ProbeUse::Never;
    let report = watcher(endless).round(MINUTE).unwrap();
    std::net::UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"x", at).unwrap();
    let requests = requests.join().unwrap();
    assert_eq!(requests, 3, "the third part has nothing new");
    assert!(report.masters[0].servers.is_none(), "it has no end");
}

#[test]
fn a_history_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("history.db");
    drop(WatchHistory::open(&file, DAY).unwrap());
    let later = rusqlite::Connection::open(&file).unwrap();
    later.pragma_update(None, "user_version", 2).unwrap();
    let refused = WatchHistory::open(&file, DAY).unwrap_err().to_string();
    assert_eq!(refused, "the history has version 2, and this program reads version 1");
    let version: i64 = later.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (name, statements) in [
        ("alerts", "CREATE TABLE alerts (text TEXT)"),
        ("other", "CREATE TABLE notes (text TEXT); PRAGMA user_version = 1"),
        ("marked", "PRAGMA application_id = 7"),
    ] {
        let file = folder.path().join(name);
        rusqlite::Connection::open(&file).unwrap().execute_batch(statements).unwrap();
        let before = std::fs::read(&file).unwrap();
        let refused = WatchHistory::open(&file, DAY).unwrap_err().to_string();
        assert_eq!(refused, "a database of another program; --history names another file");
        assert!(std::fs::read(&file).unwrap() == before, "{name} is as it was");
    }
    let mut files: Vec<_> =
        folder.path().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["alerts", "marked", "other"], "no lock is made");
}

#[test]
fn a_history_of_an_earlier_program_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("history.db");
    drop(WatchHistory::open(&file, DAY).unwrap());
    let earlier = rusqlite::Connection::open(&file).unwrap();
    let first = "DROP TABLE kinds; INSERT INTO rounds VALUES (7); \
                 PRAGMA application_id = 0";
    earlier.execute_batch(first).unwrap();
    drop(earlier);
    for _ in 0..2 {
        let history = WatchHistory::open(&file, DAY).unwrap();
        assert_eq!(history.last_round().unwrap(), Some(7));
        history.keep_kind("m", "quake3").unwrap();
        assert_eq!(history.kind("m").unwrap().as_deref(), Some("quake3"));
    }
}

#[test]
fn milliseconds_have_the_digits_of_the_nanoseconds() {
    for (nanos, text) in [(29_365, "0.029365"), (1_000_001, "1.000001"), (2_000_000_000, "2000")] {
        assert_eq!(report::milliseconds(Duration::from_nanos(nanos)).to_string(), text);
    }
}
