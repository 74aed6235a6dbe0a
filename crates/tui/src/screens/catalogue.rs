//! The catalogue: all protocols with their messages, and the page that specifies each.

mod list;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use self::list::{CatalogueRow, CatalogueRows, SORTS};
use super::arrangement::search_order;
use super::links::LinkTarget;
use super::screen::{
    Arrival, Bookmark, CATALOGUE, ColumnChoice, FilterChange, FooterKeys, Screen, ScreenContext,
    ScreenInfo, SearchFrom, Sort, position,
};
use crate::action::{Answer, Axis, KeyCommand, Motion, Step};
use crate::export::Exportable;
use crate::layout::{TitledPane, percent, percent_of, split_left};
use crate::page::{Page, has_text};
use crate::search::SearchQuery;
use crate::session::Growth;
use crate::view_state::ViewState;
use crate::widgets::painter::{Painter, rule};
use crate::widgets::scroll::{Scroll, WHEEL, moved};
use crate::widgets::style;
use crate::widgets::table::row_style;
use analysis::Session;
use export::SessionExport;
use protocol::Protocol;
use protocols::registry;

pub const INFO: ScreenInfo =
    ScreenInfo { name: CATALOGUE, new: || Box::new(CatalogueScreen::default()) };

/// The part of the width that the list has, in percent.
const LIST: u8 = 30;

#[derive(Default)]
struct CatalogueScreen {
    rows: CatalogueRows,
    scroll: Scroll,
    /// The page of the protocol under the cursor, and its first visible line.
    page: Option<Page>,
    top: usize,
    /// The line that a search has found.
    found: Option<usize>,
    is_in_page: bool,
    zoom: bool,
}

/// The list, and the page right of it.
struct CatalogueAreas {
    list: TitledPane,
    page: TitledPane,
}

impl CatalogueScreen {
    fn areas(&self, area: Rect, view: &ViewState) -> CatalogueAreas {
        let none = Rect { width: 0, ..area };
        let left = percent_of(area.width, view.catalogue_panes.left.unwrap_or(LIST)).max(16);
        let (list, page) = match (self.zoom, self.is_in_page) {
            (true, true) => (none, area),
            (true, false) => (area, none),
            (false, _) => split_left(area, left),
        };
        CatalogueAreas { list: TitledPane::new(list), page: TitledPane::new(page) }
    }

    /// Shows the page of the row under the cursor, at its section.
    fn show_row(&mut self, view: &ViewState) {
        let Some(row) = self.rows.get(self.scroll.cursor) else {
            return;
        };
        self.load(row.protocol, view);
        let section = row.message.and_then(|entry| self.page.as_ref()?.section(entry.spec.id));
        self.top = section.unwrap_or(0);
        self.found = None;
    }

    fn load(&mut self, protocol: &Protocol, view: &ViewState) {
        let columns = usize::from(self.areas(view.area(), view).page.body.width).max(20);
        if self.page.as_ref().is_none_or(|page| page.protocol != protocol.id) {
            self.page = Page::of_protocol(protocol.id, columns);
        }
        if let Some(page) = &mut self.page {
            self.top = page.fit(columns, self.top);
        }
    }

    /// Selects the row of a message, by its id, or that of the protocol.
    fn select(&mut self, protocol: &str, message: &str, view: &ViewState) {
        let is_message =
            |row: &CatalogueRow| row.message.is_some_and(|entry| entry.spec.id == message);
        let found = {
            let rows = self.rows.iter().enumerate();
            let mut of_protocol = rows.filter(|(_, row)| row.protocol.id == protocol);
            let first = of_protocol.next();
            of_protocol.find(|(_, row)| is_message(row)).or(first)
        };
        if let Some((at, _)) = found {
            self.scroll.cursor = at;
            self.show_row(view);
        }
    }

    fn go(&mut self, motion: Motion, view: &ViewState) {
        let areas = self.areas(view.area(), view);
        if self.is_in_page {
            let height = usize::from(areas.page.body.height).max(1);
            let lines = self.page.as_ref().map_or(0, |page| page.lines.len());
            self.top = moved(self.top, lines.saturating_sub(height), height, motion);
            self.select_section();
            return;
        }
        self.scroll.go(motion, usize::from(areas.list.body.height), self.rows.len());
        self.show_row(view);
    }

    /// Moves the cursor to the message whose section is at the top of the page.
    fn select_section(&mut self) {
        let Some(page) = &self.page else {
            return;
        };
        let section = |(at, row): (usize, CatalogueRow)| {
            let section = match row.message {
                None => 0,
                Some(entry) => page.section(entry.spec.id)?,
            };
            (row.protocol.id == page.protocol && section <= self.top).then_some((section, at))
        };
        if let Some((_, at)) =
            self.rows.iter().enumerate().filter_map(section).max_by_key(|(line, _)| *line)
        {
            self.scroll.cursor = at;
        }
    }

    fn last_top(&self, height: u16) -> usize {
        let lines = self.page.as_ref().map_or(0, |page| page.lines.len());
        lines.saturating_sub(usize::from(height))
    }

    fn draw_list(&self, area: TitledPane, buffer: &mut Buffer) {
        let has_focus = !self.is_in_page;
        let sort = self.rows.sort();
        let note = sort.map_or(String::new(), |sort| format!("{}{}", sort.arrow(), sort.column));
        rule(buffer, area.rule, "protocols", &note, has_focus);
        let visible = self.rows.iter().enumerate().skip(self.scroll.top);
        for (y, (at, row)) in (0..area.body.height).zip(visible) {
            let mut painter = Painter::at(buffer, area.body, y);
            let (indent, of): (_, Style) = match row.message {
                None => ("", style::BOLD),
                Some(_) => ("  ", style::PLAIN),
            };
            painter.write(&format!("{indent}{}", row.label()), of);
            if at == self.scroll.cursor {
                Painter::at(buffer, area.body, y).paint(row_style(true, has_focus));
            }
        }
    }

    fn draw_page(&self, area: TitledPane, buffer: &mut Buffer) {
        let Some(page) = &self.page else {
            return rule(buffer, area.rule, "specification", "", self.is_in_page);
        };
        let lines = page.lines.iter().enumerate().skip(self.top);
        let below = lines.len().saturating_sub(usize::from(area.body.height));
        let note = if below > 0 { format!("{below} more, ↓") } else { String::new() };
        rule(buffer, area.rule, page.protocol, &note, self.is_in_page);
        for (y, (at, line)) in (0..area.body.height).zip(lines) {
            Painter::at(buffer, area.body, y).pieces(&line.pieces);
            if self.found == Some(at) {
                Painter::at(buffer, area.body, y).paint(row_style(true, true));
            }
        }
    }
}

impl Screen for CatalogueScreen {
    fn keys(&self) -> FooterKeys {
        &[
            (KeyCommand::Focus(Step::Forward), "pane"),
            (KeyCommand::Search, "search all pages"),
            (KeyCommand::SearchAgain(Step::Forward), "next"),
            (KeyCommand::Sort, "sort"),
            (KeyCommand::Zoom, "zoom"),
            (KeyCommand::Close, "back"),
            (KeyCommand::Help, "help"),
            (KeyCommand::Quit, "quit"),
        ]
    }

    fn position(&self, _: &ViewState) -> String {
        position(self.scroll.cursor, self.rows.len(), "entry").replace("entrys", "entries")
    }

    fn filtered(&self, _: &ViewState) -> String {
        format!("not filtered: {} messages are documented", registry().entries().len())
    }

    fn bookmark(&self, _: &ViewState) -> Bookmark {
        let place = self.rows.place(self.scroll.cursor);
        place.map_or(Bookmark::Nowhere, |place| Bookmark::Line(place, self.top))
    }

    fn restore(&mut self, to: &Bookmark, cx: &mut ScreenContext<'_>) {
        if let Bookmark::Line(place, top) = *to
            && let Some(row) = self.rows.row_of(place)
        {
            self.scroll.cursor = row;
            self.show_row(cx.view);
            self.top = top;
        }
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        self.zoom = false;
        match arrival {
            Arrival::Visit(LinkTarget::Page(protocol, message)) => {
                self.select(protocol, message, cx.view);
                self.is_in_page = true;
            }
            // The protocol of the message that was selected.
            Arrival::Key { message: Some(message), is_shown: false } if self.page.is_none() => {
                if let Some(header) = cx.session.header(message) {
                    self.select(header.entry.protocol.id, header.entry.spec.id, cx.view);
                }
            }
            Arrival::Key { .. } | Arrival::Visit(_) => {
                if self.page.is_none() {
                    self.show_row(cx.view);
                }
            }
        }
    }

    fn grown(&mut self, _: Growth, _: &mut ScreenContext<'_>) {}

    fn refilter(&mut self, _: FilterChange, _: &mut ScreenContext<'_>) {}

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => self.go(motion, cx.view),
            KeyCommand::Focus(_) => self.is_in_page = !self.is_in_page,
            KeyCommand::Enter => self.is_in_page = true,
            KeyCommand::Close if self.zoom => self.zoom = false,
            KeyCommand::Zoom => self.zoom = !self.zoom,
            KeyCommand::Resize(Axis::Columns, step) => {
                cx.view.catalogue_panes.change(Axis::Columns, step, LIST);
            }
            _ => return false,
        }
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let areas = self.areas(cx.view.area(), cx.view);
        self.is_in_page = areas.page.body.contains(at) || areas.page.rule.contains(at);
        let row = self.scroll.top + usize::from(at.y.saturating_sub(areas.list.body.y));
        if areas.list.body.contains(at) && row < self.rows.len() {
            self.scroll.cursor = row;
            self.show_row(cx.view);
        }
    }

    fn drag(&mut self, from: Position, to: Position, cx: &mut ScreenContext<'_>) {
        let area = cx.view.area();
        let list = self.areas(area, cx.view).list;
        if from.x.abs_diff(list.body.right()) <= 1 && area.contains(to) {
            let left = percent(to.x - area.x, area.width);
            cx.view.catalogue_panes.set(Axis::Columns, left);
        }
    }

    fn wheel(&mut self, at: Position, motion: Motion, cx: &mut ScreenContext<'_>) {
        let is_in_page = self.is_in_page;
        self.is_in_page = self.areas(cx.view.area(), cx.view).page.body.contains(at);
        for _ in 0..WHEEL {
            self.go(motion, cx.view);
        }
        self.is_in_page = is_in_page;
    }

    fn answer(&mut self, _: Answer, _: &mut ScreenContext<'_>) {}

    /// Searches the page from the line after the last match on, then the other pages.
    fn search(&mut self, query: &SearchQuery, from: SearchFrom, cx: &mut ScreenContext<'_>) {
        if !query.is_for_text() {
            return cx.hint("pages are searched for text and regular expressions");
        }
        let protocols = registry().protocols();
        let now = self.page.as_ref().map_or("", |page| page.protocol);
        let at = protocols.iter().position(|protocol| protocol.id == now).unwrap_or(0);
        if let Some(page) = &self.page {
            let here = self.found.unwrap_or(self.top);
            let lines = search_order(here, from, 0..page.lines.len());
            let is_further = |line: &usize| match from {
                SearchFrom::Here => true,
                SearchFrom::After(Step::Forward) => *line > here || self.found.is_none(),
                SearchFrom::After(Step::Back) => *line < here,
            };
            let found = lines.filter(is_further).find(|line| page.is_in_line(query, *line));
            if let Some(found) = found {
                return self.show_found(found);
            }
        }
        let others = search_order(
            at,
            SearchFrom::After(match from {
                SearchFrom::Here => Step::Forward,
                SearchFrom::After(step) => step,
            }),
            0..protocols.len(),
        );
        for protocol in others.filter_map(|other| protocols.get(other)) {
            if !has_text(protocol, query) {
                continue;
            }
            self.select(protocol.id, "", cx.view);
            let Some(page) = &self.page else { continue };
            let mut lines: Vec<_> = (0..page.lines.len()).collect();
            if from == SearchFrom::After(Step::Back) {
                lines.reverse();
            }
            if let Some(found) = lines.into_iter().find(|line| page.is_in_line(query, *line)) {
                return self.show_found(found);
            }
        }
        cx.hint(format!("not found: {}", query.text()));
    }

    fn sort_columns(&self) -> Option<ColumnChoice<'_>> {
        let shown = SORTS.map(str::to_owned).to_vec();
        let sort = self.rows.sort();
        Some(ColumnChoice { shown, others: Vec::new(), sort, takes_names: false })
    }

    /// Sorts the list; the cursor stays at its row.
    fn sort(&mut self, sort: Option<Sort>, _: &mut ScreenContext<'_>) -> Result<(), String> {
        let place = self.rows.place(self.scroll.cursor);
        self.rows.set_sort(sort);
        if let Some(row) = place.and_then(|place| self.rows.row_of(place)) {
            self.scroll.cursor = row;
        }
        Ok(())
    }

    fn exportable(&self, _: &ViewState) -> Exportable {
        Exportable::refused("nothing to export; `fragshark catalogue` prints the catalogue")
    }

    fn export(&self, _: &Session, _: &ViewState) -> Option<SessionExport> {
        None
    }

    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        let areas = self.areas(cx.view.area(), cx.view);
        self.scroll.keep(usize::from(areas.list.body.height), self.rows.len());
        if let Some(row) = self.rows.get(self.scroll.cursor) {
            self.load(row.protocol, cx.view);
        }
        self.top = self.top.min(self.last_top(areas.page.body.height));
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let areas = self.areas(area, view);
        self.draw_list(areas.list, buffer);
        self.draw_page(areas.page, buffer);
    }
}

impl CatalogueScreen {
    /// Shows a line that a search has found.
    fn show_found(&mut self, line: usize) {
        self.found = Some(line);
        self.top = line.saturating_sub(3);
        self.is_in_page = true;
    }
}
