//! Draws cells with the escape sequences of every terminal: `31` for red, not `38;5;1`, which a
//! terminal of eight or sixteen colours need not know. All else is crossterm's.

use std::io::{self, Write};

use anstyle::{Color as AnsiColour, Effects, Style};
use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::style::Print;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::Color;

/// A terminal behind a writer.
pub struct AnsiBackend<W: Write> {
    rest: CrosstermBackend<W>,
    /// Where the cursor was put last.
    cursor: Position,
    /// Whether it is hidden: without a change, nothing is written.
    is_hidden: bool,
}

impl<W: Write> AnsiBackend<W> {
    pub const fn new(writer: W) -> Self {
        Self { rest: CrosstermBackend::new(writer), cursor: Position::ORIGIN, is_hidden: false }
    }
}

impl<W: Write> Backend for AnsiBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut style = Style::new();
        let mut next = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                queue!(self, MoveTo(x, y))?;
            }
            next = Some((x.saturating_add(1), y));
            let of_cell = style_of(cell);
            if of_cell != style {
                write!(self, "{style:#}{of_cell}")?;
                style = of_cell;
            }
            queue!(self, Print(cell.symbol()))?;
        }
        write!(self, "{style:#}")
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_hidden, true) {
            return Ok(());
        }
        self.rest.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.is_hidden = false;
        self.rest.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        // The terminal is not asked: one that does not answer would end the program.
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        self.rest.set_cursor_position(self.cursor)
    }

    fn clear(&mut self) -> io::Result<()> {
        // Another program may have had the terminal.
        self.is_hidden = false;
        self.rest.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.is_hidden = false;
        self.rest.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.rest.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.rest.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.rest)
    }
}

impl<W: Write> Write for AnsiBackend<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.rest)
    }
}

/// The look of a cell; the terminal's own colours are left out.
fn style_of(cell: &Cell) -> Style {
    let colour = |colour: Color| (colour != Color::Reset).then(|| AnsiColour::from(colour));
    let effects = Effects::from(cell.modifier);
    Style::new().fg_color(colour(cell.fg)).bg_color(colour(cell.bg)).effects(effects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Modifier, Style as CellStyle};

    #[test]
    fn each_colour_has_the_shortest_sequence() {
        let (bold, plain) = (Modifier::BOLD, Modifier::empty());
        for (fg, bg, modifier, written) in [
            (Color::Reset, Color::Reset, plain, "\x1b[1;1Ha"),
            (Color::Red, Color::Reset, plain, "\x1b[1;1H\x1b[31ma\x1b[0m"),
            (Color::Gray, Color::Black, bold, "\x1b[1;1H\x1b[1m\x1b[37m\x1b[40ma\x1b[0m"),
            (Color::White, Color::DarkGray, plain, "\x1b[1;1H\x1b[97m\x1b[100ma\x1b[0m"),
            (Color::Indexed(202), Color::Reset, plain, "\x1b[1;1H\x1b[38;5;202ma\x1b[0m"),
            (Color::Reset, Color::Rgb(1, 2, 3), plain, "\x1b[1;1H\x1b[48;2;1;2;3ma\x1b[0m"),
        ] {
            let mut cell = Cell::new("a");
            cell.set_style(CellStyle::new().fg(fg).bg(bg).add_modifier(modifier));
            let mut screen = Vec::new();
            AnsiBackend::new(&mut screen).draw([(0, 0, &cell)].into_iter()).unwrap();
            assert_eq!(
                screen.escape_ascii().to_string(),
                written.as_bytes().escape_ascii().to_string()
            );
        }
        let cells = ["a", "b", "c"].map(Cell::new);
        let [a, b, c] = &cells;
        let mut screen = Vec::new();
        let placed = [(3, 1, a), (4, 1, b), (0, 2, c)];
        AnsiBackend::new(&mut screen).draw(placed.into_iter()).unwrap();
        assert_eq!(screen, b"\x1b[2;4Hab\x1b[3;1Hc");
    }

    #[test]
    fn a_hidden_cursor_is_hidden_once() {
        let mut screen = Vec::new();
        let mut backend = AnsiBackend::new(&mut screen);
        backend.hide_cursor().unwrap();
        backend.hide_cursor().unwrap();
        assert_eq!(screen, b"\x1b[?25l");
        let mut screen = Vec::new();
        let mut backend = AnsiBackend::new(&mut screen);
        backend.hide_cursor().unwrap();
        backend.show_cursor().unwrap();
        backend.hide_cursor().unwrap();
        assert_eq!(screen, b"\x1b[?25l\x1b[?25h\x1b[?25l");
    }

    #[test]
    fn the_terminal_is_not_asked_for_its_cursor() {
        let mut screen = Vec::new();
        let mut backend = AnsiBackend::new(&mut screen);
        backend.set_cursor_position((3, 2)).unwrap();
        assert_eq!(backend.get_cursor_position().unwrap(), Position::new(3, 2));
        assert_eq!(screen, b"\x1b[3;4H");
    }
}
