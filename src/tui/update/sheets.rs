//! The other tabs than the messages: switching to them, moving in them, and going back.

use super::Update;
use super::moves::{kept, moved};
use crate::tui::action::{Effect, KeyCommand, Motion, Toggle};
use crate::tui::areas::Areas;
use crate::tui::model::Pane;
use crate::tui::sheet::ladder::{Climb, HeldMessage, place_of};
use crate::tui::sheet::{RelatedMessages, RowFormat, Tab, TabLayout};
use crate::tui::view;

/// How many steps back are stored.
const BACK: usize = 16;

impl Update<'_> {
    /// Shows a tab by its key; that clears the steps back.
    pub(super) fn show(&mut self, sheet: Tab) {
        self.model.sheets.back.clear();
        let open = self.model.open.as_ref().map_or(0, |open| open.index);
        let sheets = &mut self.model.sheets;
        if sheet == Tab::Ladder && (sheets.shown != sheet || !sheets.ladder.has_all()) {
            sheets.ladder = Climb::of_all(self.session);
            sheets.ladder.cursor = sheets.ladder.rung_of(open);
        }
        self.model.sheets.shown = sheet;
        self.model.typing = None;
        self.model.zoom = false;
        if sheet.table().is_some() {
            self.put_together();
        }
    }

    /// Whether the current tab handles the command; those for messages alone are refused.
    pub(super) fn in_sheet(&mut self, command: KeyCommand) -> bool {
        if self.model.sheets.shown == Tab::Messages {
            return false;
        }
        match command {
            KeyCommand::Move(motion) => self.move_in_sheet(motion),
            KeyCommand::Enter => self.follow(),
            KeyCommand::Ladder => self.climb(),
            KeyCommand::Back => self.back_in_sheet(),
            KeyCommand::Focus(_) => {
                if let Some(table) = self.model.sheets.table_mut() {
                    table.in_details = !table.in_details;
                }
            }
            KeyCommand::Copy => self.copy_row(),
            KeyCommand::Show(_)
            | KeyCommand::Save
            | KeyCommand::Zoom
            | KeyCommand::Clock
            | KeyCommand::Texts
            | KeyCommand::Warnings
            | KeyCommand::Help
            | KeyCommand::Redraw
            | KeyCommand::Quit => return false,
            _ => self.model.hint = Some("that is for messages: 1 shows them".to_owned()),
        }
        true
    }

    fn move_in_sheet(&mut self, motion: Motion) {
        let parts = TabLayout::of(self.model).unwrap_or_default();
        let height = usize::from(parts.table.height).max(1);
        let sheets = &mut self.model.sheets;
        let len = sheets.len();
        if let Some(table) = sheets.table_mut() {
            if table.in_details {
                let height = usize::from(parts.details.body.height).max(1);
                let last = table.details.len().saturating_sub(height);
                table.details_top = moved(table.details_top, last, height, motion);
            } else {
                table.cursor = moved(table.cursor, len.saturating_sub(1), height, motion);
                table.details_top = 0;
            }
            return;
        }
        let climb = &mut sheets.ladder;
        let last = climb.height().saturating_sub(1);
        let now = climb.line();
        let to = moved(now, last, height, motion);
        if let Some(rung) = climb.rung_at(to) {
            // A pause belongs to the message after it; moving up skips it.
            let stays = rung == climb.cursor && to < now;
            climb.cursor = if stays { rung.saturating_sub(1) } else { rung };
        }
    }

    /// Goes to the messages of the row, or to that of the arrow.
    fn follow(&mut self) {
        if self.model.sheets.shown == Tab::Ladder {
            let climb = &self.model.sheets.ladder;
            if let Some(index) = climb.message(climb.cursor).filter(|i| *i < self.session.len()) {
                self.leave_for(Tab::Messages);
                self.go_to_message(index);
            }
            return;
        }
        let Some(marked) = self.row_marked() else {
            return;
        };
        let first = marked.numbers.iter().find_map(|number| self.session.find(*number));
        let Some(first) = first else {
            self.model.hint = Some("its messages are not kept".to_owned());
            return;
        };
        self.leave_for(Tab::Messages);
        self.say_marked(&marked);
        self.model.sheets.marked = marked;
        self.go_to_message(first);
    }

    /// The ladder of the row, or of the exchange of the selected message.
    pub(super) fn climb(&mut self) {
        let session = self.session;
        let shown = self.model.sheets.shown;
        let climb = match shown {
            Tab::Ladder => return,
            Tab::Messages => {
                let Some(open) = &self.model.open else {
                    return;
                };
                let (index, header) = (open.index, open.header);
                let Some(books) = session.index() else {
                    return self.say_unread();
                };
                let place = place_of(session, &header);
                let Some(exchange) = place.and_then(|place| books.exchanges().get(place)) else {
                    return self.say_alone(index);
                };
                let mut climb = Climb::of_exchange(session, exchange);
                climb.cursor = climb.rung_of(index);
                climb
            }
            _ => match self.row_marked() {
                Some(marked) => Climb::of_marked(session, &marked),
                None => return,
            },
        };
        self.model.sheets.ladder = climb;
        self.leave_for(Tab::Ladder);
    }

    /// To the next message of the followed row, or the previous one; without one, of the exchange
    /// of this message.
    pub(super) fn step_marked(&mut self, turn: Toggle) {
        let Some((index, header)) = self.model.open.as_ref().map(|open| (open.index, open.header))
        else {
            return;
        };
        let number = header.number;
        if !self.model.sheets.marked.has(number) {
            let Some(books) = self.session.index() else {
                return self.say_unread();
            };
            let place = place_of(self.session, &header);
            let Some(marked) = place.and_then(|place| Tab::Exchanges.marked(books, place)) else {
                return self.say_alone(index);
            };
            self.model.sheets.marked = marked;
        }
        let numbers = &self.model.sheets.marked.numbers;
        let here = numbers.partition_point(|marked| *marked < number);
        let next = match turn {
            Toggle::Forward => {
                numbers.get(here..).and_then(|from| from.iter().find(|n| **n > number))
            }
            Toggle::Back => here.checked_sub(1).and_then(|before| numbers.get(before)),
        };
        let found = next.and_then(|number| self.session.find(*number));
        if let Some(index) = found {
            return self.go_to_message(index);
        }
        let of = &self.model.sheets.marked.of;
        let end = if turn == Toggle::Forward { "last" } else { "first" };
        self.model.hint = Some(format!("the {end} message of {of}"));
    }

    /// Goes back one step, or else clears the marks; returns whether there was anything to do.
    pub(super) fn go_back(&mut self) -> bool {
        let marked = std::mem::take(&mut self.model.sheets.marked);
        let Some(sheet) = self.model.sheets.back.pop() else {
            return !marked.numbers.is_empty();
        };
        self.model.sheets.shown = sheet;
        self.model.zoom = false;
        true
    }

    fn back_in_sheet(&mut self) {
        let sheets = &mut self.model.sheets;
        if let Some(table) = sheets.table_mut().filter(|table| table.in_details) {
            table.in_details = false;
        } else if self.model.zoom {
            self.model.zoom = false;
        } else if !self.go_back() {
            self.show(Tab::Messages);
        }
    }

    fn leave_for(&mut self, sheet: Tab) {
        let sheets = &mut self.model.sheets;
        if sheets.back.len() >= BACK {
            sheets.back.remove(0);
        }
        sheets.back.push(sheets.shown);
        sheets.shown = sheet;
        self.model.zoom = false;
        if sheet == Tab::Messages {
            self.model.focus = Pane::List;
        }
    }

    /// Selects a message in the list, by its session index. If the filter hides it, the filter is
    /// removed.
    fn go_to_message(&mut self, place: usize) {
        self.model.list.follow = false;
        if self.model.row_of(place).is_none() {
            self.show_only(None);
        }
        let row = self.model.row_of(place).unwrap_or(place);
        self.select(row);
    }

    fn row_marked(&mut self) -> Option<RelatedMessages> {
        let Some(books) = self.session.index() else {
            self.say_unread();
            return None;
        };
        let shown = self.model.sheets.shown;
        shown.marked(books, self.model.sheets.table()?.cursor)
    }

    fn say_marked(&mut self, marked: &RelatedMessages) {
        let n = marked.numbers.len();
        let hint = match n {
            1 => format!("the message of {}; Esc goes back", marked.of),
            _ => format!("1 of {n} of {}; ] goes on, Esc back", marked.of),
        };
        self.model.hint = Some(hint);
    }

    fn copy_row(&mut self) {
        let sheets = &self.model.sheets;
        let row =
            sheets.table().and_then(|table| table.rows.get(table.cursor.checked_sub(table.top)?));
        let cells = row
            .into_iter()
            .flatten()
            .map(|cell| cell.iter().map(|run| run.text.as_str()).collect::<String>());
        let cells: Vec<_> = cells.filter(|cell| !cell.is_empty()).collect();
        if cells.is_empty() {
            self.model.hint = Some("nothing to copy".to_owned());
            return;
        }
        self.model.hint = Some("copied the row".to_owned());
        self.effects.push(Effect::Copy(cells.join(" ")));
    }

    /// A click on a tab's name, or in a tab; returns whether it was there.
    pub(super) fn click_sheet(&mut self, column: u16, row: u16) -> bool {
        let Some(areas) = Areas::of(self.model) else {
            return false;
        };
        if areas.tabs.height > 0 && row == areas.tabs.y {
            if let Some(sheet) = view::tab_at(self.model, usize::from(column)) {
                self.show(sheet);
            }
            return true;
        }
        if self.model.sheets.shown == Tab::Messages {
            return false;
        }
        let parts = TabLayout::of(self.model).unwrap_or_default();
        let at = (column, row).into();
        let line = usize::from(row.saturating_sub(parts.table.y));
        let sheets = &mut self.model.sheets;
        let len = sheets.len();
        if let Some(table) = sheets.table_mut() {
            table.in_details = parts.details.rule.contains(at) || parts.details.body.contains(at);
            if parts.table.contains(at) && table.top + line < len {
                table.cursor = table.top + line;
                table.details_top = 0;
            }
        } else if parts.table.contains(at) {
            let climb = &mut sheets.ladder;
            if let Some(rung) = climb.rung_at(climb.top + line) {
                climb.cursor = rung;
            }
        }
        true
    }

    /// A step of the wheel in a tab; returns whether one is shown. Cursors move along.
    pub(super) fn wheel_sheet(&mut self, (column, row): (u16, u16), turn: Toggle) -> bool {
        if self.model.sheets.shown == Tab::Messages {
            return false;
        }
        let parts = TabLayout::of(self.model).unwrap_or_default();
        let in_details = parts.details.body.contains((column, row).into());
        let was = self.model.sheets.table().is_some_and(|table| table.in_details);
        let over = |update: &mut Self, value: bool| {
            if let Some(table) = update.model.sheets.table_mut() {
                table.in_details = value;
            }
        };
        over(self, in_details);
        let motion = if turn == Toggle::Forward { Motion::Down } else { Motion::Up };
        for _ in 0..super::moves::WHEEL {
            self.move_in_sheet(motion);
        }
        over(self, was);
        true
    }

    /// Takes the messages of arrows.
    pub(super) fn hold(&mut self, held: Vec<HeldMessage>) {
        self.model.sheets.ladder.held = held;
    }

    /// Renders the visible rows or lines.
    pub(super) fn fill_sheet(&mut self) {
        let session = self.session;
        let manner = RowFormat::of(self.model);
        let Some(parts) = TabLayout::of(self.model) else {
            return;
        };
        let shown = self.model.sheets.shown;
        let height = usize::from(parts.table.height);
        if shown == Tab::Ladder {
            return self.fill_ladder(usize::from(parts.table.width), height);
        }
        let len = self.model.sheets.len();
        let (Some(table), Some(books)) = (self.model.sheets.table_mut(), session.index()) else {
            return;
        };
        table.cursor = table.cursor.min(len.saturating_sub(1));
        if height > 0 {
            table.top = kept(table.top, table.cursor, height, len);
        }
        let rows = table.top..len.min(table.top + height);
        table.rows = rows.filter_map(|row| shown.cells(books, row, manner)).collect();
        table.widen(shown.columns());
        let body = parts.details.body;
        if body.height > 0 {
            let columns = usize::from(body.width);
            let details = shown.details(session, table.cursor, manner, columns);
            table.details = details.unwrap_or_default();
            let last = table.details.len().saturating_sub(usize::from(body.height));
            table.details_top = table.details_top.min(last);
        }
    }

    fn fill_ladder(&mut self, columns: usize, height: usize) {
        let climb = &mut self.model.sheets.ladder;
        climb.cursor = climb.cursor.min(climb.len().saturating_sub(1));
        climb.top = kept(climb.top, climb.line(), height, climb.height());
        let wanted = climb.wanted(height);
        if wanted != climb.asked {
            climb.asked.clone_from(&wanted);
            return self.effects.push(Effect::Climb(wanted));
        }
        climb.draw(self.session, (columns, height));
    }
}
