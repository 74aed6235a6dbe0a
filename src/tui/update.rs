//! Updates the model for an action, and returns effects. Nothing here does IO or reads a clock.

mod filtering;
mod finding;
mod keeping;
mod moves;
mod saving;
mod sheets;
mod specification;
mod why;

use super::action::{Action, Effect, KeyCommand, Motion, Toggle};
use super::areas::Areas;
use super::model::{
    Columns, MessageList, MessageRow, Model, Overlay, OverlayKind, Pane, TextDisplay,
};
use super::open::OpenMessage;
use super::sheet::Sheets;
use super::text::grouped;
use super::view;
use crate::analysis::Session;
use crate::render::Separators;
use crate::text::MASK;

/// Applies an action to the model; returns the effects to execute, in order.
pub fn update(model: &mut Model, action: Action, session: &Session) -> Vec<Effect> {
    let mut update = Update { model, session, effects: Vec::new() };
    update.take(action);
    update.effects
}

struct Update<'a> {
    model: &'a mut Model,
    session: &'a Session,
    effects: Vec<Effect>,
}

impl Update<'_> {
    fn take(&mut self, action: Action) {
        match action {
            Action::Rows(rows) => return self.rows(rows),
            Action::Opened(open) => self.opened(*open),
            Action::Unreadable(why) => {
                self.model.open = None;
                self.model.hint = Some(why);
            }
            Action::Searched(searched) => self.searched(searched),
            Action::Sifted(sifted) => self.sifted(sifted),
            Action::Held(held) => self.hold(held),
            Action::Spotted(name, spot) => self.spotted(&name, spot),
            Action::Saving(done) => self.saving(done),
            Action::Saved(said) => self.saved(said),
            Action::Grown => self.grown(),
            Action::Resize { width, height } => {
                self.model.size = (width, height);
                self.model.list.columns = Columns::default();
                self.model.sheets.forget_widths();
                self.model.stale = true;
                self.fit_page();
                self.clamp_cursor();
            }
            Action::Wheel { column, row, turn } => self.wheel(column, row, turn),
            Action::Click { column, row } => {
                self.model.hint = None;
                self.click(column, row);
                self.clamp_cursor();
            }
            Action::Unknown => self.model.hint = Some("? shows the keys".to_owned()),
            Action::Type(request) => self.typed(request),
            Action::Command(command) if self.model.typing.is_some() => self.end_typing(command),
            Action::Command(command) => {
                self.model.hint = None;
                self.command(command);
                self.clamp_cursor();
            }
        }
        self.look();
        self.fill_sheet();
    }

    fn command(&mut self, command: KeyCommand) {
        if self.model.overlay.is_some() && self.in_overlay(command) {
            return;
        }
        if command == KeyCommand::Back && self.model.saving.is_some() {
            return self.effects.push(Effect::StopSaving);
        }
        if self.in_sheet(command) {
            return;
        }
        match command {
            KeyCommand::Move(motion) => self.go(motion),
            KeyCommand::Show(sheet) => self.show(sheet),
            KeyCommand::Ladder => self.climb(),
            KeyCommand::Marked(turn) => self.step_marked(turn),
            KeyCommand::Focus(turn) => self.focus_next(turn),
            KeyCommand::Enter => self.enter(),
            KeyCommand::Back => self.back(),
            KeyCommand::Zoom => self.model.zoom = !self.model.zoom,
            KeyCommand::Search => self.begin_typing(),
            KeyCommand::Filter => self.begin_filter(),
            KeyCommand::Save => self.begin_save(),
            KeyCommand::Again(turn) => self.search_again(turn),
            KeyCommand::Request => self.go_to_request(),
            KeyCommand::Follow => self.turn_follow(),
            KeyCommand::Clock => {
                self.model.clock = self.model.clock.next();
                self.model.list.columns = Columns::default();
                self.model.sheets.forget_widths();
                self.model.stale = true;
            }
            KeyCommand::Separators => self.turn_separators(),
            KeyCommand::Texts => self.turn_texts(),
            KeyCommand::Copy => self.copy(false),
            KeyCommand::CopyHex => self.copy(true),
            KeyCommand::Why => self.why(),
            KeyCommand::Specification => self.specification(),
            KeyCommand::Warnings => self.cover(OverlayKind::Warnings),
            KeyCommand::Help => self.cover(OverlayKind::Help),
            KeyCommand::Redraw => self.effects.push(Effect::Redraw),
            KeyCommand::Quit => self.quit(),
        }
    }

    /// Whether the overlay handles the command.
    fn in_overlay(&mut self, command: KeyCommand) -> bool {
        let page = usize::from(self.model.size.1 / 2).max(1);
        let Some(overlay) = &mut self.model.overlay else {
            return false;
        };
        let top = overlay.top;
        overlay.top = match command {
            KeyCommand::Move(Motion::Up) => top.saturating_sub(1),
            KeyCommand::Move(Motion::Down) => top + 1,
            KeyCommand::Move(Motion::PageUp | Motion::HalfUp) => top.saturating_sub(page),
            KeyCommand::Move(Motion::PageDown | Motion::HalfDown) => top + page,
            KeyCommand::Move(Motion::First) => 0,
            KeyCommand::Move(Motion::Last) => usize::MAX / 2,
            KeyCommand::Move(_) | KeyCommand::Redraw => top,
            _ => {
                let kind = std::mem::discriminant(&overlay.kind);
                self.model.overlay = None;
                // The key of another overlay opens that one.
                let other = match command {
                    KeyCommand::Help => OverlayKind::Help,
                    KeyCommand::Warnings => OverlayKind::Warnings,
                    _ => return true,
                };
                if std::mem::discriminant(&other) != kind {
                    self.cover(other);
                }
                return true;
            }
        };
        self.keep_overlay();
        command != KeyCommand::Redraw
    }

    fn cover(&mut self, kind: OverlayKind) {
        self.model.overlay = Some(Overlay { kind, top: 0 });
    }

    fn enter(&mut self) {
        let focus = self.model.focus;
        let Some(open) = &mut self.model.open else {
            return;
        };
        let to = match focus {
            Pane::List => Pane::Fields,
            _ if open.is_on_coded(focus) => Pane::Coded,
            Pane::Fields => match open.fold(open.line) {
                Some(closed) => return open.set_closed(open.line, !closed),
                None if open.layer > 0 => Pane::Coded,
                None => Pane::Bytes,
            },
            Pane::Bytes | Pane::Coded => Pane::Fields,
        };
        self.focus(to);
    }

    fn back(&mut self) {
        if self.model.search.running.take().is_some() {
            self.model.hint = Some("search stopped".to_owned());
        } else if self.model.zoom {
            self.model.zoom = false;
        } else if self.model.focus == Pane::List && self.go_back() {
            // The tab behind shows where the user is.
        } else if self.model.focus == Pane::List && self.model.sieve.is_some() {
            self.show_only(None);
            self.model.hint = Some("all messages".to_owned());
        } else if self.model.focus == Pane::List {
            self.model.hint = Some("q quits".to_owned());
        } else {
            self.focus(Pane::List);
        }
    }

    fn focus_next(&mut self, turn: Toggle) {
        let coded = self.model.open.as_ref().is_some_and(OpenMessage::has_coded);
        let panes = if coded { Pane::ALL.len() } else { Pane::ALL.len() - 1 };
        let now = Pane::ALL.iter().position(|p| *p == self.model.focus).unwrap_or(0);
        let next = match turn {
            Toggle::Forward => (now + 1) % panes,
            Toggle::Back => (now + panes - 1) % panes,
        };
        self.focus(Pane::ALL.get(next).copied().unwrap_or(Pane::List));
    }

    /// Focuses a pane; its cursor is then within its contents.
    fn focus(&mut self, pane: Pane) {
        let Some(open) = &mut self.model.open else {
            self.model.focus = Pane::List;
            return;
        };
        self.model.focus = pane;
        let shows_bytes = matches!(pane, Pane::Bytes | Pane::Coded);
        if shows_bytes && open.layer != pane.layer() {
            let coded = |cell: &crate::render::HexCell| cell.kind == crate::codec::Kind::Coded;
            let byte = open.cells(pane.layer()).iter().position(coded).unwrap_or(0);
            open.go_to_byte(pane.layer(), byte);
        }
    }

    fn turn_follow(&mut self) {
        let follows = !self.model.list.follow && !self.model.known.is_done;
        self.model.list.follow = follows;
        if follows {
            self.select(usize::MAX);
        } else if self.model.known.is_done {
            self.model.hint = Some("everything has been read".to_owned());
        }
    }

    fn turn_separators(&mut self) {
        let separators = match self.model.separators {
            Separators::Hidden => Separators::Shown,
            Separators::Shown => Separators::Hidden,
        };
        self.model.separators = separators;
        if let Some(open) = &mut self.model.open {
            open.plant(separators);
        }
        let now = if separators == Separators::Shown { "shown" } else { "hidden" };
        self.model.hint = Some(format!("separators {now}"));
    }

    fn turn_texts(&mut self) {
        self.model.texts = self.model.texts.next();
        self.model.hint = Some(match self.model.texts {
            TextDisplay::Coloured => "texts in their colours".to_owned(),
            TextDisplay::AsSent => "texts as they were sent".to_owned(),
        });
    }

    fn go_to_request(&mut self) {
        let answers = self.model.open.as_ref().and_then(|open| open.header.answers);
        let Some(number) = answers else {
            self.model.hint = Some("this message answers none that was seen".to_owned());
            return;
        };
        let Some(place) = self.session.find(number) else {
            self.model.hint = Some(format!("message #{number} is not kept"));
            return;
        };
        match self.model.row_of(place) {
            Some(row) => {
                self.let_go();
                self.select(row);
            }
            None => self.model.hint = Some(format!("the filter hides message #{number}")),
        }
    }

    fn copy(&mut self, hex: bool) {
        let pane = self.model.focus;
        let Some(open) = &self.model.open else {
            return;
        };
        let marked = open.marked(pane);
        let digits = marked.map(|marked| open.hex(&marked)).unwrap_or_default();
        let line = open.lines.get(open.line);
        let text = match pane {
            _ if hex => digits,
            Pane::List => self.row_text().unwrap_or_default(),
            Pane::Fields => {
                line.map(|l| l.value.clone()).filter(|v| !v.is_empty()).unwrap_or(digits)
            }
            Pane::Bytes | Pane::Coded => digits,
        };
        let hidden = text == MASK || (hex || pane != Pane::List) && text.contains("**");
        self.model.hint = Some(match () {
            () if hidden => "hidden: --show-secrets shows it".to_owned(),
            () if text.is_empty() => "nothing to copy".to_owned(),
            () => format!("copied {} characters", grouped(text.chars().count() as u64)),
        });
        if !hidden && !text.is_empty() {
            self.effects.push(Effect::Copy(text));
        }
    }

    /// The row under the cursor as text.
    fn row_text(&self) -> Option<String> {
        let MessageList { cursor, .. } = self.model.list;
        let row = self.model.rows.get(cursor.checked_sub(self.model.rows_from)?)?;
        let MessageRow { header, summary, .. } = row;
        let (game, name) = (header.verdict.game.id, header.name);
        let time = crate::text::utc(header.time);
        let (from, to) = (header.source, header.destination);
        Some(format!("#{} {time} {from} {to} {game} {name} {summary}", header.number))
    }

    fn rows(&mut self, rows: Vec<MessageRow>) {
        self.model.rows = rows;
        view::widen(self.model);
    }

    fn opened(&mut self, mut open: OpenMessage) {
        if self.model.search.is_arriving {
            self.model.search.is_arriving = false;
            open.go_to_match(&self.model.search.query);
        } else if let Some(before) = &self.model.open {
            open.go_like(before);
        }
        if self.model.focus == Pane::Coded && !open.has_coded() {
            self.model.focus = Pane::Bytes;
        }
        let layer = self.model.focus.layer();
        if matches!(self.model.focus, Pane::Bytes | Pane::Coded) && open.layer != layer {
            open.go_to_byte(layer, 0);
        }
        self.model.open = Some(open);
        self.clamp_cursor();
    }

    /// Takes the state of the session.
    fn grown(&mut self) {
        let session = self.session;
        let known = &mut self.model.known;
        let (was_empty, was_done) = (known.messages == 0, known.is_done);
        known.messages = session.len();
        known.gone = session.gone();
        known.dropped = session.counters().map(|c| [c.dropped_by_kernel, c.dropped_by_us]);
        known.packets = session.packets();
        known.flows = session.flows().len();
        known.is_done = session.is_done();
        let progress = session.progress();
        (known.read, known.of) = (progress.read, progress.of);
        if known.warnings.len() != session.warnings().len() {
            known.warnings = session.warnings().to_vec();
        }
        if was_empty && known.messages > 0 {
            known.first = session.header(session.gone()).map(|h| h.time);
            self.select(0);
        }
        if self.model.known.is_done && !was_done {
            // Late data may have reclassified earlier messages.
            self.sift_again();
        } else {
            self.sift();
        }
        if self.model.list.follow {
            let follow = !self.model.known.is_done;
            self.select(usize::MAX);
            self.model.list.follow = follow;
        } else if self.model.list.cursor < self.model.known.gone {
            self.select(self.model.list.cursor);
        }
        let known = |sheets: &Sheets| (sheets.reach, sheets.is_settled);
        let before = known(&self.model.sheets);
        self.grow_sheets();
        let is_new = known(&self.model.sheets) != before;
        let asks = self.model.sieve.as_ref().is_some_and(|s| s.filter.needs_analysis());
        if asks && is_new {
            self.sift_again();
        }
        if let Some(open) = &mut self.model.open
            && let Some(header) = session.header(open.index)
        {
            open.header = header;
        }
        self.model.stale = true;
    }

    /// Requests the visible rows that are not rendered yet.
    fn look(&mut self) {
        let height = Areas::of(self.model).map_or(0, |areas| usize::from(areas.list.height));
        let len = self.model.len();
        let range = self.model.list.top.min(len)..(self.model.list.top + height).min(len);
        let at_hand = self.model.rows_from..self.model.rows_from + self.model.rows.len();
        if self.model.stale || range != at_hand {
            self.model.stale = false;
            self.model.rows_from = range.start;
            self.effects.push(Effect::Look(range));
        }
    }
}
