//! The charts of the tour, of a day with several games, and of captures without anything to draw.

use std::net::SocketAddr;
use std::sync::Arc;

use crossterm::event::MouseEventKind;

use super::coloured;
use super::user::{CLIENT, MASTER, SERVER, User, capture, documented, frames_at, tour};
use render::Colour;

/// TimedPackets at milliseconds.
#[derive(Default)]
struct TimedPackets(Vec<(u32, SocketAddr, SocketAddr, Vec<u8>)>);

impl TimedPackets {
    fn add_packet(&mut self, ms: u32, from: &str, to: &str, payload: impl Into<Vec<u8>>) {
        self.0.push((ms, from.parse().unwrap(), to.parse().unwrap(), payload.into()));
    }

    fn capture(mut self) -> Arc<[u8]> {
        self.0.sort_by_key(|(ms, ..)| *ms);
        frames_at(self.0)
    }
}

/// A list of so many servers.
fn list(servers: u32) -> Vec<u8> {
    let records = (0..servers).flat_map(|n| {
        let [.., a, b] = n.to_be_bytes();
        [b'\\', 192, 0, 2, 1 + b, 0x6d, a]
    });
    let records: Vec<u8> = records.collect();
    [b"\xff\xff\xff\xffgetserversResponse", records.as_slice(), b"\\EOT\0\0\0"].concat()
}

/// When a server sends its n-th heartbeat, in seconds, if it does.
type HeartbeatTime = fn(u32) -> Option<u32>;

/// Four hours: servers of five games register with two masters, some late; clients ask for lists and
/// query the servers, whose answers take different times.
fn day() -> Arc<[u8]> {
    const S: u32 = 1_000;
    let mut packets = TimedPackets::default();
    let (first, second) = ("198.51.100.1:27950", "198.51.100.2:27950");
    // A server is punctual, misses two heartbeats, shuts down and returns; another falls silent.
    let heartbeats: [(&str, &str, &[u8], HeartbeatTime); 6] = [
        ("192.0.2.10:27960", first, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n", |n| Some(n * 300)),
        ("192.0.2.10:27960", second, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n", |n| {
            (n % 17 != 9).then_some(n * 300 + 1)
        }),
        ("192.0.2.11:27960", first, b"\xff\xff\xff\xffheartbeat DarkPlaces\n", |n| {
            (n < 20).then_some(n * 300 + n * n + 7)
        }),
        (
            "[2001:db8:aaaa:bbbb::12]:27960",
            "[2001:db8::1]:27950",
            b"\xff\xff\xff\xffheartbeat EnemyTerritory-1\n",
            |n| Some(n * 340 + 20),
        ),
        ("192.0.2.13:27500", "198.51.100.3:27000", b"a\n1\n4\n", |n| Some(n * 300 + 40)),
        ("192.0.2.14:7778", "198.51.100.4:27900", b"\\heartbeat\\7778\\gamename\\ut", |n| {
            (n < 40).then_some(n * 60 + 55)
        }),
    ];
    for (server, master, payload, at) in heartbeats {
        for seconds in (0..48).filter_map(at).filter(|seconds| *seconds < 14_400) {
            packets.add_packet(seconds * S, server, master, payload);
        }
    }
    packets.add_packet(7_000 * S, "192.0.2.13:27500", "198.51.100.3:27000", "C\n");
    for n in 0..240_u32 {
        let at = n * 60 * S + n * n % 977;
        let master = if n % 3 == 0 { second } else { first };
        let client = format!("203.0.113.{}:49152", 1 + n % 90);
        packets.add_packet(
            at,
            &client,
            master,
            b"\xff\xff\xff\xffgetservers 68 empty full\n".as_slice(),
        );
        let size = if n % 3 == 0 { 12 } else { 90 + n % 40 };
        packets.add_packet(at + 20 + n * 7 % 90, master, &client, list(size));
        packets.add_packet(
            at + 200,
            &client,
            "192.0.2.10:27960",
            b"\xff\xff\xff\xffgetinfo xyz".as_slice(),
        );
        if n % 7 != 3 {
            let late = if n % 50 == 0 { 2_500 } else { 210 + n * 13 % 170 };
            packets.add_packet(
                at + late,
                "192.0.2.10:27960",
                &client,
                documented("quake3/1.2.2/1"),
            );
        }
        if n % 4 == 0 {
            packets.add_packet(
                at + 300,
                &client,
                "192.0.2.13:27500",
                b"\xff\xff\xff\xffstatus\n\0".as_slice(),
            );
        }
    }
    packets.capture()
}

/// Heartbeats of eight games: one of the first, two of the second, and so on.
fn many_games() -> Arc<[u8]> {
    let heartbeats: [&[u8]; 8] = [
        b"\xff\xffheartbeat\0",
        b"\xff\xff\xff\xffheartbeat QuakeArena-1\n",
        b"\xff\xff\xff\xffheartbeat DarkPlaces\n",
        b"\xff\xff\xff\xffheartbeat EnemyTerritory-1\n",
        b"\xff\xff\xff\xffheartbeat Wolfenstein-1\n",
        b"\xff\xff\xff\xffheartbeat Unvanquished\n",
        b"a\n1\n4\n",
        b"\\heartbeat\\7778\\gamename\\ut",
    ];
    let ports = [27_650, 27_950, 27_950, 27_950, 27_950, 27_950, 27_000, 27_900];
    let mut packets = TimedPackets::default();
    for ((n, heartbeat), port) in (0..).zip(heartbeats).zip(ports) {
        for at in 0..=n {
            let (server, master) = (format!("192.0.2.{n}:27960"), format!("198.51.100.1:{port}"));
            packets.add_packet(at * 7_000, &server, &master, heartbeat);
        }
    }
    packets.capture()
}

/// Shows the statistics.
fn on(capture: Arc<[u8]>, size: (u16, u16)) -> User {
    let mut user = User::on(capture, size);
    user.keys("8");
    user
}

#[test]
fn each_chart_is_drawn_for_every_size() {
    for (name, capture) in [("tour", tour()), ("day", day())] {
        let mut user = on(Arc::clone(&capture), (80, 24));
        for chart in ["over_time", "heartbeats", "latency", "lists", "games"] {
            insta::assert_snapshot!(format!("{name}_{chart}_80x24"), user.screen());
            user.keys("<Tab>");
        }
        for size @ (columns, rows) in [(120, 35), (200, 60)] {
            let user = on(Arc::clone(&capture), size);
            insta::assert_snapshot!(format!("{name}_statistics_{columns}x{rows}"), user.screen());
        }
    }
    let wide = on(day(), (200, 60)).keys("<Tab>z").screen();
    insta::assert_snapshot!("day_heartbeats_200x60", wide);
    let wide = on(day(), (200, 60)).keys("<Tab><Tab>z").screen();
    insta::assert_snapshot!("day_latency_200x60", wide);
}

#[test]
fn games_beyond_the_largest_are_joined() {
    insta::assert_snapshot!("games_joined", on(many_games(), (80, 24)).screen());
    let mut user = on(many_games(), (120, 35));
    assert!(user.keys("<BackTab>G").screen().contains("8 of 8 games"), "{}", user.screen());
    assert!(user.screen().contains("doom3"), "{}", user.screen());
}

#[test]
fn states_have_characters_and_colours() {
    let mut user = on(day(), (100, 24));
    let legend = coloured(&user, "quakeworld");
    user.keys("<Right>");
    let rows = ["192.0.2.11", "192.0.2.14"].map(|server| coloured(&user, server)).concat();
    insta::assert_snapshot!("statistics_colours", format!("{legend}{rows}"));
    let mut user = User::unread(day(), (120, 35), Colour::Plain);
    user.load(usize::MAX);
    user.keys("8<Tab>");
    let buffer = user.terminal.backend().buffer();
    let plain = |c: &ratatui::buffer::Cell| [c.fg, c.bg] == [ratatui::style::Color::Reset; 2];
    assert!(buffer.content().iter().all(plain));
    assert_eq!(user.screen(), on(day(), (120, 35)).keys("<Tab>").screen());
    insta::assert_snapshot!("statistics_without_colour", user.marks());
}

#[test]
fn times_have_the_chosen_format() {
    let mut user = on(day(), (80, 24));
    let axis = |user: &User| user.screen().lines().nth(20).unwrap().to_owned();
    assert!(axis(&user).contains("2400      4800"), "{}", axis(&user));
    assert!(axis(&user).ends_with("s\""), "{}", axis(&user));
    user.keys("t");
    assert!(axis(&user).contains("10-13"), "{}", axis(&user));
    assert!(axis(&user).ends_with("UTC\""), "{}", axis(&user));
    assert!(
        user.keys("<Tab>").screen().contains("the last at 10-13 03:05:00.000"),
        "{}",
        user.screen()
    );
}

#[test]
fn keys_and_the_mouse_lead_through_the_charts() {
    let mut user = on(day(), (80, 24));
    for (keys, shown) in [
        ("l", "documented: 5m"),
        ("j", "2 of 6 registrations"),
        ("G", "6 of 6 registrations"),
        ("<Right>", "1 of 5 kinds"),
        ("jjjj", "time to the first response, query"),
        ("<Tab>j", "servers per list of 198.51.100.2:27950"),
        ("<Tab>", "enemy-territory"),
        ("<Tab>", "per 4m"),
        ("<Left>", "1 of 5 games"),
        ("<BackTab>", "2 of 2 masters"),
        ("y", "nothing to copy"),
        ("e", "2 masters as CSV"),
        ("<Esc><Tab>e", "1,231 messages as CSV"),
        ("<Esc><BackTab>", "2 of 2 masters"),
    ] {
        assert!(user.keys(keys).screen().contains(shown), "{keys}: {}", user.screen());
    }
    // The names above, and a row.
    assert!(user.click(25, 2).screen().contains("documented: 5m"), "{}", user.screen());
    assert!(user.click(5, 5).screen().contains("2 of 6 registrations"), "{}", user.screen());
    user.mouse(MouseEventKind::ScrollDown, 5, 10);
    assert!(user.screen().contains("5 of 6 registrations"), "{}", user.screen());
    // In a large terminal, a click selects a chart and its row; the wheel scrolls without selecting.
    user.terminal.backend_mut().resize(120, 35);
    user.draw();
    assert!(user.screen().contains("5 of 6 registrations"), "{}", user.screen());
    assert!(user.click(70, 4).screen().contains("1 of 5 games"), "{}", user.screen());
    assert!(user.click(70, 6).screen().contains("2 of 5 games"), "{}", user.screen());
    user.mouse(MouseEventKind::ScrollUp, 5, 18);
    assert!(user.screen().contains("2 of 5 games"), "{}", user.screen());
    assert!(user.click(5, 17).screen().contains("2 of 6 registrations"), "{}", user.screen());
    assert!(!user.keys("z").screen().contains("enemy-territory   "), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("list sizes ─"), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("─ annotated bytes"), "{}", user.screen());
}

#[test]
fn tables_of_charts_are_sorted() {
    let mut user = on(day(), (100, 30));
    let row = |user: &User, n: usize| user.screen().lines().nth(3 + n).unwrap().to_owned();
    for (keys, heading, first, last) in [
        ("<Tab>slate<Enter>", "▲late", "192.0.2.10", "192.0.2.11"),
        ("S", "▼late", "2001:", "192.0.2.11"),
        ("smaster<Enter>", "sorted by master, ascending", "192.0.2.1", ""),
        ("sserver<Enter>S", "▼server", "2001:", "192.0.2.10"),
        // All kinds together stay first.
        ("<Tab>slongest<Enter>", "▲longest", "all", ""),
        ("S", "▼longest", "all", ""),
        ("<Tab>smedian<Enter>", "▲median", "198.51.100.2", "198.51.100.1"),
        ("S", "▼median", "198.51.100.1", "198.51.100.2"),
        ("<Tab>sgame<Enter>", "▲game", "", "enemy-territory"),
        ("sbytes<Enter>S", "▼", "quake3", ""),
    ] {
        user.keys(keys);
        let screen = user.screen();
        assert!(screen.contains(heading), "{keys}: {screen}");
        assert!(row(&user, 1).contains(first), "{keys}: {screen}");
        let rows = (2..24).map(|n| row(&user, n));
        assert!(last.is_empty() || rows.clone().any(|row| row.contains(last)), "{keys}: {screen}");
    }
    // The cursor stays at its row, and Enter shows the messages of it.
    user.keys("8<Tab><Tab>gsserver<Enter>g");
    assert!(row(&user, 1).contains("192.0.2.10"), "{}", user.screen());
    user.keys("S");
    let is_at = |at| user.screen().contains(&format!("{at} of 6 registrations"));
    assert!(is_at(5) || is_at(6), "{}", user.screen());
    user.keys("<Enter>");
    assert!(user.screen().contains("of server 192.0.2.10:27960"), "{}", user.screen());
}

#[test]
fn a_row_leads_to_its_messages_and_back() {
    let mut user = on(day(), (100, 24));
    user.keys("<Tab>G<Enter>");
    let of = "1 of 49 of server 192.0.2.13:27500 and master 198.51.100.3:27000";
    assert!(user.screen().contains(of), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("6 of 6 registrations"), "{}", user.screen());
    assert!(user.keys("L").screen().contains("1 of 49 messages"), "{}", user.screen());
    user.keys("<Esc><Tab><Tab><Enter>");
    assert!(user.screen().contains("1 of 320 of lists of 198.51.100.1"), "{}", user.screen());
    user.keys("<Esc><Tab><Enter>");
    assert!(user.screen().contains("of a server or master"), "{}", user.screen());
}

#[test]
fn servers_have_the_documented_interval_of_their_game() {
    let mut user = User::on(day(), (100, 40));
    user.keys("3");
    for text in ["interval 5m; documented: 5m", "interval 1m; documented: 1m"] {
        let mut rows = 0;
        while !user.screen().contains(text) && rows < 10 {
            user.keys("j");
            rows += 1;
        }
        assert!(user.screen().contains(text), "{text}: {}", user.screen());
    }
}

#[test]
fn an_export_has_what_a_chart_is_made_of() {
    for (keys, written) in [
        ("", "27 messages written"),
        ("<Tab>", "6 servers written"),
        ("<Tab><Tab>", "13 exchanges written"),
        ("<Left><Left>", "1 master written"),
    ] {
        let mut user = on(tour(), (80, 24));
        user.keys(keys).keys("e<Enter>").saved();
        assert!(user.screen().contains(written), "{keys}: {}", user.screen());
    }
}

#[test]
fn a_terminal_of_any_size_shows_charts() {
    let mut user = on(day(), (200, 60));
    for (columns, rows) in [(80, 24), (40, 10), (39, 9), (110, 33), (109, 33), (300, 12), (50, 100)]
    {
        user.terminal.backend_mut().resize(columns, rows);
        user.draw();
        for _ in 0..5 {
            user.keys("<Tab>jGzz");
        }
    }
    user.terminal.backend_mut().resize(40, 10);
    user.draw();
    insta::assert_snapshot!("statistics_least", user.screen());
    insta::assert_snapshot!("heartbeats_least", user.keys("<Tab>").screen());
}

#[test]
fn charts_without_data_say_so() {
    let nothing = capture(&[(b"hello".to_vec(), CLIENT, SERVER)]);
    let request = capture(&[(documented("quake3/1.1.1/1"), CLIENT, MASTER)]);
    for (bytes, notes) in [
        (nothing, ["no message", "no server", "no exchange", "no master", "no message"]),
        (request, ["per 1ms", "no server", "no exchange", "no master", "1 game"]),
    ] {
        let mut user = on(bytes, (80, 24));
        for note in notes {
            assert!(user.screen().contains(note), "{note}: {}", user.screen());
            user.keys("jGg<Enter>L<Esc>8<Tab>");
        }
    }
    let mut user = User::unread(tour(), (80, 24), Colour::Ansi);
    assert!(user.keys("8").screen().contains("no message"), "{}", user.screen());
    user.load(10);
    let waits = "exchanges are known when everything has been read";
    assert!(user.keys("<Tab><Tab>").screen().contains(waits), "{}", user.screen());
}

#[test]
fn statistics_follow_the_messages() {
    let messages: Vec<_> =
        (0..400).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut user = User::unread(capture(&messages), (80, 24), Colour::Ansi);
    user.keys("8");
    for count in [100, 200] {
        user.load(100);
        let legend = format!("quake3 {count} (100.0%)");
        assert!(user.screen().contains(&legend), "{}", user.screen());
    }
    // Those that are no longer kept do not count.
    user.keep_last(50);
    user.load(usize::MAX);
    assert!(user.screen().contains("quake3 50 (100.0%)"), "{}", user.screen());
}
