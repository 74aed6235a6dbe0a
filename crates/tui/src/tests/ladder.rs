//! The ladder with a lifeline for each host.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;

use crossterm::event::MouseEventKind;

use super::user::{CLIENT, MASTER, User, capture, documented, frames};
use render::Colour;

const TWO_MASTERS: [SocketAddrV4; 2] =
    [MASTER, SocketAddrV4::new(Ipv4Addr::new(198, 51, 100, 2), 27950)];

fn server(n: usize) -> SocketAddrV4 {
    SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, n as u8), 27960)
}

/// Servers register with two masters; clients ask one of the masters, with a new port each time.
fn hosts(servers: usize) -> Arc<[u8]> {
    let mut messages = Vec::new();
    for n in 1..=servers {
        let master = TWO_MASTERS[n % 2];
        messages.push((documented("quake3/1.2.9/1"), server(n), master));
        messages.push((documented("rtcw/8.2/1"), master, server(n)));
        messages.push((documented("quake3/1.2.2/1"), server(n), master));
    }
    for n in 0..4 {
        let mut client = CLIENT;
        client.set_port(50_000 + n);
        messages.push((documented("quake3/1.1.1/1"), client, MASTER));
        messages.push((documented("quake3/1.1.2/1"), MASTER, client));
    }
    capture(&messages)
}

/// The line of the head with the endpoints.
fn head(user: &User) -> String {
    user.screen().lines().nth(3).unwrap().trim_matches(['"', ' ']).to_owned()
}

#[test]
fn each_host_has_a_lifeline() {
    let mut user = User::on(hosts(2), (120, 24));
    insta::assert_snapshot!("ladder_of_hosts", user.keys("6").screen());
    // Of an exchange, only those of its hosts.
    assert_eq!(head(user.keys("<Esc>L")).split_whitespace().count(), 2);
    assert!(user.screen().contains("registration #1 "), "{}", user.screen());
}

#[test]
fn hosts_scroll_sideways() {
    let mut user = User::on(hosts(9), (64, 24));
    insta::assert_snapshot!("ladder_scrolled", user.keys("6ll").screen());
    assert!(head(&user).starts_with("◂ 3-5 of 12 ▸  "), "{}", head(&user));
    assert!(head(user.keys("h")).starts_with("◂ 2-4 of 12 ▸"), "{}", head(&user));
    // Beyond the last ones nothing is empty.
    let end = head(user.keys("llllllllllllll"));
    assert!(end.starts_with("◂ 10-12 of 12  "), "{end}");
    // The cursor brings one end of a long arrow into view, and both of a short one.
    let mut heads = String::new();
    for keys in ["g", "hhhhhhh", "j", "G", "hhhhh"] {
        let visible = head(user.keys(keys));
        writeln!(heads, "{keys}: {}", visible.split("   ").next().unwrap_or_default()).unwrap();
    }
    user.click(30, 20);
    let clicked = head(&user);
    user.keys("hhhhhhhhhhh");
    user.mouse(MouseEventKind::ScrollUp, 30, 8);
    // The wheel moves the cursor back into view.
    writeln!(heads, "click: {}", clicked.split("   ").next().unwrap_or_default()).unwrap();
    writeln!(heads, "wheel: {}", head(&user).split("   ").next().unwrap_or_default()).unwrap();
    insta::assert_snapshot!("lifelines_follow_the_cursor", heads);
    // All have space.
    let mut user = User::on(hosts(2), (160, 24));
    assert!(head(user.keys("6lllh")).starts_with("192.0.2.1:27960 "), "{}", head(&user));
}

/// More messages than give their hosts in one step; the last of them is of a new host.
#[test]
fn the_hosts_of_all_messages_are_known() {
    let (client, server) = (SocketAddr::from(CLIENT), SocketAddr::from(server(1)));
    let query = b"\xff\xff\xff\xffgetinfo xxx".to_vec();
    let mut messages = vec![(client, server, query.clone()); 1 << 15];
    let last = SocketAddr::from(([192, 0, 2, 99], 27960));
    messages.push((client, last, query));
    let mut user = User::unread(frames(&messages), (120, 24), Colour::Ansi);
    user.load(1 << 14);
    assert_eq!(head(user.keys("6")).split_whitespace().count(), 2);
    user.load(usize::MAX);
    assert!(head(&user).contains("192.0.2.1:27960  "), "{}", head(&user));
    assert!(head(&user).contains("  192.0.2.99:27960"), "{}", head(&user));
}

#[test]
fn lifelines_have_no_hostile_text() {
    let evil = "\u{1b}]0;x\u{7}\u{202e}\\n".as_bytes();
    let message = |text: &[u8]| [b"\xff\xff\xff\xffgetinfo ", text].concat();
    let end = |n: u16| SocketAddr::from(([0x2001, 0xdb8, 0, 0, 0, 0, 0, n], 40_000 + n));
    let messages: Vec<_> = (1..20).map(|n| (end(n), end(n + 1), message(evil))).collect();
    let mut user = User::on(frames(&messages), (80, 24));
    for keys in ["6", "l", "lll", "G", "g", "c"] {
        let screen = user.keys(keys).screen();
        assert!(
            !screen.chars().any(|c| c != '\n' && c.is_control() || c == '\u{202e}'),
            "{screen}"
        );
    }
}

#[test]
fn arrows_are_sorted() {
    let mut user = User::on(hosts(2), (120, 24));
    let arrows = |user: &User| -> Vec<u32> {
        let number = |line: &str| line.trim_matches(['"', ' ']).split(' ').next()?.parse().ok();
        user.screen().lines().skip(4).filter_map(number).collect()
    };
    let (in_time, at_first) = ((1..=14).collect::<Vec<_>>(), user.keys("6").screen());
    assert_eq!(arrows(&user), in_time);
    user.keys("jj").keys("ssource<Enter>");
    let by_source = arrows(&user);
    assert_eq!(by_source.len(), 14);
    assert_ne!(by_source, in_time);
    // By address, then by port; of equal ones in the order of time.
    assert_eq!(by_source[..5], [1, 3, 4, 6, 5], "{}", user.screen());
    assert!(user.screen().contains("by source ▲"), "{}", user.screen());
    // The cursor stays at its message; times still count from the first one.
    assert!(user.screen().contains("2 of 14 messages"), "{}", user.screen());
    assert!(user.screen().contains("0.000000"), "{}", user.screen());
    user.keys("S");
    assert!(user.screen().contains("by source ▼"), "{}", user.screen());
    assert_eq!(arrows(&user).len(), 14);
    // A filter keeps the order, and so does the next search.
    user.keys("fquake3.getservers<Enter>");
    assert!(user.screen().contains("by source ▼"), "{}", user.screen());
    assert_eq!(arrows(&user).len(), 4, "{}", user.screen());
    user.keys("xsnumber<Enter>");
    assert_eq!(arrows(&user), in_time, "{}", user.screen());
    assert!(!at_first.contains("by number"));
}

#[test]
fn the_display_filter_holds_for_the_ladder_of_a_row() {
    let tour: Arc<[u8]> = include_bytes!("../../../../captures/tour.pcapng").as_slice().into();
    let mut user = User::on(tour, (120, 40));
    let all = user.keys("3L").screen();
    assert!(all.contains("heartbeat") && all.contains(" of 20 messages"), "{all}");
    user.keys("fquake3.getinfo<Enter>");
    let few = user.screen();
    assert!(few.contains("getinfo") && !few.contains("heartbeat"), "{few}");
    assert!(few.contains("1 of 3 messages"), "{few}");
    // A filter that changes elsewhere holds when the ladder is shown again.
    user.keys("<Backspace>x<A-Right>");
    assert!(user.screen().contains(" of 20 messages"), "{}", user.screen());
    user.keys("<Backspace>fquake3.getinfo<Enter>L");
    assert!(user.screen().contains(" of 3 messages"), "{}", user.screen());
}
