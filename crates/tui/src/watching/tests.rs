//! What the view draws, as text.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::view::{ViewCommand, WatchUpdate, WatchView};
use crate::Themes;
use watch::{
    AlertKey, AlertReport, KindSource, ListFailure, MasterReport, RecentSamples, RoundReport,
    Sample, SampleSubject, Series, WentReport,
};

fn master(target: &str, servers: Option<usize>) -> MasterReport {
    MasterReport {
        target: target.to_owned(),
        address: "192.0.2.1:27950".parse().ok(),
        kind: Some("quake3"),
        kind_from: Some(KindSource::Port),
        answered: servers.is_some(),
        latency_ms: servers.map(|_| 12.5),
        servers,
        came: vec!["192.0.2.9:27960".parse().unwrap()],
        went: vec![WentReport {
            address: "192.0.2.8:27960".parse().unwrap(),
            since: String::new(),
        }],
        probe: None,
        entries: None,
        list: None,
        failure: servers.is_none().then_some(ListFailure::Closed),
        error: None,
    }
}

fn update() -> WatchUpdate {
    let about = SampleSubject::of_target("one");
    let key = AlertKey { name: "master-silent", about: SampleSubject::of_target("other\x1b[31m") };
    let alert = AlertReport { key, since: "2026-11-26T01:00:00Z".to_owned(), says: "it is silent" };
    let report = RoundReport {
        time: "2026-11-26T01:02:03.000000000Z".to_owned(),
        masters: vec![master("one", Some(40)), master("other\x1b[31m", None)],
        servers: Vec::new(),
        differences: Vec::new(),
        alerts: vec![alert],
        changes: Vec::new(),
    };
    let mut recent = RecentSamples::default();
    for (time, value) in [(1, 20.0), (2, 40.0)] {
        let series = Series::named("servers").unwrap();
        recent.push(series, about.clone(), Sample { time, value });
    }
    WatchUpdate { report, recent }
}

fn drawn(view: &WatchView, width: u16, height: u16) -> Vec<String> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    view.draw(&mut buffer);
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| line(y).trim_end().to_owned()).collect()
}

#[test]
fn a_view_has_masters_alerts_charts_and_changes() {
    let mut view = WatchView::new(Duration::from_mins(1), None, Themes::ansi());
    assert!(drawn(&view, 80, 24)[2].starts_with("the first round"));
    view.update(update());
    let lines = drawn(&view, 100, 24);
    for expected in [
        "one                    quake3            0/0     13ms       40    +1 -1",
        "master-silent  other\\x1b[31m   since 2026-11-26T01:00:00Z: it is silent",
        "       40  █",
        "          ██",
        "01:02:03Z one  + 192.0.2.9:27960",
        "01:02:03Z one  - 192.0.2.8:27960",
        "01:02:03Z other\\x1b[31m  it closed the connection before a list came",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}\n{}", lines.join("\n"));
    }
    // A failure that stays is no change.
    view.update(update());
    let lines = drawn(&view, 100, 40);
    let closed = lines.iter().filter(|line| line.contains("it closed the connection"));
    assert_eq!(closed.count(), 1, "{lines:#?}");
    // Where it is narrow, a text goes on in the next row.
    let lines = drawn(&view, 50, 40);
    let alert = lines.iter().position(|line| line.starts_with("master-silent")).unwrap();
    assert!(lines[alert + 1].ends_with("it is silent"), "{lines:#?}");
    // Nothing is drawn beyond a small terminal.
    for (width, height) in [(1, 1), (10, 3), (30, 12)] {
        drawn(&view, width, height);
    }
    assert_eq!(view.event(&key('j')), ViewCommand::Draw);
    let lines = drawn(&view, 100, 24);
    assert!(lines.iter().any(|line| line.contains("servers of other\\x1b[31m")), "{lines:#?}");
    assert_eq!(view.event(&key('q')), ViewCommand::Quit);
}

fn key(letter: char) -> Event {
    Event::Key(KeyEvent::from(KeyCode::Char(letter)))
}
