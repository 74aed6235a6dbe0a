use std::net::SocketAddr;

use super::arrow::time_since;
use super::*;

mod diagrams;
mod hosts;

use ::text::{is_hidden, width};
use protocol::{Direction, MessageOutcome, Role};

const SECOND: i64 = 1_000_000_000;

fn end(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

/// An arrow between two roles, each at its usual address.
fn arrow(from: Option<Role>, to: Option<Role>) -> Arrow<'static> {
    let at = |role| match role {
        Some(Role::Server) => end("192.0.2.10:27960"),
        Some(Role::Master) => end("203.0.113.1:27950"),
        _ => end("198.51.100.23:27960"),
    };
    let (source, destination) = (at(from), at(to));
    let (number, time, direction) = (7, 0, Direction { from, to });
    Arrow {
        number,
        time,
        direction,
        source,
        destination,
        name: "getinfo",
        text: "xxx",
        outcome: None,
    }
}

fn drawn(arrow: &Arrow<'_>, columns: usize) -> String {
    let usual = [
        self::arrow(Some(Role::Server), Some(Role::Master)),
        self::arrow(Some(Role::Master), Some(Role::Client)),
    ];
    let ladder = Ladder::new(Lifelines::ByRole(RoleHeads::from_arrows(usual)), 0, columns);
    text_of(ladder.arrow(arrow))
}

fn text_of(line: LadderLine) -> String {
    line.into_iter().map(|run| run.text).collect()
}

#[test]
fn arrows_go_from_sender_to_receiver() {
    use Role::{Client, Master, Server};
    for (from, to, line) in [
        (Some(Server), Some(Master), "│── getinfo  xxx ─▶│                  │"),
        (Some(Master), Some(Server), "│◀─ getinfo  xxx ──│                  │"),
        (Some(Master), Some(Client), "│                  │── getinfo  xxx ─▶│"),
        (Some(Client), Some(Master), "│                  │◀─ getinfo  xxx ──│"),
        (Some(Server), Some(Client), "│── getinfo  xxx ──┼─────────────────▶│"),
        (Some(Client), Some(Server), "│◀─ getinfo  xxx ──┼──────────────────│"),
        (Some(Server), None, "│── getinfo  xxx ──┼─────────────────▶│"),
        (None, Some(Master), "│                  │◀─ getinfo  xxx ──│"),
        (Some(Server), Some(Server), "│↺ getinfo  xxx    │                  │"),
        (Some(Master), Some(Master), "│                  │↺ getinfo  xxx    │"),
        (Some(Client), Some(Client), "│                  │    getinfo  xxx ↺│"),
    ] {
        let line = format!("    7    +0.000000  {line}");
        assert_eq!(drawn(&arrow(from, to), 59), line, "{from:?} to {to:?}");
    }
}

#[test]
fn arrows_name_marks_and_other_endpoints() {
    let asked = arrow(Some(Role::Client), Some(Role::Server));
    for (mark, destination, parts) in [
        (Some(MessageOutcome::NoAnswer), asked.destination, &["×╌ getinfo  no answer ", "╌┼╌"][..]),
        (
            Some(MessageOutcome::Lost("port unreachable")),
            asked.destination,
            &["×╌ getinfo  port unrea"],
        ),
        (Some(MessageOutcome::Refused), asked.destination, &["◀─ getinfo  refused"]),
        (None, end("192.0.2.10:1"), &["getinfo  to :1 "]),
        (None, end("[2001:db8::1]:1"), &["getinfo  to [2001:db8::1]:1 "]),
    ] {
        let line = drawn(&Arrow { destination, outcome: mark, ..asked }, 100);
        for part in parts {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
}

#[test]
fn lifelines_stay_where_they_are() {
    let wide = "日本語のサーバ、日本語のサーバ、日本語のサーバ、日本語のサーバ";
    let parties = [None, Some(Role::Server), Some(Role::Master), Some(Role::Client)];
    let ways = parties.map(|from| parties.map(|to| (from, to))).concat();
    let marks =
        [None, Some(MessageOutcome::NoAnswer), Some(MessageOutcome::Lost("\u{1b}]0;x\u{7}"))];
    for columns in [0, 40, 60, 79, 80, 100, 101, 250] {
        for name in ["getinfo", "averyveryverylongnameofamessagethatdoesnotfitanywhere"] {
            for text in ["", "xxx", wide, "\u{1b}[31m\n\u{202e}"] {
                for mark in marks {
                    for (from, to) in &ways {
                        let arrow = Arrow { name, text, outcome: mark, ..arrow(*from, *to) };
                        check_lifelines(&drawn(&arrow, columns), columns);
                    }
                }
            }
        }
    }
}

fn check_lifelines(line: &str, columns: usize) {
    let (mut at, mut found) = (0, Vec::new());
    for c in line.chars() {
        if matches!(c, '│' | '┼') {
            found.push(at);
        }
        at += width(c.encode_utf8(&mut [0; 4]));
    }
    let half = (columns.saturating_sub(21) / 2).max(12);
    assert_eq!(found, [20, 20 + half, 20 + 2 * half], "{columns}: {line}");
    assert!(!line.chars().any(is_hidden), "{line:?}");
}

#[test]
fn rows_find_their_arrows() {
    let times = [0, 1, SECOND + 1, SECOND + 2, 9 * SECOND, 8 * SECOND, 20 * SECOND];
    let mut rows = Rows::default();
    let pauses = times.map(|time| rows.push(time).is_some());
    assert_eq!(pauses, [false, false, true, false, true, false, true]);
    let mut expected = Vec::new();
    for (arrow, pause) in pauses.into_iter().enumerate() {
        if pause {
            expected.push(LadderRow::Pause(arrow));
        }
        assert_eq!(rows.line_of(arrow), expected.len(), "arrow {arrow}");
        expected.push(LadderRow::Arrow(arrow));
    }
    let all: Vec<_> = (0..).map_while(|line| rows.at(line)).collect();
    assert_eq!((all, rows.count()), (expected, 10));
}

#[test]
fn times_and_pauses_are_short() {
    for (nanos, text) in [
        (0, "+0.000000"),
        (12_345_678_900, "+12.345678"),
        (-1000, "-0.000001"),
        (9999 * SECOND, "+9999.000000"),
        (123_456 * SECOND + 1000, "+123456.0000"),
        (i64::MAX, "+9223372036"),
    ] {
        assert_eq!(time_since(0, nanos), text);
    }
}
