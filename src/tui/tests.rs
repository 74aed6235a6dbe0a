//! The interface as a person uses it: keys in, screens out.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use parking_lot::Mutex;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

use super::action::Effect;
use super::stage::Stage;
use crate::capture::Input;
use crate::dump::{Colour, Secrets};
use crate::session::{Loader, Session};

const MASTER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(198, 51, 100, 1), 27950);
const SERVER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 10), 27960);
const CLIENT: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(203, 0, 113, 77), 49152);

/// A server registers, a client finds it, asks it and connects: documented messages, by their ids.
const STORY: &[(&str, SocketAddrV4, SocketAddrV4)] = &[
    ("quake3/1.2.9/1", SERVER, MASTER),
    ("rtcw/8.2/1", MASTER, SERVER),
    ("quake3/1.2.2/1", SERVER, MASTER),
    ("quake3/1.1.1/1", CLIENT, MASTER),
    ("quake3/1.1.2/1", MASTER, CLIENT),
    ("quake3/1.2.3/2", CLIENT, SERVER),
    ("quake3/1.2.4/2", SERVER, CLIENT),
    ("quake3/1.2.5/1", CLIENT, SERVER),
    ("quake3/1.2.6/1", SERVER, CLIENT),
    ("quake3/1.2.7/1", CLIENT, SERVER),
    ("quake3/1.2.8/1", SERVER, CLIENT),
];

fn documented(id: &str) -> Vec<u8> {
    let mut lines = include_str!("../../tests/data/messages.jsonl").lines();
    let found = lines.find_map(|line| {
        let m: serde_json::Value = serde_json::from_str(line).unwrap();
        (m["id"] == id).then(|| hex::decode(m["hex"].as_str().unwrap()).unwrap())
    });
    found.unwrap_or_else(|| panic!("{id} is documented"))
}

/// A classic capture of raw IP packets, one every 125 milliseconds.
fn capture(messages: &[(Vec<u8>, SocketAddrV4, SocketAddrV4)]) -> Arc<[u8]> {
    let mut pcap = Vec::new();
    for n in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65535, 101u32] {
        pcap.extend(n.to_le_bytes());
    }
    for (i, (payload, from, to)) in (0u32..).zip(messages) {
        let packet = etherparse::PacketBuilder::ipv4(from.ip().octets(), to.ip().octets(), 64)
            .udp(from.port(), to.port());
        let mut bytes = Vec::new();
        packet.write(&mut bytes, payload).unwrap();
        let len = bytes.len() as u32;
        for n in [1_066_000_000 + i / 8, i % 8 * 125_000, len, len] {
            pcap.extend(n.to_le_bytes());
        }
        pcap.extend(bytes);
    }
    pcap.into()
}

fn story() -> Arc<[u8]> {
    let messages: Vec<_> =
        STORY.iter().map(|(id, from, to)| (documented(id), *from, *to)).collect();
    capture(&messages)
}

/// The interface before a terminal of its own.
struct Seat {
    stage: Stage,
    session: Arc<Mutex<Session>>,
    loader: Loader,
    terminal: Terminal<TestBackend>,
}

impl Seat {
    fn unread(bytes: Arc<[u8]>, (width, height): (u16, u16), colour: Colour) -> Self {
        let input = Input::Memory { name: "story".to_owned(), bytes };
        let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
        let session = Arc::new(Mutex::new(session));
        let title = "story.pcap".to_owned();
        let stage = Stage::new(Arc::clone(&session), title, Secrets::Masked, colour);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut seat = Self { stage, session, loader, terminal };
        seat.draw();
        seat
    }

    fn on(bytes: Arc<[u8]>, size: (u16, u16)) -> Self {
        let mut seat = Self::unread(bytes, size, Colour::Ansi);
        seat.load(usize::MAX);
        seat
    }

    fn load(&mut self, frames: usize) {
        self.loader.load(&mut self.session.lock(), frames);
        self.draw();
    }

    fn draw(&mut self) {
        while self.stage.tick() {}
        self.terminal.draw(|frame| self.stage.draw(frame)).unwrap();
    }

    /// Presses keys: `j`, `<Tab>`, `<C-d>`.
    fn keys(&mut self, keys: &str) -> &mut Self {
        let mut left = keys;
        while let Some(c) = left.chars().next() {
            let named = left.strip_prefix('<').and_then(|named| named.split_once('>'));
            let (event, rest) = if let Some((name, rest)) = named {
                (key(name), rest)
            } else {
                (KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), &left[c.len_utf8()..])
            };
            left = rest;
            self.stage.event(&Event::Key(event));
            self.draw();
        }
        self
    }

    fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) -> &mut Self {
        let modifiers = KeyModifiers::NONE;
        self.stage.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
        self.draw();
        self
    }

    fn click(&mut self, column: u16, row: u16) -> &mut Self {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row)
    }

    fn screen(&self) -> String {
        self.terminal.backend().to_string()
    }

    /// What is marked on the screen: reversed or underlined; the rest is left blank.
    fn marks(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let mut out = String::new();
        for y in 0..buffer.area.height {
            let row: String = (0..buffer.area.width)
                .map(|x| {
                    let cell = &buffer[(x, y)];
                    let marks = Modifier::REVERSED | Modifier::UNDERLINED;
                    if cell.modifier.intersects(marks) { cell.symbol() } else { " " }
                })
                .collect();
            writeln!(out, "{}", row.trim_end()).unwrap();
        }
        out
    }
}

fn key(name: &str) -> KeyEvent {
    if let Some(c) = name.strip_prefix("C-").and_then(|c| c.chars().next()) {
        return KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
    }
    let code = match name {
        "Tab" => KeyCode::Tab,
        "BackTab" => KeyCode::BackTab,
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Backspace" => KeyCode::Backspace,
        other => panic!("no key {other}"),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

#[test]
fn a_row_says_what_the_capture_lacks() {
    let one = capture(&[(documented("quake3/1.2.9/1"), SERVER, MASTER)]);
    let (header, record) = one.split_at(24);
    let (times, packet) = record.split_at(8);
    let captured = packet.len() - 8 - 5;
    let cut = [header, times, &(captured as u32).to_le_bytes(), &packet[4..8 + captured]].concat();
    let screen = Seat::on(cut.into(), (120, 40)).screen();
    assert!(screen.contains("QuakeAre ! the capture lacks 5 bytes of it"), "{screen}");
}

#[test]
fn the_list_stands_above_fields_and_bytes() {
    insta::assert_snapshot!("list_80x24", Seat::on(story(), (80, 24)).screen());
    insta::assert_snapshot!("list_120x40", Seat::on(story(), (120, 40)).keys("jjjj").screen());
}

#[test]
fn fields_mark_their_bytes_and_bytes_their_field() {
    let mut seat = Seat::on(story(), (120, 40));
    seat.keys("jj<Enter>jjjjj");
    let by_field = seat.marks();
    insta::assert_snapshot!("marked_by_field", by_field);
    // Four bytes into the same pair, from the other side.
    seat.keys("<Tab><Right><Right>");
    insta::assert_snapshot!("marked_by_byte", seat.marks());
}

#[test]
fn the_coded_text_of_connect_has_its_own_pane() {
    let mut seat = Seat::on(story(), (120, 40));
    seat.keys("/connect <Enter><Esc>");
    seat.keys("gjjjjjjjjj<Tab><Tab><Tab>jjj");
    insta::assert_snapshot!("connect_120x40", seat.screen());
    let mut small = Seat::on(story(), (80, 24));
    small.keys("jjjjjjjjj<Enter>jj<Enter>");
    insta::assert_snapshot!("connect_80x24", small.screen());
}

#[test]
fn searching_finds_rows_and_fields_while_typing() {
    let mut seat = Seat::on(story(), (80, 24));
    seat.keys("/q3dm");
    insta::assert_snapshot!("search_typing", seat.screen());
    seat.keys("<Enter><Tab>");
    insta::assert_snapshot!("search_found", seat.screen());
    seat.keys("n");
    assert!(seat.screen().contains("7 of 11"), "{}", seat.screen());
    seat.keys("/nothing of that kind<Enter>");
    assert!(seat.screen().contains("not found: nothing of that kind"), "{}", seat.screen());
    seat.keys("<Esc>g/#10<Esc>");
    assert!(seat.screen().contains("1 of 11"), "{}", seat.screen());
    seat.keys("/#10<Enter>N");
    assert!(seat.screen().contains("10 of 11"), "{}", seat.screen());
}

#[test]
fn help_reasons_and_warnings_lie_over_the_panes() {
    let mut seat = Seat::on(story(), (80, 24));
    insta::assert_snapshot!("help_80x24", seat.keys("?").screen());
    insta::assert_snapshot!("help_end", seat.keys("G").screen());
    insta::assert_snapshot!("reasons", seat.keys("qr").screen());
    seat.keys("q");
    assert_eq!(seat.stage.take(), []);
    assert_eq!({ seat.keys("q").stage.take() }, [Effect::Quit]);
    let mut cut = story().to_vec();
    cut.truncate(cut.len() - 3);
    let mut seat = Seat::on(cut.into(), (80, 24));
    assert!(seat.screen().contains("1 warning"), "{}", seat.screen());
    insta::assert_snapshot!("warnings", seat.keys("w").screen());
}

#[test]
fn a_list_that_grows_can_be_scrolled_and_followed() {
    let messages: Vec<_> =
        (0..400).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut seat = Seat::unread(capture(&messages), (80, 24), Colour::Ansi);
    insta::assert_snapshot!("nothing_yet", seat.screen());
    seat.load(100);
    seat.keys("<C-d><C-d>");
    insta::assert_snapshot!("while_reading", seat.screen());
    seat.keys("G");
    seat.load(100);
    assert!(seat.screen().contains("following · 200 of 200 messages"), "{}", seat.screen());
    seat.keys("k");
    seat.load(100);
    assert!(seat.screen().contains("199 of 300 messages"), "{}", seat.screen());
    seat.load(usize::MAX);
    assert!(seat.screen().contains("199 of 400 messages · 1 flow"), "{}", seat.screen());
}

#[test]
fn times_zoom_and_separators_change_what_is_shown() {
    let mut seat = Seat::on(story(), (80, 24));
    insta::assert_snapshot!("utc", seat.keys("jt").screen());
    insta::assert_snapshot!("zoomed", seat.keys("t<Tab><Tab>z").screen());
    seat.keys("<Esc><Esc>j<Tab>.");
    insta::assert_snapshot!("separators", seat.screen());
}

#[test]
fn a_terminal_may_be_small_or_without_colour() {
    let seat = Seat::on(story(), (39, 9));
    assert!(seat.screen().contains("too small"), "{}", seat.screen());
    insta::assert_snapshot!("least", Seat::on(story(), (40, 10)).screen());
    let mut seat = Seat::unread(story(), (80, 24), Colour::Plain);
    seat.load(usize::MAX);
    seat.keys("jj<Tab>jjj");
    let buffer = seat.terminal.backend().buffer();
    let plain = |c: &ratatui::buffer::Cell| [c.fg, c.bg] == [ratatui::style::Color::Reset; 2];
    assert!(buffer.content().iter().all(plain));
    insta::assert_snapshot!("without_colour", seat.marks());
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let mut seat = Seat::on(story(), (80, 24));
    seat.click(20, 4);
    assert!(seat.screen().contains("3 of 11"), "{}", seat.screen());
    seat.click(5, 15);
    insta::assert_snapshot!("clicked_field", seat.marks());
    seat.click(50, 14);
    insta::assert_snapshot!("clicked_byte", seat.marks());
    seat.mouse(MouseEventKind::ScrollDown, 60, 15);
    seat.mouse(MouseEventKind::ScrollDown, 3, 15);
    seat.mouse(MouseEventKind::ScrollDown, 3, 3);
    insta::assert_snapshot!("wheeled", seat.screen());
}

#[test]
fn what_is_copied_is_what_is_seen() {
    let mut seat = Seat::on(story(), (80, 24));
    seat.keys("y");
    let [Effect::Copy(row)] = &seat.stage.take()[..] else { panic!("a row is copied") };
    assert!(row.contains("heartbeat QuakeArena-1"), "{row}");
    seat.keys("<Tab>Gy<Tab>Y");
    let copied = seat.stage.take();
    let hex = hex::encode("QuakeArena-1");
    assert_eq!(copied, [Effect::Copy("QuakeArena-1".to_owned()), Effect::Copy(hex)]);
    // The key of the player stays hidden, as text, as digits and in a search.
    seat.keys("<Esc>/connect<Enter>gjjjjjjjjj<Tab>/8A00DE3C<Enter>");
    assert!(seat.screen().contains("not found"), "{}", seat.screen());
    seat.keys("/cl_guid<Enter>yY");
    assert_eq!(seat.stage.take(), []);
    assert!(seat.screen().contains("--show-secrets"), "{}", seat.screen());
    seat.keys("G<Tab>Y<Tab>");
    assert!(!seat.screen().contains("8A00DE3C"), "{}", seat.screen());
}

#[test]
fn nothing_but_packets_is_said_so() {
    let seat = Seat::on(self::capture(&[(b"hello".to_vec(), CLIENT, SERVER)]), (80, 24));
    let said = "no message of a known protocol in 1 packet";
    assert!(seat.screen().contains(said), "{}", seat.screen());
}

fn anything() -> impl Strategy<Value = Event> {
    let codes = prop_oneof![
        prop::sample::select("jkhlgGnNrtFz+.yYw?q/ a#1\u{1b}ö日".chars().collect::<Vec<_>>())
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn nothing_that_is_done_to_it_breaks_it(events in prop::collection::vec(anything(), 1..80)) {
        let mut seat = Seat::unread(story(), (80, 24), Colour::Ansi);
        for (i, event) in events.iter().enumerate() {
            if i % 7 == 3 {
                seat.load(2);
            }
            if let Event::Resize(width, height) = event {
                seat.terminal.backend_mut().resize((*width).max(1), (*height).max(1));
            }
            seat.stage.event(event);
            seat.draw();
            prop_assert!(!seat.screen().contains("8A00DE3C"));
        }
    }
}
