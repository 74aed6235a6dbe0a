//! A menu over the screen: a list of which one entry is chosen.

use ratatui::buffer::Buffer;

use super::action::{Motion, Step};
use super::export::SinglePacket;
use super::screens::links::{Link, LinkTarget};
use super::text::counted;
use super::widgets::frame::frame;
use super::widgets::painter::Painter;
use super::widgets::scroll::{Scroll, wheeled};
use super::widgets::style;
use super::widgets::table::row_style;
use protocol::Game;
use text::{escaped, fit, width};

/// A menu over the screen.
#[derive(Debug, Clone)]
pub struct Menu {
    heading: String,
    /// What the keys do, below the entries.
    advice: &'static str,
    items: Vec<MenuItem>,
    scroll: Scroll,
    /// What was typed: only entries that contain it are shown. None if letters choose entries.
    typed: Option<String>,
}

/// An entry.
#[derive(Debug, Clone)]
pub struct MenuItem {
    /// The key that chooses it.
    pub key: Option<char>,
    pub label: String,
    /// More on it, dim.
    pub note: String,
    pub choice: MenuChoice,
}

/// What choosing an entry does.
#[derive(Debug, Clone)]
pub enum MenuChoice {
    Go(LinkTarget),
    /// Sorts by a column.
    Sort(String),
    /// Shows or hides a column, and moves it.
    Column(String),
    /// Reads the capture again with this game for a flow; without one it is detected.
    DecodeAs(Option<&'static Game>),
    /// Copies a text.
    Copy(String),
    /// Writes the selected message to a capture of its own.
    SavePacket(Box<SinglePacket>),
    /// Puts a text into the line that is being typed.
    Insert(String),
}

/// How many columns of a text are shown before it is copied.
const NOTE: usize = 32;
/// How many rows of the terminal a menu leaves free.
const MARGIN: u16 = 4;

impl Menu {
    /// A menu of what a row leads to.
    pub fn of_links(title: &str, links: Vec<Link>) -> Self {
        let item = |Link { key, label, target }| MenuItem {
            key: Some(key),
            label,
            note: String::new(),
            choice: MenuChoice::Go(target),
        };
        let items = links.into_iter().map(item).collect();
        let advice = "Enter or the letter goes there, Backspace comes back";
        Self::new(format!("{title}: go to"), advice, items, None)
    }

    /// A menu of texts to copy.
    pub fn of_copies(
        what: &str,
        copies: Vec<(char, &'static str, String)>,
        packet: Option<SinglePacket>,
    ) -> Self {
        let item = |(key, label, text): (char, &'static str, String)| {
            let first = text.lines().next().unwrap_or_default();
            let note = fit(first, NOTE);
            let (key, label) = (Some(key), label.to_owned());
            MenuItem { key, label, note, choice: MenuChoice::Copy(text) }
        };
        let file = packet.map(|packet| MenuItem {
            key: Some('w'),
            label: "pcapng file with this packet".to_owned(),
            note: counted(packet.payload.len() as u64, "byte"),
            choice: MenuChoice::SavePacket(Box::new(packet)),
        });
        let items = copies.into_iter().map(item).chain(file).collect();
        Self::new(format!("copy {what} as"), "Enter or the letter copies", items, None)
    }

    /// A menu whose entries are found by typing.
    pub fn typed(heading: &str, advice: &'static str, items: Vec<MenuItem>) -> Self {
        Self::new(heading.to_owned(), advice, items, Some(String::new()))
    }

    fn new(
        heading: String,
        advice: &'static str,
        items: Vec<MenuItem>,
        typed: Option<String>,
    ) -> Self {
        Self { heading, advice, items, scroll: Scroll::default(), typed }
    }

    /// The same with the cursor at the first entry that `is_it`.
    #[must_use]
    pub fn at(mut self, is_it: impl Fn(&MenuItem) -> bool) -> Self {
        self.scroll.cursor = self.items.iter().position(is_it).unwrap_or(0);
        self
    }

    /// Replaces the entries; the cursor stays at the entry with the same label.
    pub fn set_items(&mut self, items: Vec<MenuItem>) {
        let label = self.chosen().map(|item| item.label.clone());
        self.items = items;
        let at = self.visible().position(|item| Some(&item.label) == label.as_ref());
        self.scroll.cursor = at.unwrap_or(self.scroll.cursor);
    }

    /// The entries that contain what was typed: first those that are it or have it as their name,
    /// then those that begin with it.
    fn visible(&self) -> impl Iterator<Item = &MenuItem> {
        let typed = self.typed.as_deref().unwrap_or_default().to_lowercase();
        let rank = |item: &MenuItem| {
            let label = item.label.to_lowercase();
            match () {
                () if typed.is_empty() || label == typed || item.note.to_lowercase() == typed => {
                    Some(0)
                }
                () if label.starts_with(&typed) => Some(1),
                () if label.contains(&typed) => Some(2),
                () => item.note.to_lowercase().contains(&typed).then_some(3),
            }
        };
        let ranked = self.items.iter().filter_map(|item| Some((rank(item)?, item)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, item)| item)
    }

    /// The entry under the cursor.
    pub fn chosen(&self) -> Option<&MenuItem> {
        self.visible().nth(self.scroll.cursor)
    }

    /// The entry that a letter chooses.
    pub fn keyed(&self, key: char) -> Option<&MenuItem> {
        self.items.iter().find(|item| item.key == Some(key) && self.typed.is_none())
    }

    /// Takes a typed character; false if letters choose entries.
    pub fn push(&mut self, c: char) -> bool {
        self.scroll = Scroll::default();
        self.typed.as_mut().map(|typed| typed.push(c)).is_some()
    }

    /// Takes pasted text; false if letters choose entries.
    pub fn paste(&mut self, text: &str) -> bool {
        self.typed.is_some()
            && text.trim().chars().filter(|c| !c.is_control()).all(|c| self.push(c))
    }

    /// Removes the last typed character; false if there is none.
    pub fn pop(&mut self) -> bool {
        self.scroll = Scroll::default();
        self.typed.as_mut().and_then(String::pop).is_some()
    }

    pub fn go(&mut self, motion: Motion, (_, rows): (u16, u16)) {
        let len = self.visible().count();
        self.scroll.go(motion, usize::from(rows.saturating_sub(MARGIN + 3)), len);
    }

    pub fn wheel(&mut self, step: Step, (_, rows): (u16, u16)) {
        let len = self.visible().count();
        let last = len.saturating_sub(usize::from(rows.saturating_sub(MARGIN + 3)).max(1));
        self.scroll.top = wheeled(self.scroll.top, last, step);
        self.scroll.cursor = self.scroll.cursor.max(self.scroll.top).min(len.saturating_sub(1));
    }

    pub fn draw(&self, buffer: &mut Buffer) {
        let widest = self.items.iter().map(|item| width(&item.label) + width(&item.note) + 6).max();
        let columns = widest.unwrap_or(0).max(width(self.advice)).max(width(&self.heading) + 2);
        let rows = self.items.len() + 1;
        let heading = match self.typed.as_deref() {
            Some(typed) if !typed.is_empty() => format!("{}: {}", self.heading, escaped(typed)),
            _ => self.heading.clone(),
        };
        let inside = frame(&heading, (columns, rows), MARGIN, buffer);
        let height = usize::from(inside.height.saturating_sub(1));
        let visible: Vec<_> = self.visible().collect();
        let mut scroll = self.scroll;
        scroll.keep(height, visible.len());
        let shown = visible.iter().enumerate().skip(scroll.top).take(height);
        for (y, (at, item)) in (0..).zip(shown) {
            let mut painter = Painter::at(buffer, inside, y);
            if self.typed.is_none() {
                let key = item.key.map_or(" ".to_owned(), String::from);
                painter.write(&format!("{key}  "), style::KEY);
            }
            painter.write(&escaped(&item.label), style::PLAIN);
            painter.write(&format!("  {}", escaped(&item.note)), style::DIM);
            if at == scroll.cursor {
                Painter::at(buffer, inside, y).paint(row_style(true, true));
            }
        }
        if visible.is_empty() {
            Painter::at(buffer, inside, 0).write("nothing contains this text", style::DIM);
        }
        let mut last = Painter::at(buffer, inside, inside.height.saturating_sub(1));
        last.write(self.advice, style::DIM);
    }

    /// The entry at a row of the terminal.
    pub fn item_at(&self, (columns, rows): (u16, u16), row: u16) -> Option<&MenuItem> {
        let widest = self.items.iter().map(|item| width(&item.label) + width(&item.note) + 6).max();
        let size = (widest.unwrap_or(0), self.items.len() + 1);
        let inside = super::widgets::frame::inside(size, MARGIN, (columns, rows));
        let at = row.checked_sub(inside.y).filter(|at| *at + 1 < inside.height)?;
        let mut scroll = self.scroll;
        scroll.keep(usize::from(inside.height.saturating_sub(1)), self.visible().count());
        self.visible().nth(scroll.top + usize::from(at))
    }
}
