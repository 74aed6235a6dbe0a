//! Lifelines of hosts: which there are, in which order, and which are visible.

use super::*;
use protocol::Role::{Client, Master, Server};

/// An arrow between two endpoints of these roles.
fn between(from: (&str, Option<Role>), to: (&str, Option<Role>)) -> Arrow<'static> {
    let direction = Direction { from: from.1, to: to.1 };
    Arrow { direction, source: end(from.0), destination: end(to.0), ..arrow(None, None) }
}

/// The heads of lifelines: `server 192.0.2.10:1`.
fn heads(hosts: &HostLifelines) -> Vec<String> {
    let lifelines = (0..hosts.count()).filter_map(|at| hosts.get(at));
    lifelines.map(|of| format!("{} {}", of.name(), of.address())).collect()
}

#[test]
fn hosts_stand_in_the_order_of_their_first_messages() {
    let hosts = HostLifelines::from_arrows([
        between(("192.0.2.9:9", None), ("192.0.2.8:8", None)),
        between(("192.0.2.1:1", Some(Client)), ("192.0.2.50:50", Some(Master))),
        between(("192.0.2.7:7", Some(Server)), ("192.0.2.51:51", Some(Master))),
        between(("192.0.2.6:6", Some(Server)), ("192.0.2.50:50", Some(Master))),
        between(("192.0.2.2:2", Some(Client)), ("192.0.2.6:6", Some(Server))),
        between(("192.0.2.6:6", Some(Server)), ("192.0.2.2:2", Some(Client))),
        // Two ports of one address are two servers.
        between(("192.0.2.7:77", Some(Server)), ("192.0.2.51:51", Some(Master))),
    ]);
    let expected = [
        "unknown 192.0.2.9:9",
        "unknown 192.0.2.8:8",
        "client 192.0.2.1:1",
        "master 192.0.2.50:50",
        "server 192.0.2.7:7",
        "master 192.0.2.51:51",
        "server 192.0.2.6:6",
        "client 192.0.2.2:2",
        "server 192.0.2.7:77",
    ];
    assert_eq!(heads(&hosts), expected);
    for (at, head) in expected.iter().enumerate() {
        let (_, address) = head.split_once(' ').unwrap();
        assert_eq!(hosts.find(end(address)), Some(at), "{head}");
    }
    assert_eq!(hosts.find(end("192.0.2.6:7")), None);
}

#[test]
fn the_ports_of_a_client_share_a_lifeline() {
    let server = ("192.0.2.1:1", Some(Server));
    let mut hosts = HostLifelines::from_arrows([
        between(("192.0.2.2:1001", Some(Client)), server),
        between(("192.0.2.2:1002", Some(Client)), server),
        between(server, ("192.0.2.2:1003", None)),
        // A client on the machine of a server, and a server that asks as a client does.
        between(("192.0.2.1:1004", Some(Client)), server),
        between(("192.0.2.1:1", Some(Client)), server),
    ]);
    let expected = ["client 192.0.2.2:1001", "server 192.0.2.1:1", "client 192.0.2.1:1004"];
    assert_eq!(heads(&hosts), expected);
    let ports = ["192.0.2.2:1001", "192.0.2.2:1003", "192.0.2.2:9"];
    assert!(ports.iter().all(|port| hosts.find(end(port)) == Some(0)));
    // A port of a client turns out to be a server: the other ports stay.
    hosts.extend([between(("192.0.2.2:1002", Some(Server)), server)]);
    assert_eq!(heads(&hosts)[..3], expected);
    assert_eq!(heads(&hosts)[3..], ["server 192.0.2.2:1002"]);
}

/// The same hosts, whether all arrows are known at once or come one by one.
#[test]
fn a_role_that_is_known_later_moves_no_host() {
    let master = ("192.0.2.50:50", Some(Master));
    for (first, then, expected) in [
        (None, Some(Server), &["server 192.0.2.1:1", "master 192.0.2.50:50"][..]),
        (None, Some(Client), &["client 192.0.2.1:1", "master 192.0.2.50:50"]),
        (Some(Client), Some(Server), &["server 192.0.2.1:1", "master 192.0.2.50:50"]),
        (Some(Client), Some(Master), &["master 192.0.2.1:1", "master 192.0.2.50:50"]),
        (Some(Server), Some(Client), &["server 192.0.2.1:1", "master 192.0.2.50:50"]),
        (Some(Server), None, &["server 192.0.2.1:1", "master 192.0.2.50:50"]),
        (Some(Client), None, &["client 192.0.2.1:1", "master 192.0.2.50:50"]),
    ] {
        let arrows = [first, then].map(|role| between(("192.0.2.1:1", role), master));
        let mut hosts = HostLifelines::from_arrows(arrows);
        assert_eq!(heads(&hosts), expected, "{first:?}, then {then:?}");
        for arrow in arrows {
            hosts.extend([arrow]);
        }
        assert_eq!(heads(&hosts), expected, "{first:?}, then {then:?}, again");
        for (at, head) in expected.iter().enumerate() {
            assert_eq!(hosts.find(end(head.split_once(' ').unwrap().1)), Some(at), "{head}");
        }
    }
}

#[test]
fn the_number_of_hosts_has_a_limit() {
    let server = |n: u32| {
        let source = SocketAddr::from(([10, (n >> 16) as u8, (n >> 8) as u8, n as u8], 1));
        Arrow { source, ..arrow(Some(Server), Some(Master)) }
    };
    let hosts = HostLifelines::from_arrows((0..70_000).map(server));
    assert!(hosts.is_full());
    assert_eq!((hosts.count(), hosts.find(server(69_999).source)), (1 << 16, None));
    // The arrow of a host without a lifeline names it.
    let ladder = Ladder::new(Lifelines::ByHost(&hosts), 0, 100);
    let line = text_of(ladder.arrow(&server(69_999)));
    assert!(line.contains("getinfo") && line.contains("│ from 10.1.17.1"), "{line}");
}

/// Servers 1 to `n`, each registered with one master.
fn many(n: u16) -> Vec<Arrow<'static>> {
    let servers = (1..=n).map(|n| {
        let source = SocketAddr::from(([10, 0, (n >> 8) as u8, n as u8], 27960));
        Arrow { source, ..arrow(Some(Server), Some(Master)) }
    });
    servers.collect()
}

/// The head and the lines of arrows, with the lifeline `first` as the first visible one.
fn lines(arrows: &[Arrow<'_>], columns: usize, first: usize) -> Vec<String> {
    let hosts = HostLifelines::from_arrows(arrows.iter().copied());
    let ladder =
        Ladder::from_lifeline(Lifelines::ByHost(&hosts), LadderTimes::since(0), columns, first);
    let lines = arrows.iter().map(|arrow| ladder.arrow(arrow));
    ladder.head().into_iter().chain(lines).map(text_of).map(|line| line.trim_end().into()).collect()
}

#[test]
fn lifelines_scroll_sideways() {
    let mut arrows = many(5);
    arrows.push(Arrow { outcome: Some(MessageOutcome::NoAnswer), ..arrows[4] });
    let [first, last] = arrows[..].first_chunk().copied().unwrap();
    arrows.push(Arrow {
        direction: Direction { from: None, to: None },
        destination: last.source,
        ..first
    });
    insta::assert_snapshot!("hosts_at_the_left", lines(&arrows, 80, 0).join("\n"));
    insta::assert_snapshot!("hosts_in_the_middle", lines(&arrows, 80, 2).join("\n"));
    insta::assert_snapshot!("hosts_at_the_right", lines(&arrows, 80, 9).join("\n"));
    insta::assert_snapshot!("hosts_on_a_wide_screen", lines(&arrows, 200, 9).join("\n"));
}

#[test]
fn a_single_host_has_a_lifeline() {
    let (from, to) = (("127.0.0.1:1001", Some(Client)), ("127.0.0.1:1002", Some(Client)));
    let lines = lines(&[between(from, to)], 70, 0);
    assert_eq!(
        lines,
        [
            "                    client",
            "                    127.0.0.1:1001",
            "    7    +0.000000  │↺ getinfo  to :1002  xxx",
        ]
    );
    assert_eq!(self::lines(&[], 70, 0), ["", ""]);
}

/// A line has a mark at each visible lifeline and never more columns than the ladder.
#[test]
fn visible_lifelines_stay_where_they_are() {
    let mut arrows = many(40);
    let outcomes = [None, Some(MessageOutcome::NoAnswer)];
    let texts = ["", "日本語のサーバ、日本語のサーバ、日本語のサーバ", "\u{1b}[31m\n\u{202e}"];
    for (from, to) in [(0, 1), (3, 30), (30, 3), (12, 12), (39, 38), (20, 25)] {
        for outcome in outcomes {
            for text in texts {
                let (source, destination) = (arrows[from].source, arrows[to].source);
                arrows.push(Arrow { source, destination, text, outcome, ..arrows[0] });
            }
        }
    }
    for columns in [0, 50, 80, 120, 200, 333] {
        for first in [0, 1, 11, 12, 13, 30, 40, 99] {
            let lines = lines(&arrows, columns, first);
            let marks = |line: &String| {
                let (mut at, mut found) = (0, Vec::new());
                for c in line.chars() {
                    found.extend(matches!(c, '│' | '┼').then_some(at));
                    at += width(c.encode_utf8(&mut [0; 4]));
                }
                assert!(at <= columns.max(35), "{at} columns: {line}");
                assert!(!line.chars().any(is_hidden), "{line:?}");
                found
            };
            let all: Vec<_> = lines[2..].iter().map(marks).collect();
            assert!(all.iter().all(|marks| *marks == all[0] && marks.len() > 1), "{columns}");
            let is_shown = |line: &String| line.contains("get") || line.contains(['◂', '▸']);
            let hidden = lines.iter().skip(2).find(|line| !is_shown(line));
            assert_eq!(hidden, None, "{columns} {first}");
        }
    }
}

#[test]
fn scrolling_shows_the_ends_of_an_arrow() {
    let arrows = many(40);
    let own = arrows.iter().map(|arrow| Arrow { destination: arrow.source, ..*arrow });
    let hosts = HostLifelines::from_arrows(own);
    let lifelines = Lifelines::ByHost(&hosts);
    // Three of 40 lifelines are visible.
    for (first, from, to, expected) in [
        (0, 0, 1, 0),
        (0, 0, 2, 0),
        (0, 1, 3, 1),
        (0, 5, 4, 3),
        (9, 5, 4, 4),
        (9, 9, 9, 9),
        (9, 12, 12, 10),
        (9, 3, 3, 3),
        // Too far from each other: the nearer end is enough.
        (9, 10, 30, 9),
        (9, 30, 10, 9),
        (9, 11, 30, 10),
        (9, 30, 20, 19),
        (9, 39, 30, 29),
        (37, 39, 30, 37),
        (15, 20, 10, 18),
        (28, 30, 20, 28),
        (0, 20, 30, 19),
    ] {
        let (source, destination) = (arrows[from].source, arrows[to].source);
        let arrow = Arrow { source, destination, ..arrows[0] };
        let ladder = Ladder::from_lifeline(lifelines, LadderTimes::since(0), 60, first);
        assert_eq!(ladder.visible(), first..first + 3);
        assert_eq!(ladder.first_for(&arrow), expected, "{first}: {from} to {to}");
    }
}

#[test]
fn heads_keep_what_tells_hosts_apart() {
    for (columns, ends, expected) in [
        (
            22,
            &["192.0.2.10:27960", "192.0.2.11:27960"][..],
            &["192.0.2.10:27960", "192.0.2.11:27960"][..],
        ),
        (15, &["192.0.2.10:27960", "192.0.2.11:27960"], &["192.0.2.10", "192.0.2.11"]),
        (15, &["192.0.2.10:27960", "192.0.2.10:27961"], &["…0.2.10:27960", "…0.2.10:27961"]),
        (9, &["192.0.2.10:27960", "198.51.100.77:1"], &["…0.2.10", "…100.77"]),
        (
            24,
            &["[2001:db8:0:1::5c]:27960", "[2001:db8:aaaa:bbbb:1:2:3:4]:27960"],
            &["[2001:db8:0:1::5c]:27960", "…:db8:aaaa:bbbb:1:2:3:4"],
        ),
        (
            12,
            &["[2001:db8:1:2:3:4:5:6]:27960", "[2001:db8:9:2:3:4:5:6]:27960"],
            &["…1:2:3:4:5:6", "…9:2:3:4:5:6"],
        ),
        (
            10,
            &["[2001:db8:1:2:3:4:5:6]:27960", "[2001:db8:9:2:3:4:5:6]:27960"],
            &["…:1:2:3…", "…:9:2:3…"],
        ),
        (40, &["[2001:db8::1]:1", "[2001:db8::2]:1"], &["[2001:db8::1]:1", "[2001:db8::2]:1"]),
    ] {
        let ends: Vec<_> = ends.iter().map(|of| end(of)).collect();
        let texts = heads::shortened(&ends, columns);
        assert_eq!(texts, expected, "{columns}");
        assert!(texts.iter().all(|text| width(text) <= columns), "{texts:?}");
    }
}

/// Heads do not touch each other, and differ, whatever the addresses are.
#[test]
fn heads_have_space_between_them() {
    let ends: Vec<_> = (0..30u16)
        .map(|n| match n % 3 {
            0 => SocketAddr::from(([192, 168, 100, 200 + n as u8], 27960)),
            1 => SocketAddr::from(([0x2001, 0xdb8, 0xaaaa, 0xbbbb, 1, 2, 3, n], 27960)),
            _ => SocketAddr::from(([192, 168, 100, 100], 27960 + n)),
        })
        .collect();
    let arrows: Vec<_> = ends
        .windows(2)
        .map(|pair| Arrow { source: pair[0], destination: pair[1], ..arrow(None, None) })
        .collect();
    for columns in [50, 60, 80, 100, 120, 160, 200, 300] {
        for first in 0..30 {
            let lines = lines(&arrows, columns, first);
            let heads: Vec<_> = lines[1].split("  ").filter(|head| !head.is_empty()).collect();
            let lifelines = lines[2].matches(['│', '┼']).count();
            assert_eq!(heads.len(), lifelines, "{columns} from {first}: {}", lines[1]);
            assert!(width(&lines[1]) <= columns, "{columns}: {}", lines[1]);
            let different: std::collections::HashSet<_> = heads.iter().collect();
            assert_eq!(different.len(), heads.len(), "{columns}: {}", lines[1]);
        }
    }
}
