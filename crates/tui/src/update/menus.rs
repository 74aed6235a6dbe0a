//! Menus: their entries, and what choosing one does.

use std::borrow::Cow;

use tui_input::InputRequest;

use super::Update;
use crate::action::{Effect, KeyCommand, Motion, Step, TerminalCommand};
use crate::menu::{Menu, MenuChoice, MenuItem};
use crate::model::MenuKind;
use crate::screens::messages::MessageColumn;
use crate::screens::screen::{ColumnChoice, Sort};
use crate::text::counted;
use crate::typing::Typing;
use protocols::registry;
use text::TimeDisplay;

impl Update<'_> {
    /// A command while a menu is open.
    pub(super) fn in_menu(&mut self, command: KeyCommand) {
        let size = self.model.view.size;
        let Some((_, menu)) = &mut self.model.menu else {
            return;
        };
        match command {
            KeyCommand::Move(motion) => menu.go(motion, size),
            KeyCommand::History(Step::Back) => menu.go(Motion::Up, size),
            KeyCommand::History(Step::Forward) => menu.go(Motion::Down, size),
            KeyCommand::Enter => self.choose(None),
            KeyCommand::Redraw => self.effect(Effect::Terminal(TerminalCommand::Redraw)),
            KeyCommand::Suspend => self.effect(Effect::Terminal(TerminalCommand::Suspend)),
            _ => self.model.menu = None,
        }
    }

    /// A key that is no command, while a menu is open.
    pub(super) fn typed_in_menu(&mut self, request: InputRequest) {
        let size = self.model.view.size;
        let Some((kind, menu)) = &mut self.model.menu else {
            return;
        };
        match (request, *kind) {
            (InputRequest::GoToPrevChar, MenuKind::Columns) => self.move_column(-1),
            (InputRequest::GoToNextChar, MenuKind::Columns) => self.move_column(1),
            (InputRequest::GoToStart, _) => menu.go(Motion::First, size),
            (InputRequest::GoToEnd, _) => menu.go(Motion::Last, size),
            (InputRequest::DeletePrevChar, _) if !menu.pop() => self.model.menu = None,
            (InputRequest::InsertChar(c), _) if !menu.push(c) => self.menu_letter(c),
            _ => {}
        }
    }

    /// A letter in a menu whose entries have letters; others move and close as elsewhere.
    fn menu_letter(&mut self, c: char) {
        let Some((_, menu)) = &self.model.menu else {
            return;
        };
        match (menu.keyed(c).map(|item| item.choice.clone()), c) {
            (Some(choice), _) => self.choose(Some(choice)),
            (None, 'j') => self.in_menu(KeyCommand::Move(Motion::Down)),
            (None, 'k') => self.in_menu(KeyCommand::Move(Motion::Up)),
            (None, 'q' | 'o') => self.model.menu = None,
            (None, _) => {}
        }
    }

    /// Does what the entry under the cursor, or this one, is for.
    pub(super) fn choose(&mut self, choice: Option<MenuChoice>) {
        let chosen = self.model.menu.as_ref().and_then(|(_, menu)| menu.chosen());
        let Some(choice) = choice.or_else(|| chosen.map(|item| item.choice.clone())) else {
            return;
        };
        if let MenuChoice::Column(name) = choice {
            return self.toggle_column(&name);
        }
        self.model.menu = None;
        match choice {
            MenuChoice::Go(target) => self.visit(target),
            MenuChoice::Copy(text) => {
                let count = text.chars().count() as u64;
                self.hint(format!("copied {}", counted(count, "character")));
                self.effect(Effect::Terminal(TerminalCommand::Copy(text)));
            }
            MenuChoice::SavePacket(packet) => self.effect(Effect::SavePacket(packet)),
            MenuChoice::Sort(column) => self.sort_by(column),
            MenuChoice::DecodeAs(game) => self.decode_as(game),
            MenuChoice::Insert(text) => self.model.view.typing = Some(Typing::filter(&text)),
            MenuChoice::Column(_) => {}
        }
    }

    /// Opens the menu of forms in which the selected bytes are copied.
    pub(super) fn show_copies(&mut self) {
        let copies = self.on_shown(|screen, cx| screen.copies(cx.view));
        match copies {
            Some(Ok((what, copies))) => {
                let packet = self.on_shown(|screen, cx| screen.packet(cx.view));
                let menu = Menu::of_copies(&what, copies, packet);
                self.model.menu = Some((MenuKind::Copies, menu));
            }
            Some(Err(why)) => self.hint(why),
            None => self.refuse("only messages are copied in other forms"),
        }
    }

    /// Opens the menu of columns to sort by.
    pub(super) fn show_sort(&mut self) {
        let Some((_, screen)) = self.model.shown() else {
            return;
        };
        let Some(ColumnChoice { shown, others, sort, takes_names }) = screen.sort_columns() else {
            let why = screen.unsorted();
            return self.refuse(why);
        };
        let sort = sort.cloned();
        let times = self.model.view.format.times;
        let heading = |name: &str| other_heading(name, times).filter(|_| takes_names);
        let item = |name: String| {
            let way = match &sort {
                Some(sort) if sort.column == name && sort.is_descending => Some("▼ descending"),
                Some(sort) if sort.column == name => Some("▲ ascending"),
                _ => None,
            };
            let notes = heading(&name).into_iter().chain(way.map(Cow::Borrowed));
            let note = notes.collect::<Vec<_>>().join("  ");
            let choice = MenuChoice::Sort(name.clone());
            MenuItem { key: None, label: name, note, choice }
        };
        let more = filter::column_names().map(|(name, _)| name);
        let is_listed = |name: &String| shown.contains(name) || others.contains(name);
        let more: Vec<_> = more.filter(|name| takes_names && !is_listed(name)).collect();
        let items = shown.into_iter().chain(others).chain(more).map(item).collect();
        let advice = "Enter sorts, again: the other direction; type to find";
        let menu = Menu::typed("sort by", advice, items);
        let menu = menu.at(|item| sort.as_ref().is_some_and(|sort| sort.column == item.label));
        self.model.menu = Some((MenuKind::Sort, menu));
    }

    /// Sorts by a column; if rows are sorted by it already, in the other direction.
    pub(super) fn sort_by(&mut self, column: String) {
        let now = self.model.shown().and_then(|(_, screen)| screen.sort_columns()?.sort.cloned());
        let begins_descending =
            self.model.shown().is_some_and(|(_, screen)| screen.begins_descending(&column));
        let is_descending = match now.filter(|now| now.column == column) {
            Some(now) => !now.is_descending,
            None => begins_descending,
        };
        self.set_sort(Some(Sort { column, is_descending }));
    }

    pub(super) fn reverse(&mut self) {
        let Some((_, screen)) = self.model.shown() else {
            return;
        };
        let columns = screen.sort_columns();
        let reversed = columns.and_then(|ColumnChoice { sort, shown, .. }| match sort {
            Some(Sort { column, is_descending }) => {
                Some(Sort { column: column.clone(), is_descending: !is_descending })
            }
            None => Some(Sort { column: shown.into_iter().next()?, is_descending: true }),
        });
        if reversed.is_none() {
            let why = screen.unsorted();
            return self.hint(why);
        }
        self.set_sort(reversed);
    }

    /// Sorts the shown screen.
    pub(super) fn set_sort(&mut self, sort: Option<Sort>) {
        let mut result = Ok(());
        let words = sort.as_ref().map(|sort| {
            let way = if sort.is_descending { "descending" } else { "ascending" };
            format!("sorted by {}, {way}", sort.column)
        });
        self.on_shown(|screen, cx| result = screen.sort(sort, cx));
        match result {
            Ok(()) => self.model.view.hint = words,
            Err(error) => self.hint(error),
        }
    }

    /// Opens the menu of columns.
    pub(super) fn show_columns(&mut self) {
        let Some(items) = self.column_items() else {
            return self.refuse("this screen has no columns");
        };
        let advice = "Enter shows or hides, ← → move the column, Esc closes; type to find";
        self.model.menu = Some((MenuKind::Columns, Menu::typed("columns", advice, items)));
    }

    fn column_items(&self) -> Option<Vec<MenuItem>> {
        let (_, screen) = self.model.shown()?;
        let ColumnChoice { shown, others, takes_names, .. } = screen.columns()?;
        let times = self.model.view.format.times;
        let item = |name: &String, note: String| MenuItem {
            key: None,
            label: name.clone(),
            note,
            choice: MenuChoice::Column(name.clone()),
        };
        let mut items: Vec<_> = shown
            .iter()
            .enumerate()
            .map(|(n, name)| {
                let heading = other_heading(name, times).filter(|_| takes_names);
                let heading = heading.map_or(String::new(), |heading| format!(", {heading}"));
                item(name, format!("column {}{heading}", n + 1))
            })
            .collect();
        items.extend(others.iter().map(|name| item(name, "hidden".to_owned())));
        if takes_names {
            let is_listed = |name: &String| shown.contains(name) || others.contains(name);
            let more = filter::column_names().filter(|(name, _)| !is_listed(name));
            items.extend(more.map(|(name, means)| item(&name, format!("hidden: {means}"))));
        }
        Some(items)
    }

    fn shown_columns(&self) -> Vec<String> {
        let columns = self.model.shown().and_then(|(_, screen)| Some(screen.columns()?.shown));
        columns.unwrap_or_default()
    }

    /// Shows or hides a column.
    pub(super) fn toggle_column(&mut self, name: &str) {
        let mut shown = self.shown_columns();
        match shown.iter().position(|column| column == name) {
            Some(_) if shown.len() == 1 => return self.hint("the last column stays"),
            Some(at) => _ = shown.remove(at),
            None => {
                // What stands behind the summary is mostly out of sight.
                let summary = MessageColumn::Summary.name();
                let at = shown.iter().position(|column| *column == summary);
                shown.insert(at.unwrap_or(shown.len()), name.to_owned());
            }
        }
        self.set_columns(&shown);
    }

    /// Moves the column under the cursor of the menu by so many places.
    fn move_column(&mut self, by: isize) {
        let chosen = self.model.menu.as_ref().and_then(|(_, menu)| menu.chosen());
        let Some(MenuChoice::Column(name)) = chosen.map(|item| item.choice.clone()) else {
            return;
        };
        let mut shown = self.shown_columns();
        let Some(at) = shown.iter().position(|column| *column == name) else {
            return;
        };
        if let Some(to) = at.checked_add_signed(by).filter(|to| *to < shown.len()) {
            shown.swap(at, to);
            self.set_columns(&shown);
        }
    }

    pub(super) fn set_columns(&mut self, shown: &[String]) {
        let screen = self.model.screens.get_mut(self.model.view.shown);
        if let Some(Err(error)) = screen.map(|screen| screen.choose_columns(shown)) {
            self.hint(error);
        }
        let items = self.column_items();
        if let (Some((MenuKind::Columns, menu)), Some(items)) = (&mut self.model.menu, items) {
            menu.set_items(items);
        }
    }

    /// Opens the menu of games.
    pub(super) fn show_games(&mut self) {
        let origin = self.on_shown(|screen, cx| screen.origin(cx));
        let Some(flow) = origin.and_then(|origin| origin.flow()) else {
            return self.refuse("no flow is selected");
        };
        if !self.model.view.known.index.is_final {
            return self.refuse("wait until everything has been read");
        }
        if self.session.progress().of.is_none() {
            return self.refuse("a pipe or a live capture is read once; --decode-as sets the game");
        }
        let now = self.session.flows().verdict(flow).map(|verdict| verdict.game.id);
        let item = |game: &'static protocol::Game| MenuItem {
            key: None,
            label: game.id.to_owned(),
            note: game.title.to_owned(),
            choice: MenuChoice::DecodeAs(Some(game)),
        };
        let automatic = MenuItem {
            key: None,
            label: "automatic".to_owned(),
            note: "the game is detected".to_owned(),
            choice: MenuChoice::DecodeAs(None),
        };
        let items = std::iter::once(automatic).chain(registry().games().map(item)).collect();
        let heading = format!("decode flow {} as", flow.0);
        let menu = Menu::typed(&heading, "Enter reads the capture again; type to find", items);
        self.model.menu =
            Some((MenuKind::DecodeAs, menu.at(|item| Some(item.label.as_str()) == now)));
    }

    fn decode_as(&mut self, game: Option<&'static protocol::Game>) {
        let origin = self.on_shown(|screen, cx| screen.origin(cx));
        if let Some(flow) = origin.and_then(|origin| origin.flow()) {
            self.effect(Effect::DecodeAs(flow, game));
        }
    }

    /// Opens the menu of earlier filters and named ones.
    pub(super) fn show_history(&mut self) {
        let history = &self.model.view.history;
        let item = |text: &String, note: &str| MenuItem {
            key: None,
            label: text.clone(),
            note: note.to_owned(),
            choice: MenuChoice::Insert(text.clone()),
        };
        let named = self.model.view.named_filters.iter().map(|(name, text)| item(text, name));
        let items: Vec<_> =
            named.chain(history.filters.iter().rev().map(|text| item(text, ""))).collect();
        if items.is_empty() {
            return self.hint("there are no earlier or named filters");
        }
        let menu = Menu::typed("filters", "Enter puts it into the line; type to find", items);
        self.model.menu = Some((MenuKind::History, menu));
    }
}

/// The heading of a column of messages, if that is not its name.
fn other_heading(name: &str, times: TimeDisplay) -> Option<Cow<'static, str>> {
    let heading = MessageColumn::named(name).ok()?.heading(times);
    Some(heading).filter(|heading| heading != name)
}
