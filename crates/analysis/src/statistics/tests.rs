//! Statistics of made-up messages and exchanges.

mod stream;

use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use super::exchanges::ExchangeFacts;
use super::{HeartbeatMarks, HeartbeatSeries, SessionStatistics, StatisticsBuilder};
use crate::exchange::ExchangeState;
use crate::message::MessageHeader;
use crate::registration_stats::Intervals;
use crate::session::Session;
use capture::Input;
use flow::{FlowId, Transport, Verdict};
use protocol::{Confidence, Direction, ExchangeKind, Game};
use protocols::registry;

const S: i64 = 1_000_000_000;
const MASTER: &str = "198.51.100.1:27950";
const SERVER: &str = "192.0.2.10:27960";
const CLIENT: &str = "203.0.113.77:49152";

fn game(id: &str) -> &'static Game {
    registry().games().find(|game| game.id == id).unwrap()
}

fn end(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

/// A message of a game by its id under the game's protocol, at a second.
fn message(at: i64, game_id: &str, id: &str, from: &str, to: &str) -> MessageHeader {
    let game = game(game_id);
    let entry = game.protocol.messages.iter().find(|entry| entry.spec.id == id).unwrap();
    let (from_role, to_role) = entry.spec.directions[0];
    MessageHeader {
        number: 1,
        time: at * S,
        input: 0,
        source: end(from),
        destination: end(to),
        transport: Transport::Udp,
        flow: FlowId(1),
        connection: None,
        forward: true,
        verdict: Verdict { game, confidence: Confidence::Certain },
        entry,
        name: entry.spec.name,
        direction: Direction { from: Some(from_role), to: Some(to_role) },
        byte_range: None,
        headers: None,
        length: 20,
        missing: 0,
        fragments: 0,
        overlap: false,
        answers: None,
        part: None,
        validation: None,
    }
}

fn heartbeat(at: i64) -> MessageHeader {
    message(at, "quake3", "heartbeat", SERVER, MASTER)
}

fn counted(messages: &[MessageHeader]) -> SessionStatistics {
    let mut statistics = SessionStatistics::default();
    for header in messages {
        statistics.add_message((header, true), || None);
    }
    statistics.finish();
    statistics
}

/// The heartbeats of the only series at these seconds.
fn series(seconds: &[i64]) -> HeartbeatSeries {
    let messages: Vec<_> = seconds.iter().map(|at| heartbeat(*at)).collect();
    let statistics = counted(&messages);
    let [series] = statistics.heartbeats.series() else { panic!("one series") };
    series.clone()
}

/// The seconds with such marks.
fn marked(statistics: &SessionStatistics, at: usize, marks: HeartbeatMarks) -> Vec<i64> {
    let width = statistics.heartbeats.buckets().width();
    let all = statistics.heartbeats.series()[at].marks.iter();
    all.filter(|(_, of)| of.has(marks)).map(|(bucket, _)| bucket * width / S).collect()
}

/// A heartbeat that a filter hides came all the same.
#[test]
fn hidden_heartbeats_make_no_other_late() {
    let counted = |hidden: i64| {
        let mut statistics = SessionStatistics::default();
        for at in [0, 300, 600, 900, 1_800] {
            statistics.add_message((&heartbeat(at), at != hidden), || None);
        }
        statistics.count(&heartbeat(3_600), false);
        statistics.finish();
        let [series] = statistics.heartbeats.series() else { panic!("one series") };
        let longest = series.longest().map(|longest| longest / S);
        (series.heartbeats, series.late, longest, series.silence.map(|silence| silence / S))
    };
    assert_eq!(counted(-1), (5, 2, Some(1_800), Some(1_800)));
    assert_eq!(counted(600), (4, 2, Some(1_800), Some(1_800)));
    assert_eq!(counted(1_800), (4, 0, Some(300), None));
    let mut statistics = SessionStatistics::default();
    statistics.add_message((&heartbeat(0), false), || None);
    statistics.finish();
    assert_eq!((statistics.heartbeats.series().len(), statistics.messages), (0, 0));
}

#[test]
fn a_heartbeat_is_late_beyond_the_tolerance() {
    assert_eq!(series(&[0, 300, 630]).late, 0);
    assert_eq!(series(&[0, 300, 631]).late, 1);
    assert_eq!(series(&[0, 900, 1_200, 2_100]).late, 2);
    let all = series(&[0, 300, 600, 1_300]);
    let intervals = all.intervals.unwrap();
    assert_eq!((all.heartbeats, intervals.count()), (4, 3));
    assert_eq!([intervals.shortest, intervals.longest].map(|of| of / S), [300, 700]);
    assert_eq!(intervals.mean / S, 433);
    assert_eq!(all.latest(), Some(330 * S));
    assert_eq!((all.silence, all.longest()), (None, Some(700 * S)));
    // A change of state is reported at once, and is no regular heartbeat.
    let quick = series(&[0, 300, 302, 600]);
    assert_eq!(quick.intervals.map(Intervals::count), Some(2));
    assert_eq!(quick.late, 0);
}

#[test]
fn intervals_are_those_of_the_game() {
    for (id, heartbeat, seconds) in [
        ("quake3", "heartbeat", Some(300)),
        ("elite-force", "heartbeat-pairs", Some(300)),
        ("quakeworld", "heartbeat", Some(300)),
        ("half-life", "heartbeat", Some(300)),
        ("heretic2", "heartbeat", Some(300)),
        ("gamespy", "heartbeat", Some(300)),
        ("unreal-tournament", "heartbeat", Some(60)),
        ("qr2", "update", Some(60)),
        ("qr2", "heartbeat", None),
        ("doom3", "heartbeat", None),
        ("teeworlds", "heartbeat", None),
    ] {
        let header = message(0, id, heartbeat, SERVER, MASTER);
        let found = header.entry.heartbeat_interval(header.verdict.game);
        assert_eq!(found.map(|interval| interval.seconds), seconds, "{id}");
    }
    let late = counted(
        &[0, 60, 160].map(|at| message(at, "unreal-tournament", "heartbeat", SERVER, MASTER)),
    );
    assert_eq!(late.heartbeats.series()[0].late, 1);
    // Without a documented interval nothing is late.
    let never = counted(&[0, 5_000].map(|at| message(at, "doom3", "heartbeat", SERVER, MASTER)));
    assert_eq!(never.heartbeats.series()[0].late, 0);
}

#[test]
fn a_server_that_shut_down_is_not_late() {
    let mut statistics = SessionStatistics::default();
    for (at, kind) in [
        (0, ExchangeKind::Registration),
        (300, ExchangeKind::Registration),
        (400, ExchangeKind::Shutdown),
        (3_000, ExchangeKind::Registration),
    ] {
        statistics.add_message((&heartbeat(at), true), || Some((kind, None)));
    }
    statistics.finish();
    let series = &statistics.heartbeats.series()[0];
    assert_eq!((series.heartbeats, series.late), (3, 0));
    assert_eq!(series.intervals.map(Intervals::count), Some(1));
    assert_eq!(marked(&statistics, 0, HeartbeatMarks::SHUTDOWN), [400]);
    assert!(!series.has_shut_down);
    // QuakeWorld has a message for it.
    let shutdown = message(9, "quakeworld", "shutdown", SERVER, MASTER);
    assert!(counted(&[shutdown]).heartbeats.series()[0].has_shut_down);
}

#[test]
fn a_heartbeat_that_does_not_come_is_late() {
    let later = |at| message(at, "quake3", "getservers", CLIENT, MASTER);
    let silence_at = |end| {
        let statistics = counted(&[heartbeat(0), heartbeat(300), later(end)]);
        let series = &statistics.heartbeats.series()[0];
        (series.late, series.silence.map(|of| of / S), series.longest().map(|of| of / S))
    };
    assert_eq!(silence_at(630), (0, None, Some(300)));
    assert_eq!(silence_at(1_000), (1, Some(700), Some(700)));
    let shutdown = message(400, "quake2", "shutdown", SERVER, MASTER);
    let statistics =
        counted(&[message(0, "quake2", "heartbeat", SERVER, MASTER), shutdown, later(9_000)]);
    assert_eq!(statistics.heartbeats.series()[0].late, 0);
}

#[test]
fn heartbeats_are_counted_by_server_and_master() {
    let other = "198.51.100.2:27950";
    let mut statistics = SessionStatistics::default();
    for (at, from, to) in [
        (0, SERVER, MASTER),
        (0, SERVER, other),
        (0, "192.0.2.11:27960", MASTER),
        (300, SERVER, MASTER),
        (1_000, SERVER, other),
    ] {
        let header = message(at, "quake3", "heartbeat", from, to);
        statistics.add_message((&header, true), || None);
    }
    // Queries go to another port than the one it sends from.
    let query_port = end("192.0.2.11:7778");
    statistics.add_message((&heartbeat(2), true), || {
        Some((ExchangeKind::Registration, Some(query_port)))
    });
    // Answers, and what clients and masters send, are no heartbeats.
    let answer = MessageHeader { answers: Some(1), ..heartbeat(3) };
    let from_master = message(4, "quake3", "register", MASTER, other);
    for header in [answer, from_master, message(5, "quake3", "getservers", CLIENT, MASTER)] {
        statistics.add_message((&header, true), || None);
    }
    statistics.finish();
    let rows = statistics.heartbeats.series().iter().map(|series| {
        (series.server.to_string(), series.master.to_string(), series.heartbeats, series.late)
    });
    let expected = [
        (SERVER, MASTER, 2, 1),
        (SERVER, other, 2, 1),
        ("192.0.2.11:7778", MASTER, 1, 1),
        ("192.0.2.11:27960", MASTER, 1, 1),
    ];
    let expected = expected.map(|(a, b, c, d)| (a.to_owned(), b.to_owned(), c, d));
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(marked(&statistics, 1, HeartbeatMarks::LATE), [1_000]);
    assert_eq!(marked(&statistics, 0, HeartbeatMarks::HEARTBEAT), [0, 300]);
}

#[test]
fn a_long_capture_keeps_a_limited_number_of_marks() {
    let days: Vec<_> = (0..30 * 288).map(|n| n * 300).collect();
    let all = series(&days);
    assert_eq!((all.heartbeats, all.late), (8_640, 0));
    assert!(all.marks.iter().count() <= 1_024);
    let many: Vec<_> = (0..5_000_u32)
        .map(|n| MessageHeader {
            source: SocketAddr::from(((0x0a00_0000 + n).to_be_bytes(), 27_960)),
            ..heartbeat(n.into())
        })
        .collect();
    let statistics = counted(&many);
    assert_eq!(statistics.heartbeats.series().len(), 4_096);
    assert_eq!(statistics.heartbeats.left_out(), 5_000 - 4_096);
}

#[test]
fn games_have_shares_of_messages_bytes_flows_and_servers() {
    let in_flow = |flow, header: MessageHeader| MessageHeader { flow: FlowId(flow), ..header };
    let statistics = counted(&[
        in_flow(1, heartbeat(0)),
        in_flow(2, message(1, "quake3", "getservers", CLIENT, MASTER)),
        in_flow(1, heartbeat(2)),
        in_flow(3, message(3, "quake3", "getinfo", CLIENT, SERVER)),
        in_flow(4, message(9, "quakeworld", "heartbeat", "192.0.2.12:27500", MASTER)),
        // A flow that was not told apart.
        in_flow(0, message(9, "quakeworld", "heartbeat", "192.0.2.13:27500", MASTER)),
    ]);
    assert_eq!((statistics.messages, statistics.bytes), (6, 120));
    let games = statistics
        .games
        .games()
        .iter()
        .map(|of| (of.game.id, of.messages, of.bytes, of.flows, of.servers));
    assert_eq!(games.collect::<Vec<_>>(), [("quake3", 4, 80, 3, 1), ("quakeworld", 2, 40, 1, 1)]);
    assert_eq!(statistics.games.left_out(), 1);
    let width = statistics.games.buckets().width();
    let over_time = statistics.games.games()[0].over_time.iter().filter(|(_, count)| *count > 0);
    let seconds: Vec<_> = over_time.map(|(bucket, count)| (bucket * width / S, count)).collect();
    assert_eq!(seconds, [(0, 1), (1, 1), (2, 1), (3, 1)]);
}

#[test]
fn exchanges_have_latencies_by_kind_and_lists_by_master() {
    let mut statistics = SessionStatistics::default();
    let answered = ExchangeFacts {
        kind: ExchangeKind::Query,
        state: ExchangeState::Answered,
        game: game("quake3"),
        latency: Some(40_000_000),
        list: None,
    };
    statistics.add_exchange(&answered);
    statistics.add_exchange(&ExchangeFacts { latency: Some(60_000_000), ..answered });
    // A response before its request.
    statistics.add_exchange(&ExchangeFacts { latency: Some(-5), ..answered });
    let (state, latency) = (ExchangeState::Unanswered, None);
    statistics.add_exchange(&ExchangeFacts { state, latency, ..answered });
    for servers in [10, 300, 20] {
        let kind = ExchangeKind::List;
        let list = Some((end(MASTER), servers));
        let latency = Some(1_000_000_000);
        statistics.add_exchange(&ExchangeFacts { kind, latency, list, ..answered });
    }
    statistics.finish();
    let exchanges = statistics.exchanges.unwrap();
    assert_eq!(exchanges.all.exchanges(), 7);
    let kinds: Vec<_> = exchanges
        .kinds()
        .map(|(kind, latencies)| {
            let median = latencies.latency.percentile(50);
            (kind.name(), latencies.exchanges(), median)
        })
        .collect();
    assert_eq!(kinds, [("list", 3, Some(1_000_000_000)), ("query", 4, Some(40_000_000))]);
    let all = &exchanges.all;
    assert_eq!((all.latency.count(), all.latency.percentile(50)), (6, Some(60_000_000)));
    assert_eq!(all.states[&ExchangeState::Unanswered], 1);
    let masters: Vec<_> = exchanges.masters().collect();
    let [(master, lists)] = masters[..] else { panic!("one master") };
    assert_eq!((master, lists.servers.range()), (end(MASTER), Some((10, 300))));
    assert_eq!(lists.servers.percentile(50), Some(20));
    assert_eq!(lists.game.id, "quake3");
}

#[test]
fn masters_beyond_the_limit_are_counted() {
    let mut statistics = SessionStatistics::default();
    for n in 0..1_100_u32 {
        let master = SocketAddr::from(((0x0a00_0000 + n).to_be_bytes(), 27_950));
        statistics.add_exchange(&ExchangeFacts {
            kind: ExchangeKind::List,
            state: ExchangeState::Answered,
            game: game("quake3"),
            latency: None,
            list: Some((master, n)),
        });
    }
    let exchanges = statistics.exchanges.unwrap();
    assert_eq!((exchanges.masters().len(), exchanges.lists_left_out()), (1_024, 76));
}

/// The tour, read and analysed.
fn tour() -> Arc<Mutex<Session>> {
    let bytes = include_bytes!("../../../../captures/tour.pcapng").as_slice();
    let input = Input::Memory { name: "tour".to_owned(), bytes: bytes.into() };
    let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    session
}

/// The statistics of selected messages, counted in steps.
fn in_steps(session: &Session, selected: Option<Vec<u32>>, count: usize) -> SessionStatistics {
    let mut builder = StatisticsBuilder::new(selected);
    while builder.advance(session, count) {}
    builder.finish()
}

#[test]
fn a_session_is_counted_in_steps_of_any_size() {
    let session = tour();
    let session = session.lock();
    let whole = in_steps(&session, None, usize::MAX);
    assert_eq!(whole.messages, session.len() as u64);
    let index = session.index().unwrap();
    let exchanges = whole.exchanges.as_ref().unwrap();
    assert_eq!(exchanges.all.exchanges(), index.exchanges().len() as u64);
    let lists: u64 = exchanges.masters().map(|(_, lists)| lists.servers.count()).sum();
    let masters = (0..index.masters()).filter_map(|at| index.master(at));
    assert_eq!(lists, masters.map(|master| master.lists).sum::<u64>());
    // The last two of the four heartbeats are a shutdown.
    let [series] = whole.heartbeats.series() else { panic!("one server") };
    assert_eq!((series.heartbeats, series.late, series.has_shut_down), (2, 0, true));
    let all = (0..session.len() as u32).collect();
    for (selected, count) in [(None, 1), (None, 7), (Some(all), 3)] {
        let counted = in_steps(&session, selected, count);
        let counted = SessionStatistics { is_selection: false, ..counted };
        assert_eq!(format!("{counted:?}"), format!("{whole:?}"));
    }
}

#[test]
fn only_selected_messages_and_their_exchanges_are_counted() {
    let session = tour();
    let session = session.lock();
    let index = session.index().unwrap();
    let list = index.exchanges().iter().position(|of| of.kind() == ExchangeKind::List).unwrap();
    let request = index.messages_of(list).next().unwrap() as u32;
    let some = in_steps(&session, Some(vec![request]), 1);
    assert_eq!((some.messages, some.heartbeats.series().len()), (1, 0));
    let exchanges = some.exchanges.unwrap();
    let kinds: Vec<_> = exchanges.kinds().map(|(kind, _)| kind).collect();
    assert_eq!((exchanges.all.exchanges(), kinds.as_slice()), (1, [ExchangeKind::List].as_slice()));
    assert_eq!(exchanges.masters().len(), 1);
    let none = in_steps(&session, Some(Vec::new()), 1);
    assert_eq!((none.messages, none.exchanges.map(|of| of.all.exchanges())), (0, Some(0)));
}
