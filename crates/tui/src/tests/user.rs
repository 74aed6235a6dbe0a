//! A simulated user: a session of documented messages, a keyboard, a mouse, a screen.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use etherparse::PacketBuilder;
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

use crate::app::App;
use crate::export::Saves;
use crate::options::Options;
use analysis::{Loader, Session};
use capture::Input;
use render::Colour;

pub const MASTER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(198, 51, 100, 1), 27950);
pub const SERVER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 10), 27960);
pub const CLIENT: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(203, 0, 113, 77), 49152);

/// A server registers, a client lists, queries and connects: documented messages, by their ids.
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

pub fn documented(id: &str) -> Vec<u8> {
    let found = test_data::documented().into_iter().find(|message| message.id == id);
    found.unwrap_or_else(|| panic!("{id} is documented")).payload
}

/// A classic capture of raw IP packets, one every 125 milliseconds.
pub fn frames(messages: &[(SocketAddr, SocketAddr, Vec<u8>)]) -> Arc<[u8]> {
    let timed = (0_u32..).zip(messages);
    frames_at(timed.map(|(i, (from, to, payload))| (125 * i, *from, *to, payload.clone())))
}

/// The same with their times, in milliseconds.
pub fn frames_at(
    messages: impl IntoIterator<Item = (u32, SocketAddr, SocketAddr, Vec<u8>)>,
) -> Arc<[u8]> {
    let mut pcap = Vec::new();
    for n in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65535, 101u32] {
        pcap.extend(n.to_le_bytes());
    }
    for (ms, from, to, payload) in messages {
        let packet = match (from.ip(), to.ip()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => PacketBuilder::ipv4(a.octets(), b.octets(), 64),
            (IpAddr::V6(a), IpAddr::V6(b)) => PacketBuilder::ipv6(a.octets(), b.octets(), 64),
            ends => panic!("{ends:?} cannot talk"),
        };
        let mut bytes = Vec::new();
        packet.udp(from.port(), to.port()).write(&mut bytes, &payload).unwrap();
        let len = bytes.len() as u32;
        for n in [1_066_000_000 + ms / 1_000, ms % 1_000 * 1_000, len, len] {
            pcap.extend(n.to_le_bytes());
        }
        pcap.extend(bytes);
    }
    pcap.into()
}

pub fn capture(messages: &[(Vec<u8>, SocketAddrV4, SocketAddrV4)]) -> Arc<[u8]> {
    let messages = messages.iter().map(|(payload, from, to)| {
        (SocketAddr::from(*from), SocketAddr::from(*to), payload.clone())
    });
    frames(&messages.collect::<Vec<_>>())
}

/// The built-in tour.
pub fn tour() -> Arc<[u8]> {
    include_bytes!("../../../../captures/tour.pcapng").as_slice().into()
}

pub fn story() -> Arc<[u8]> {
    let messages: Vec<_> =
        STORY.iter().map(|(id, from, to)| (documented(id), *from, *to)).collect();
    capture(&messages)
}

/// The interface with its own terminal.
pub struct User {
    pub app: App,
    session: Arc<Mutex<Session>>,
    loader: Loader,
    /// The directory of exports.
    pub folder: tempfile::TempDir,
    pub terminal: Terminal<TestBackend>,
}

impl User {
    pub fn unread(bytes: Arc<[u8]>, size: (u16, u16), colour: Colour) -> Self {
        Self::with(bytes, size, |options| options.coloured(colour))
    }

    /// An interface that starts in another way.
    pub fn with(
        bytes: Arc<[u8]>,
        size: (u16, u16),
        change: impl FnOnce(Options) -> Options,
    ) -> Self {
        Self::reading(Input::Memory { name: "story".to_owned(), bytes }, size, change)
    }

    /// The same with any input.
    pub fn reading(
        input: Input,
        (width, height): (u16, u16),
        change: impl FnOnce(Options) -> Options,
    ) -> Self {
        let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
        let session = Arc::new(Mutex::new(session));
        let folder = tempfile::tempdir().unwrap();
        let saves =
            Saves { folder: folder.path().into(), stem: "story".to_owned(), inputs: Vec::new() };
        let options = change(Options::new("story.pcap", saves));
        let app = App::new(Arc::clone(&session), options);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut user = Self { app, session, loader, folder, terminal };
        user.draw();
        user
    }

    pub fn on(bytes: Arc<[u8]>, size: (u16, u16)) -> Self {
        let mut user = Self::unread(bytes, size, Colour::Ansi);
        user.load(usize::MAX);
        user
    }

    pub fn load(&mut self, frames: usize) {
        self.loader.load(&mut self.session.lock(), frames);
        self.draw();
    }

    /// Keeps only this many messages, as a live capture does.
    pub fn keep_last(&mut self, messages: usize) {
        self.session.lock().keep_last(messages);
    }

    /// Waits until the running export has ended.
    pub fn saved(&mut self) {
        while self.app.is_saving() {
            self.app.tick();
            std::thread::yield_now();
        }
        self.draw();
    }

    pub fn draw(&mut self) {
        while self.app.tick() || self.app.next_work().is_some() {
            std::thread::yield_now();
        }
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
    }

    /// Presses keys: `j`, `<Tab>`, `<C-d>`.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut left = keys;
        while let Some(c) = left.chars().next() {
            let named = left.strip_prefix('<').and_then(|named| named.split_once('>'));
            let (event, rest) = if let Some((name, rest)) = named {
                (key(name), rest)
            } else {
                (KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), &left[c.len_utf8()..])
            };
            left = rest;
            self.app.event(&Event::Key(event));
            self.draw();
        }
        self
    }

    pub fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) -> &mut Self {
        let modifiers = KeyModifiers::NONE;
        self.app.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
        self.draw();
        self
    }

    pub fn click(&mut self, column: u16, row: u16) -> &mut Self {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row)
    }

    pub fn screen(&self) -> String {
        self.terminal.backend().to_string()
    }

    /// The marked cells of the screen: reversed or underlined; the rest is blank.
    pub fn marks(&self) -> String {
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
    let (modifiers, name) = match name.split_at_checked(2) {
        Some(("C-", rest)) => (KeyModifiers::CONTROL, rest),
        Some(("A-", rest)) => (KeyModifiers::ALT, rest),
        Some(("S-", rest)) => (KeyModifiers::SHIFT, rest),
        _ => (KeyModifiers::NONE, name),
    };
    let mut letters = name.chars();
    let code = match (name, letters.next(), letters.next()) {
        ("↑" | "Up", ..) => KeyCode::Up,
        ("↓" | "Down", ..) => KeyCode::Down,
        ("←" | "Left", ..) => KeyCode::Left,
        ("→" | "Right", ..) => KeyCode::Right,
        (_, Some(c), None) => KeyCode::Char(c),
        ("Tab", ..) if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        ("Tab", ..) => KeyCode::Tab,
        ("BackTab", ..) => KeyCode::BackTab,
        ("Enter", ..) => KeyCode::Enter,
        ("Esc", ..) => KeyCode::Esc,
        ("PgUp", ..) => KeyCode::PageUp,
        ("PgDn", ..) => KeyCode::PageDown,
        ("Home", ..) => KeyCode::Home,
        ("End", ..) => KeyCode::End,
        ("Space", ..) => KeyCode::Char(' '),
        ("F1", ..) => KeyCode::F(1),
        ("Backspace", ..) => KeyCode::Backspace,
        (other, ..) => panic!("no key {other}"),
    };
    KeyEvent::new(code, modifiers)
}
