//! A user of the interface: captures, a keyboard, a terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use fragshark::analysis::{Loader, Session};
use fragshark::capture::Input;
use parking_lot::Mutex;
use query::QuestionThread;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use tui::{App, Depth, Options, Saves, Themes};

/// A capture of the repository.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures").join(name)
}

/// The interface with its own terminal.
pub struct User {
    app: App,
    session: Arc<Mutex<Session>>,
    loader: Loader,
    terminal: Terminal<TestBackend>,
    /// The directory of exports.
    _folder: tempfile::TempDir,
}

impl User {
    /// An interface on captures of which nothing has been read. `16-colours` is in sixteen colours,
    /// all other themes are in true colours.
    pub fn unread(inputs: &[Input], title: &str, (width, height): (u16, u16), theme: &str) -> Self {
        let (session, loader) = Session::open(inputs, Vec::new()).unwrap();
        let session = Arc::new(Mutex::new(session));
        let folder = tempfile::tempdir().unwrap();
        let saves =
            Saves { folder: folder.path().into(), stem: "tour".to_owned(), inputs: Vec::new() };
        let depth = if theme == "16-colours" { Depth::Sixteen } else { Depth::True };
        let themes = Themes::new([], theme).reduced(depth);
        let questions = QuestionThread::start().ok();
        let options = Options { themes, questions, ..Options::new(title, saves) };
        let app = App::new(Arc::clone(&session), options);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut user = Self { app, session, loader, terminal, _folder: folder };
        user.draw();
        user
    }

    /// An interface on captures of the repository, all read.
    pub fn on(captures: &[&str], size: (u16, u16)) -> Self {
        let inputs: Vec<_> = captures.iter().map(|name| Input::File(file(name))).collect();
        let title: Vec<_> = captures.iter().filter_map(|name| name.rsplit('/').next()).collect();
        let mut user = Self::unread(&inputs, &title.join(", "), size, "16-colours");
        user.load(usize::MAX);
        user
    }

    /// Reads so many frames.
    pub fn load(&mut self, frames: usize) -> &mut Self {
        self.loader.load(&mut self.session.lock(), frames);
        self.draw();
        self
    }

    fn draw(&mut self) {
        while self.app.tick() || self.app.next_work().is_some() || self.app.is_saving() {
            std::thread::yield_now();
        }
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
    }

    /// Presses keys: `j`, `<Tab>`, `<C-d>`.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut left = keys;
        while let Some(c) = left.chars().next() {
            let named = left.strip_prefix('<').and_then(|named| named.split_once('>'));
            let plain = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            let (event, rest) =
                named.map_or((plain, &left[c.len_utf8()..]), |(name, rest)| (key(name), rest));
            left = rest;
            self.app.event(&Event::Key(event));
            self.draw();
        }
        self
    }

    /// Pastes a text.
    pub fn paste(&mut self, text: &str) -> &mut Self {
        self.app.event(&Event::Paste(text.to_owned()));
        self.draw();
        self
    }

    /// Changes the size of the terminal.
    pub fn resize(&mut self, (width, height): (u16, u16)) -> &mut Self {
        self.terminal.backend_mut().resize(width, height);
        self.draw();
        // With what the new size needs.
        self.draw();
        self
    }

    /// The cells of the terminal.
    pub fn buffer(&self) -> &Buffer {
        self.terminal.backend().buffer()
    }

    /// The text of the terminal, without blanks at the ends of lines.
    pub fn screen(&self) -> String {
        text_of(self.buffer())
    }
}

/// The text of a terminal, without blanks at the ends of lines. A wide letter has two cells, of
/// which the second is not text.
pub fn text_of(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut row = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += (unicode_width::UnicodeWidthStr::width(symbol) as u16).max(1);
        }
        out.push_str(row.trim_end());
        out.push('\n');
    }
    out
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
        (_, Some(c), None) => KeyCode::Char(c),
        ("Tab", ..) if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        ("Tab", ..) => KeyCode::Tab,
        ("Enter", ..) => KeyCode::Enter,
        ("Esc", ..) => KeyCode::Esc,
        ("Up", ..) => KeyCode::Up,
        ("Down", ..) => KeyCode::Down,
        ("Left", ..) => KeyCode::Left,
        ("Right", ..) => KeyCode::Right,
        ("PgUp", ..) => KeyCode::PageUp,
        ("PgDn", ..) => KeyCode::PageDown,
        ("Backspace", ..) => KeyCode::Backspace,
        (other, ..) => panic!("no key {other}"),
    };
    KeyEvent::new(code, modifiers)
}
