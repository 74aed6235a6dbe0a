//! The interface as users see it: keys in, screens out.

mod annotated;
mod browsing;
mod editing;
mod export;
mod filtering;
mod key_table;
mod ladder;
mod lists;
mod live;
mod options;
mod questions;
mod refusals;
mod rows;
mod screens;
mod searching;
mod statistics;
mod user;

use std::fmt::Write as _;
use std::net::SocketAddr;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use proptest::prelude::*;

use super::action::TerminalCommand;
use render::Colour;
use user::{CLIENT, MASTER, SERVER, User, capture, documented, frames, story};

#[test]
fn a_row_shows_how_many_bytes_are_missing() {
    let one = capture(&[(documented("quake3/1.2.9/1"), SERVER, MASTER)]);
    let (header, record) = one.split_at(24);
    let (times, packet) = record.split_at(8);
    let captured = packet.len() - 8 - 5;
    let cut = [header, times, &(captured as u32).to_le_bytes(), &packet[4..8 + captured]].concat();
    let screen = User::on(cut.into(), (120, 40)).screen();
    assert!(screen.contains("QuakeAre ! 5 bytes were not captured"), "{screen}");
}

#[test]
fn the_list_stands_above_fields_and_bytes() {
    insta::assert_snapshot!("list_80x24", User::on(story(), (80, 24)).screen());
    insta::assert_snapshot!("list_120x40", User::on(story(), (120, 40)).keys("jjjj").screen());
}

#[test]
fn fields_mark_their_bytes_and_bytes_their_field() {
    let mut user = User::on(story(), (120, 40));
    user.keys("vjj<Enter>jjjjj");
    let by_field = user.marks();
    insta::assert_snapshot!("marked_by_field", by_field);
    // Four bytes into the same pair, from the other side.
    user.keys("<Tab><Right><Right>");
    insta::assert_snapshot!("marked_by_byte", user.marks());
}

#[test]
fn the_coded_text_of_connect_has_its_own_pane() {
    let mut user = User::on(story(), (120, 40));
    user.keys("v/connect <Enter><Esc>");
    user.keys("gjjjjjjjjj<Tab><Tab><Tab>jjj");
    insta::assert_snapshot!("connect_120x40", user.screen());
    let mut small = User::on(story(), (80, 24));
    small.keys("vjjjjjjjjj<Enter>jj<Enter>");
    insta::assert_snapshot!("connect_80x24", small.screen());
}

#[test]
fn searching_finds_rows_and_fields_while_typing() {
    let mut user = User::on(story(), (80, 24));
    user.keys("/q3dm");
    insta::assert_snapshot!("search_typing", user.screen());
    user.keys("<Enter><Tab>");
    insta::assert_snapshot!("search_found", user.screen());
    user.keys("n");
    assert!(user.screen().contains("7 of 11"), "{}", user.screen());
    user.keys("/nothing of that kind<Enter>");
    assert!(user.screen().contains("not found: nothing of that kind"), "{}", user.screen());
    user.keys("<Esc><Esc>g/#10<Esc>");
    assert!(user.screen().contains("1 of 11"), "{}", user.screen());
    user.keys("/#10<Enter>N");
    assert!(user.screen().contains("10 of 11"), "{}", user.screen());
}

#[test]
fn help_reasons_and_warnings_are_overlays() {
    let mut user = User::on(story(), (80, 24));
    insta::assert_snapshot!("help_80x24", user.keys("?").screen());
    insta::assert_snapshot!("help_end", user.keys("G").screen());
    insta::assert_snapshot!("reasons", user.keys("qr").screen());
    user.keys("q");
    assert_eq!(user.app.take_commands(), []);
    assert_eq!({ user.keys("q").app.take_commands() }, [TerminalCommand::Quit]);
    let mut cut = story().to_vec();
    cut.truncate(cut.len() - 3);
    let mut user = User::on(cut.into(), (80, 24));
    assert!(user.screen().contains("1 warning"), "{}", user.screen());
    insta::assert_snapshot!("warnings", user.keys("w").screen());
}

#[test]
fn a_list_that_grows_can_be_scrolled_and_followed() {
    let messages: Vec<_> =
        (0..400).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut user = User::unread(capture(&messages), (80, 24), Colour::Ansi);
    insta::assert_snapshot!("nothing_yet", user.screen());
    user.load(100);
    user.keys("<C-d><C-d>");
    insta::assert_snapshot!("while_reading", user.screen());
    user.keys("G");
    user.load(100);
    assert!(user.screen().contains("following · 200 of 200 messages"), "{}", user.screen());
    user.keys("k");
    user.load(100);
    assert!(user.screen().contains("199 of 300 messages"), "{}", user.screen());
    user.load(usize::MAX);
    assert!(user.screen().contains("199 of 400 messages · 1 flow"), "{}", user.screen());
}

#[test]
fn times_zoom_and_separators_change_what_is_shown() {
    let mut user = User::on(story(), (80, 24));
    insta::assert_snapshot!("utc", user.keys("jt").screen());
    insta::assert_snapshot!("zoomed", user.keys("tt<Tab><Tab>z").screen());
    user.keys("<Esc><Esc>j<Tab>.");
    insta::assert_snapshot!("separators", user.screen());
}

#[test]
fn a_terminal_may_be_small_or_without_colour() {
    let user = User::on(story(), (39, 9));
    assert!(user.screen().contains("too small"), "{}", user.screen());
    insta::assert_snapshot!("least", User::on(story(), (40, 10)).screen());
    let mut user = User::unread(story(), (80, 24), Colour::Plain);
    user.load(usize::MAX);
    user.keys("jj<Tab>jjj");
    let buffer = user.terminal.backend().buffer();
    let plain = |c: &ratatui::buffer::Cell| [c.fg, c.bg] == [ratatui::style::Color::Reset; 2];
    assert!(buffer.content().iter().all(plain));
    insta::assert_snapshot!("without_colour", user.marks());
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let mut user = User::on(story(), (80, 24));
    user.keys("v").click(20, 5);
    assert!(user.screen().contains("3 of 11"), "{}", user.screen());
    user.click(5, 15);
    insta::assert_snapshot!("clicked_field", user.marks());
    user.click(50, 14);
    insta::assert_snapshot!("clicked_byte", user.marks());
    user.mouse(MouseEventKind::ScrollDown, 60, 15);
    user.mouse(MouseEventKind::ScrollDown, 3, 15);
    user.mouse(MouseEventKind::ScrollDown, 3, 3);
    insta::assert_snapshot!("wheeled", user.screen());
}

#[test]
fn copied_text_is_the_shown_text() {
    let mut user = User::on(story(), (80, 24));
    user.keys("y");
    let [TerminalCommand::Copy(row)] = &user.app.take_commands()[..] else {
        panic!("a row is copied")
    };
    assert!(row.contains("heartbeat QuakeArena-1"), "{row}");
    user.keys("<Tab>Gy<Tab>Yh");
    let copied = user.app.take_commands();
    let hex = hex::encode("QuakeArena-1");
    assert_eq!(
        copied,
        [TerminalCommand::Copy("QuakeArena-1".to_owned()), TerminalCommand::Copy(hex)]
    );
    // The key of the player stays hidden, as text, as digits and in a search.
    user.keys("<Esc>/connect<Enter>gjjjjjjjjj<Tab>/8A00DE3C<Enter>");
    assert!(user.screen().contains("not found"), "{}", user.screen());
    user.keys("<Esc>/cl_guid<Enter>yY");
    assert_eq!(user.app.take_commands(), []);
    assert!(user.screen().contains("this is masked; U shows secrets"), "{}", user.screen());
    user.keys("G<Tab>Y<Tab>");
    assert!(!user.screen().contains("8A00DE3C"), "{}", user.screen());
}

#[test]
fn long_addresses_wide_letters_and_faults_keep_their_columns() {
    let server: SocketAddr = "[2001:db8:aaaa:bbbb:cccc:dddd:eeee:5c]:27960".parse().unwrap();
    let client: SocketAddr = "[2001:db8::77]:49152".parse().unwrap();
    let status =
        "\u{ff}\u{ff}\u{ff}\u{ff}statusResponse\n\\hostname\\日本語のサーバ \u{1b}[31m\u{202e}\n";
    let status = [&[0xff; 4][..], &status.as_bytes()[8..], b"5 50 \"\xf6\x07\"\n"].concat();
    let messages = [
        (client, server, b"\xff\xff\xff\xffgetstatus".to_vec()),
        (server, client, status),
        (client, server, b"\xff\xff\xff\xffgetservers 40000000000000000000".to_vec()),
    ];
    let mut user = User::on(frames(&messages), (100, 30));
    user.keys("j<Tab>jjj");
    insta::assert_snapshot!("wide", user.screen());
    user.keys("<Esc>j");
    insta::assert_snapshot!("fault", user.screen());
}

/// A player with colours on a server of each family, and a name in Latin-1.
fn colourful() -> Vec<(SocketAddr, SocketAddr, Vec<u8>)> {
    let server = |port| SocketAddr::from(([192, 0, 2, 10], port));
    let client = SocketAddr::from(CLIENT);
    let quake3 = b"\xff\xff\xff\xffstatusResponse\n\\sv_hostname\\^1Red^7 and ^4blue\n\
        5 50 \"^0Dark^3Gr\xfcn\"\n";
    let quakeworld = b"\xff\xff\xff\xffn\\hostname\\\xc7\xef\xec\xe4 \x90\x93\x91\\map\\dm6\n\
        7 0 0 41 \"\x9d\xf0ast\" \"base\" 4 4\n\0";
    let unreal = b"\\gamename\\ut\\hostname\\\x1b\xff\x01\x01Hot\x1b\xff\xff\xff Caf\xe9\\queryid\\9.1\\final\\";
    vec![
        (client, server(27960), b"\xff\xff\xff\xffgetstatus\n".to_vec()),
        (server(27960), client, quake3.to_vec()),
        (client, server(27500), b"\xff\xff\xff\xffstatus\n\0".to_vec()),
        (server(27500), client, quakeworld.to_vec()),
        (client, server(7778), b"\\status\\".to_vec()),
        (server(7778), client, unreal.to_vec()),
    ]
}

/// The rows of the screen that hold `text`, each run of its own colour in brackets.
fn coloured(user: &User, text: &str) -> String {
    use ratatui::style::Color;
    let buffer = user.terminal.backend().buffer();
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let cells = (0..buffer.area.width).map(|x| &buffer[(x, y)]).collect::<Vec<_>>();
        let row: String = cells.iter().map(|cell| cell.symbol()).collect();
        if !row.contains(text) {
            continue;
        }
        for run in cells.chunk_by(|a, b| a.fg == b.fg) {
            let text: String = run.iter().map(|cell| cell.symbol()).collect();
            match run[0].fg {
                Color::Reset => out.push_str(&text),
                colour => write!(out, "{colour:?}[{text}]").unwrap(),
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

#[test]
fn names_have_their_colours_and_a_key_shows_their_codes() {
    let mut user = User::on(frames(&colourful()), (120, 30));
    user.keys("<Tab>");
    let with_colours = ["Red and", "Gold [1]", "Hot"].map(|name| coloured(&user, name)).concat();
    insta::assert_snapshot!("colours_of_rows", with_colours);
    user.keys("<Esc>j<Tab>jjj");
    insta::assert_snapshot!("colours_of_fields", coloured(&user, "and blue") + &user.screen());
    user.keys("jj<Right>jjj");
    insta::assert_snapshot!("latin", coloured(&user, "DarkGr") + &user.screen());
    user.keys("c");
    insta::assert_snapshot!("as_sent", user.screen());
    // Text matches without its colour codes.
    user.keys("<Esc>g/Gold [1]<Enter>");
    assert!(user.screen().contains("4 of 6"), "{}", user.screen());
    user.keys("g/DarkGr\u{fc}n<Enter>");
    assert!(user.screen().contains("2 of 6"), "{}", user.screen());
}

#[test]
fn without_colour_texts_keep_their_codes() {
    let mut user = User::unread(frames(&colourful()), (120, 30), Colour::Plain);
    user.load(usize::MAX);
    assert!(user.screen().contains("^1Red^7 and ^4blue"), "{}", user.screen());
    user.keys("c");
    assert!(user.screen().contains("Red and blue"), "{}", user.screen());
}

#[test]
fn a_key_opens_the_specification_at_the_message() {
    let mut user = User::on(story(), (80, 24));
    user.keys("jjji");
    insta::assert_snapshot!("specification", user.screen());
    insta::assert_snapshot!("specification_scrolled", user.keys("<PgDn>jjk").screen());
    // After a resize, the section stays.
    user.keys("<Esc>i");
    user.terminal.backend_mut().resize(50, 20);
    user.draw();
    insta::assert_snapshot!("specification_narrow", user.screen());
    assert!(user.keys("g").screen().contains("quake3: Quake III Arena"), "{}", user.screen());
    let last = user.keys("G").screen();
    assert!(!last.contains("more, ↓"), "{last}");
    assert!(user.keys("<Esc>").screen().contains("─ annotated bytes"), "{}", user.screen());
}

#[test]
fn reasons_list_the_errors_of_a_dead_master() {
    let dead = include_bytes!("../../../captures/quake3/dead-master.pcapng");
    let mut user = User::on(dead.as_slice().into(), (100, 30));
    insta::assert_snapshot!("reasons_with_errors", user.keys("r").screen());
}

#[test]
fn a_capture_without_messages_has_a_note() {
    let user = User::on(self::capture(&[(b"hello".to_vec(), CLIENT, SERVER)]), (80, 24));
    let expected = "no message of a known protocol in 1 packet";
    assert!(user.screen().contains(expected), "{}", user.screen());
}

fn anything() -> impl Strategy<Value = Event> {
    let codes = prop_oneof![
        prop::sample::select(
            "jkhlgGnNrtFfz+.csyYw?q/ a#1234567L[]EERPdm'\";%vu=-0f\u{1b}ö日"
                .chars()
                .collect::<Vec<_>>()
        )
        .prop_map(KeyCode::Char),
        prop::sample::select(vec![
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::PageDown,
            KeyCode::PageUp,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Backspace,
            KeyCode::Delete,
            KeyCode::F(1),
        ]),
    ];
    let modifiers = prop_oneof![
        8 => Just(KeyModifiers::NONE),
        1 => Just(KeyModifiers::CONTROL),
        1 => Just(KeyModifiers::ALT),
    ];
    let kinds = prop::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
    ]);
    let mouse = (kinds, 0..130u16, 0..45u16).prop_map(|(kind, column, row)| {
        Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    });
    prop_oneof![
        8 => (codes, modifiers).prop_map(|(code, m)| Event::Key(KeyEvent::new(code, m))),
        3 => mouse,
        1 => (0..130u16, 0..45u16).prop_map(|(w, h)| Event::Resize(w, h)),
    ]
}

/// How many sequences of events are tried; the nightly run has more.
fn rounds() -> u32 {
    let given = std::env::var("FRAGSHARK_ROUNDS").ok();
    given.and_then(|given| given.parse().ok()).map_or(60, |rounds: u32| rounds.max(60))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(), failure_persistence: None, ..Default::default() })]

    #[test]
    fn nothing_that_is_done_to_it_breaks_it(events in prop::collection::vec(anything(), 1..80)) {
        let mut user = User::unread(story(), (80, 24), Colour::Ansi);
        for (i, event) in events.iter().enumerate() {
            if i % 7 == 3 {
                user.load(2);
            }
            if let Event::Resize(width, height) = event {
                user.terminal.backend_mut().resize((*width).max(1), (*height).max(1));
            }
            user.app.event(event);
            user.draw();
            prop_assert!(!user.screen().contains("8A00DE3C"));
        }
    }
}
