//! What rows show: addresses, times, counts, columns, and where they lead.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;

use crossterm::event::{Event, MouseButton, MouseEventKind};

use super::user::{CLIENT, MASTER, SERVER, User, capture, documented, frames, frames_at, tour};
use crate::action::TerminalCommand;
use crate::options::Options;

#[test]
fn hosts_differ_in_a_narrow_terminal() {
    let mut user = User::on(tour(), (80, 24));
    let screen = user.keys("2").screen();
    for host in ["10:27960 ", "11:27960 ", "12:27961 "] {
        assert!(screen.contains(host), "{screen}");
    }
    // Three hosts with three ports each, which differ in their first number.
    let servers: Vec<_> = [192, 172, 182]
        .iter()
        .flat_map(|net| {
            (27960..27963).map(|port| SocketAddrV4::new(Ipv4Addr::new(*net, 168, 100, 110), port))
        })
        .collect();
    let messages = servers.iter().flat_map(|server| {
        [
            (documented("quake3/1.2.9/1"), *server, MASTER),
            (documented("quake3/1.2.3/2"), CLIENT, *server),
            (documented("quake3/1.2.4/2"), *server, CLIENT),
        ]
    });
    let capture = capture(&messages.collect::<Vec<_>>());
    for (size, keys, column, is_whole) in [
        ((80, 60), "1", "source", false),
        ((60, 60), "1", "source", false),
        ((60, 60), "2", "from", false),
        ((80, 60), "3", "address", true),
        // Columns that say the same in all rows make space.
        ((60, 60), "3", "address", true),
        ((110, 60), "7", "destination", true),
        ((110, 60), "7", "source", true),
    ] {
        let mut user = User::on(Arc::clone(&capture), size);
        let screen = user.keys(keys).keys("z").screen();
        let mut lines = screen.lines().skip(2).map(|line| line.trim_matches('"'));
        let heading = lines.next().unwrap();
        let begin = heading.find(column).map(|at| heading[..at].chars().count()).unwrap();
        let cells = lines.map(|line| line.chars().skip(begin).take_while(|c| *c != ' '));
        let cells: BTreeSet<String> = cells.map(Iterator::collect).collect();
        for net in ["192", "172", "182"] {
            let of_host = cells.iter().filter(|cell| cell.starts_with(net)).count();
            assert!(of_host == 3 || keys == "7", "{size:?} {keys} {net}: {screen}");
        }
        assert_eq!(screen.contains("192.168.100.110:27961"), is_whole, "{size:?} {keys}: {screen}");
    }
}
#[test]
fn a_shutdown_is_no_heartbeat_on_any_screen() {
    let mut user = User::on(tour(), (120, 35));
    for (keys, expected) in [
        ("3", "2 heartbeats to 203.0.113.1:27950"),
        ("4", "2 heartbeats, 1 list request"),
        ("8<Tab>", "2 heartbeats, shutdown"),
    ] {
        let screen = user.keys(keys).screen();
        assert!(screen.contains(expected), "{keys}: {screen}");
    }
}

#[test]
fn a_server_and_a_master_lead_to_all_that_is_theirs() {
    let mut user = User::on(tour(), (100, 40));
    let server = user.keys("3jo").screen();
    for entry in ["flow 5", "query #10 (unanswered)", "master 203.0.113.1:27950"] {
        assert!(server.contains(entry), "{entry}: {server}");
    }
    assert!(user.keys("<Esc>O").screen().contains("filter: flow == 5"), "{}", user.screen());
    let master = user.keys("x4o").screen();
    for entry in ["flow 1 ", "flow 3 ", "list #6 (answered)", "server 192.0.2.10:27960"] {
        assert!(master.contains(entry), "{entry}: {master}");
    }
}

#[test]
fn a_column_stands_before_the_summary_and_a_request_leads_to_its_answer() {
    let mut user = User::on(tour(), (80, 24));
    let headings = user.keys("Cfield.hostname<Enter><Esc>").screen();
    let headings = headings.lines().nth(2).unwrap();
    assert!(headings.find("hostname") < headings.find("summary"), "{headings}");
    assert!(headings.contains("hostname"), "{headings}");
    assert!(user.keys("ja").screen().contains("3 of 27 messages"), "{}", user.screen());
    assert!(user.screen().contains("the answer to #2"), "{}", user.screen());
    assert!(user.keys("a").screen().contains("2 of 27 messages"), "{}", user.screen());
    let lost = user.keys(":10<Enter>a").screen();
    assert!(lost.contains("this message is the request; no answer was captured"), "{lost}");
    let marked = user.keys("gmjmjm").screen();
    assert!(marked.contains("3 messages are marked"), "{marked}");
}

#[test]
fn times_follow_the_chosen_format() {
    let hour = 3_600_000;
    let days = [0, 20 * hour].map(|ms| {
        (ms, SocketAddr::from(SERVER), SocketAddr::from(MASTER), documented("quake3/1.2.9/1"))
    });
    let mut user = User::on(frames_at(days), (80, 24));
    for (keys, expected) in [
        ("1t", "10-12 23:06:40"),
        ("2", "10-13 19:06:40"),
        ("1tt", "times: seconds since the message before"),
        ("2t", "times: seconds since the first message"),
        ("ttt", "on this screen, since the first message"),
        ("t6t", "10-12 23:06:40.000  │"),
    ] {
        let screen = user.keys(keys).screen();
        assert!(screen.contains(expected), "{keys}: {screen}");
    }
    // Without a message, they count from the first packet.
    let one = (CLIENT.into(), SERVER.into(), b"hello".to_vec());
    let mut user = User::on(frames(&[one]), (80, 24));
    assert!(user.keys("7").screen().contains("   1 0.000 "), "{}", user.screen());
}

#[test]
fn pasted_text_finds_an_entry_of_a_menu() {
    let mut user = User::on(tour(), (100, 30));
    let paste = |user: &mut User, text: &str| {
        user.app.event(&Event::Paste(text.to_owned()));
        user.draw();
    };
    user.keys("s");
    paste(&mut user, "sum\nmary\n");
    assert!(user.screen().contains("sort by: summary"), "{}", user.screen());
    assert!(user.keys("<Enter>").screen().contains("sorted by summary"), "{}", user.screen());
    user.keys("o");
    paste(&mut user, "f");
    assert!(user.screen().contains("pasted text was ignored"), "{}", user.screen());
}

#[test]
fn a_row_of_the_ladder_is_copied() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("6jy");
    let copied = user.app.take_commands();
    let [TerminalCommand::Copy(row)] = &copied[..] else { panic!("{}", user.screen()) };
    assert!(row.starts_with('2') && row.contains("getinfo  Kf9"), "{row}");
    assert!(user.screen().contains("copied the row"), "{}", user.screen());
}

#[test]
fn a_game_of_the_statistics_becomes_a_filter() {
    let one = capture(&[(documented("quake3/1.2.9/1"), SERVER, MASTER)]);
    let mut user = User::on(one, (160, 30));
    user.keys("8<BackTab>z");
    for sum in ["1 message ", "1 flow ", "1 server "] {
        assert!(user.screen().contains(sum), "{sum}: {}", user.screen());
    }
    user.keys("=");
    assert!(user.screen().contains("filter: game == \"quake3\""), "{}", user.screen());
}

#[test]
fn a_hidden_column_is_listed_once() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("Cgame<Enter><Esc>");
    for menu in ["C", "s"] {
        let screen = user.keys(menu).keys("game").screen();
        let entries = screen.lines().filter(|line| line.contains("│  game  ")).count();
        assert_eq!(entries, 1, "{screen}");
        user.keys("<Esc>");
    }
}

#[test]
fn a_filter_of_no_messages_is_tested() {
    let mut user = User::on(capture(&[(b"hello".to_vec(), CLIENT, SERVER)]), (100, 24));
    user.keys("fquake3<Enter>");
    assert!(user.screen().contains("0 of 0 messages"), "{}", user.screen());
    assert!(!user.screen().contains("tested"), "{}", user.screen());
}

#[test]
fn lists_without_a_request_have_no_amplification() {
    let mut user = User::on(capture(&[(documented("quake3/1.1.2/1"), MASTER, CLIENT)]), (100, 30));
    user.keys("4");
    let what = " bytes of lists; none of their requests was captured";
    assert!(user.screen().contains(what), "{}", user.screen());
}

#[test]
fn panes_of_the_catalogue_have_their_own_sizes() {
    let column = |user: &User| {
        let line = user.screen().lines().nth(2).unwrap().to_owned();
        line.chars().position(|c| c == '─').zip(line.find(" quake3 ")).unwrap()
    };
    let mut user = User::on(tour(), (100, 30));
    let before = column(user.keys("9"));
    user.keys("1((((");
    assert_eq!(column(user.keys("9")), before, "{}", user.screen());
    assert_ne!(column(user.keys("((")), before, "{}", user.screen());
}

#[test]
fn counts_are_sorted_with_the_largest_first() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("3sp<Enter>");
    assert!(user.screen().contains("▼players"), "{}", user.screen());
    assert!(user.keys("sp<Enter>").screen().contains("▲players"), "{}", user.screen());
    assert!(user.keys("sname<Enter>").screen().contains("▲name"), "{}", user.screen());
}

#[test]
fn the_next_request_without_an_answer_is_found() {
    let mut user = User::on(tour(), (100, 30));
    let at = |user: &User| user.screen().lines().next().unwrap().to_owned();
    user.keys("!");
    assert!(at(&user).contains("10 of 27"), "{}", at(&user));
    user.keys("!");
    assert!(at(&user).contains("11 of 27"), "{}", at(&user));
}

#[test]
fn keys_of_other_programs_name_ours() {
    let mut user = User::on(tour(), (100, 30));
    assert!(user.keys("K").screen().contains("K of vim is i here"), "{}", user.screen());
    assert!(user.keys("J").screen().contains("? shows the keys"), "{}", user.screen());
    user.keys(":q<Enter>");
    assert_eq!(user.app.take_commands(), [crate::action::TerminalCommand::Quit]);
}

#[test]
fn the_mouse_presses_keys_at_the_bottom_and_opens_menus() {
    let mut user = User::on(tour(), (100, 30));
    let footer = user.screen().lines().last().unwrap().to_owned();
    let column = footer.find("? help").unwrap() as u16 - 1;
    user.click(column, 29);
    assert!(user.screen().contains("┌─ keys"), "{}", user.screen());
    user.keys("<Esc>");
    user.mouse(MouseEventKind::Down(MouseButton::Right), 30, 5);
    assert!(user.screen().contains("message #3: go to"), "{}", user.screen());
    assert!(user.screen().lines().next().unwrap().contains("3 of 27"), "{}", user.screen());
}

#[test]
fn long_paths_keep_their_names() {
    let path = "/a/long/way/to/the/folder/with/the/captures/of/the/tour.pcapng";
    let mut user =
        User::with(tour(), (80, 24), |options| Options { title: path.to_owned(), ..options });
    user.load(usize::MAX);
    assert!(user.screen().contains("…"), "{}", user.screen());
    assert!(user.screen().contains("tour.pcapng "), "{}", user.screen());
}

#[test]
fn help_is_in_two_columns_where_there_is_space() {
    let mut user = User::on(tour(), (140, 50));
    let screen = user.keys("?").screen();
    let line = screen.lines().find(|line| line.contains("screens")).unwrap();
    assert!(line.contains("display"), "{screen}");
    let mut user = User::on(tour(), (100, 50));
    let screen = user.keys("?").screen();
    let line = screen.lines().find(|line| line.contains("screens")).unwrap();
    assert!(!line.contains("display"), "{screen}");
}
