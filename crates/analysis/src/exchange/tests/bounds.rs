//! The number of open and of kept exchanges is bounded.

use super::*;

#[test]
fn exchanges_end_after_their_timeout() {
    let ask = marked(oob!("getinfo xxx"));
    let late = 30_001;
    let ended = exchanges(&[(0, CLIENT, SERVER, &ask), (late, CLIENT, SERVER, &ask)]);
    assert_eq!(ended.len(), 2);
    assert!(ended.iter().all(|e| e.state == ExchangeState::Unanswered && e.retries == 0));
}

/// This many addresses, all different.
fn addresses(count: u32, port: u16) -> Vec<String> {
    (0..count).map(|n| format!("10.{}.{}.{}:{port}", n >> 16, n >> 8 & 255, n & 255)).collect()
}

#[test]
fn full_tables_give_warnings() {
    let heartbeat = marked(oob!("heartbeat QuakeArena-1\n"));
    let servers = addresses(66_000, 27_960);
    let messages: Vec<Message<'_>> =
        servers.iter().map(|s| (0, s.as_str(), MASTER, &heartbeat[..])).collect();
    let (analyzer, ended) = analysed(&messages);
    assert_eq!(ended.len(), 66_000, "what is crowded out is told too");
    let count = analyzer.hosts().servers().len();
    assert!((1 << 15..=1 << 16).contains(&count), "{count}");
    let warnings = analyzer.warnings();
    let ended = warnings.iter().find_map(|text| text.split_once(" exchanges were ended early"));
    let ended: usize = ended.unwrap().0.parse().unwrap();
    assert!((66_000 - (1 << 15)..66_000).contains(&ended), "{warnings:?}");
    assert!(warnings.iter().any(|text| text.contains("sightings of servers")), "{warnings:?}");

    let list = marked(oob!("getserversResponse\\1234mm\\1234mm\\EOT"));
    let masters = addresses(5_000, 27_950);
    let messages: Vec<Message<'_>> =
        masters.iter().map(|m| (0, m.as_str(), CLIENT, &list[..])).collect();
    let (analyzer, _) = analysed(&messages);
    assert_eq!(analyzer.findings().len(), 1_024, "of one rule");
    let warnings = analyzer.warnings();
    assert!(warnings.iter().any(|text| text.starts_with("3976 findings")), "{warnings:?}");
}

#[test]
fn an_exchange_of_many_messages_stays_small_and_one() {
    let ask = marked(oob!("getinfo xxx"));
    let answer = marked(oob!("infoResponse\n\\challenge\\xxx"));
    // All messages have the same time.
    let mut messages: Vec<Message<'_>> = vec![(7, CLIENT, SERVER, &ask); 70_000];
    messages.push((8, SERVER, CLIENT, &answer));
    let ended = exchanges(&messages);
    assert_eq!(ended.len(), 1);
    assert_eq!((ended[0].state, ended[0].messages), (ExchangeState::Answered, 70_001));
    assert_eq!(ended[0].retries, u16::MAX);
}

#[test]
fn at_the_end_each_exchange_is_passed_on_and_none_is_kept() {
    let ask = marked(oob!("getinfo xxx"));
    let servers = addresses(3_000, 27_960);
    let messages: Vec<Message<'_>> =
        servers.iter().map(|server| (0, CLIENT, server.as_str(), &ask[..])).collect();
    let (mut analyzer, ended) = analysed(&messages);
    let ids: Vec<_> = ended.iter().map(|exchange| exchange.id).collect();
    assert_eq!(ids, (1..=3_000).collect::<Vec<_>>());
    let (exchanges, _) = analyzer.stages();
    let kept = [exchanges.slots.capacity(), exchanges.spare.capacity(), exchanges.ended.len()];
    assert_eq!((kept, exchanges.weight), ([0; 3], 0));
}
