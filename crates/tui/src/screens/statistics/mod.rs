//! The statistics of all messages, or of the filtered ones, as charts.

mod bins;
mod chart;
mod games;
mod heartbeats;
mod latency;
mod layout;
mod links;
mod lists;
mod over_time;
mod rows;
mod work;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::chart::{ChartKind, ChartSource};
use self::layout::{ChartAreas, joined, names};
use self::rows::ChartRows;
use self::work::count;
use super::links::{LinkTarget, RowOrigin};
use super::related::RelatedMessages;
use super::screen::{
    Arrival, Bookmark, ColumnChoice, FilterChange, FooterKeys, Screen, ScreenContext, ScreenInfo,
    SearchFrom, Sort, position,
};
use crate::action::{Answer, KeyCommand, Motion, Step};
use crate::export::Exportable;
use crate::filter::ActiveFilter;
use crate::search::SearchQuery;
use crate::session::Growth;
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::painter::{Painter, rule};
use crate::widgets::scroll::WHEEL;
use crate::widgets::style;
use crate::work::{Work, WorkKind};
use analysis::{Session, SessionStatistics};
use export::{Selection, SessionExport};

pub const INFO: ScreenInfo =
    ScreenInfo { name: "statistics", new: || Box::new(StatisticsScreen::default()) };

struct StatisticsScreen {
    statistics: Option<Box<SessionStatistics>>,
    /// The widest addresses of servers and masters with heartbeats.
    addresses: [usize; 2],
    /// Whether the session or the filter has changed since they were counted.
    is_stale: bool,
    focused: ChartKind,
    is_maximised: bool,
    /// The rows of each chart's table.
    rows: [ChartRows; ChartKind::ALL.len()],
}

impl Default for StatisticsScreen {
    fn default() -> Self {
        Self {
            statistics: None,
            addresses: [0; 2],
            is_stale: true,
            focused: ChartKind::OverTime,
            is_maximised: false,
            rows: Default::default(),
        }
    }
}

impl StatisticsScreen {
    fn areas(&self, area: Rect) -> ChartAreas {
        ChartAreas::new(area, self.focused, self.is_maximised)
    }

    fn rows_of(&self, kind: ChartKind) -> Option<&ChartRows> {
        self.rows.get(kind.at())
    }

    /// The row of the focused chart under the cursor, by its place in the statistics.
    fn selected(&self) -> Option<usize> {
        let len = self.focused.rows(self.statistics.as_deref()?);
        self.rows_of(self.focused)?.selected(len)
    }

    /// Puts the rows of all charts into their order.
    fn arrange(&mut self) {
        let Some(statistics) = self.statistics.as_deref() else { return };
        for (kind, rows) in ChartKind::ALL.into_iter().zip(&mut self.rows) {
            rows.arrange(kind, statistics);
        }
    }

    fn focus_next(&mut self, step: Step) {
        let next = step.around(self.focused.at(), 0, ChartKind::ALL.len());
        self.focused = ChartKind::ALL.get(next).copied().unwrap_or(ChartKind::OverTime);
    }

    /// How many rows of a chart's table there are, and how many are visible.
    fn heights(&self, kind: ChartKind, area: Rect) -> Option<(usize, usize)> {
        let statistics = self.statistics.as_deref()?;
        let body = self.areas(area).body(kind)?;
        let height = usize::from(kind.table(statistics, body).height);
        Some((kind.rows(statistics), height / kind.lines_per_row(statistics, body)))
    }

    fn go(&mut self, motion: Motion, area: Rect) {
        match motion {
            Motion::Left => self.focus_next(Step::Back),
            Motion::Right => self.focus_next(Step::Forward),
            _ => {
                let Some((len, height)) = self.heights(self.focused, area) else { return };
                if let Some(rows) = self.rows.get_mut(self.focused.at()) {
                    rows.scroll.go(motion, height, len);
                }
            }
        }
    }

    /// Selects the row at a position.
    fn select(&mut self, at: Position, area: Rect) {
        let (Some(statistics), Some(body)) =
            (self.statistics.as_deref(), self.areas(area).body(self.focused))
        else {
            return;
        };
        let table = self.focused.table(statistics, body);
        let line = usize::from(at.y.saturating_sub(table.y));
        let top = self.rows_of(self.focused).map_or(0, |rows| rows.scroll.top);
        let row = top + line / self.focused.lines_per_row(statistics, body);
        if table.contains(at)
            && row < self.focused.rows(statistics)
            && let Some(rows) = self.rows.get_mut(self.focused.at())
        {
            rows.scroll.cursor = row;
        }
    }

    /// Goes to the messages of the selected row.
    fn follow(&mut self, cx: &mut ScreenContext<'_>) {
        match self.related(cx) {
            Some(related) if related.first(cx.session).is_some() => {
                cx.request = Some(LinkTarget::Messages(related));
            }
            Some(_) => cx.hint("its messages are no longer kept"),
            None => cx.hint("Enter shows the messages of a server or master"),
        }
    }
}

impl Screen for StatisticsScreen {
    fn keys(&self) -> FooterKeys {
        &[
            (KeyCommand::Focus(Step::Forward), "next chart"),
            (KeyCommand::Zoom, "maximise"),
            (KeyCommand::Enter, "messages"),
            (KeyCommand::Sort, "sort"),
            (KeyCommand::Export, "export"),
            (KeyCommand::Times, "times"),
            (KeyCommand::Links, "go to"),
            (KeyCommand::Filter, "filter"),
            (KeyCommand::Help, "help"),
            (KeyCommand::Quit, "quit"),
        ]
    }

    fn position(&self, _: &ViewState) -> String {
        let rows = self.statistics.as_ref().map_or(0, |of| self.focused.rows(of));
        if rows == 0 {
            return String::new();
        }
        let cursor = self.rows_of(self.focused).map_or(0, |of| of.scroll.cursor);
        position(cursor, rows, self.focused.noun())
    }

    fn filtered(&self, view: &ViewState) -> String {
        view.of_kept(view.matching())
    }

    fn origin(&mut self, _: &mut ScreenContext<'_>) -> Option<RowOrigin> {
        links::origin(self.focused, self.statistics.as_deref()?, self.selected()?)
    }

    fn related(&mut self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        links::related(self.focused, self.statistics.as_deref()?, self.selected()?, cx.session)
    }

    fn bookmark(&self, _: &ViewState) -> Bookmark {
        Bookmark::Row(self.focused.at())
    }

    fn restore(&mut self, to: &Bookmark, _: &mut ScreenContext<'_>) {
        if let Bookmark::Row(chart) = to {
            self.focused = ChartKind::ALL.get(*chart).copied().unwrap_or(self.focused);
        }
    }

    fn enter(&mut self, _: Arrival, cx: &mut ScreenContext<'_>) {
        cx.request_index();
    }

    /// Games and exchanges of earlier messages may have changed too.
    fn grown(&mut self, _: Growth, cx: &mut ScreenContext<'_>) {
        self.is_stale = true;
        if cx.is_shown {
            cx.request_index();
        }
    }

    fn refilter(&mut self, change: FilterChange, cx: &mut ScreenContext<'_>) {
        // While a filter is tested, the statistics wait for the end.
        self.is_stale |= change == FilterChange::Complete || cx.view.filter.is_none();
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => self.go(motion, cx.view.area()),
            KeyCommand::Focus(step) => self.focus_next(step),
            KeyCommand::Zoom => self.is_maximised = !self.is_maximised,
            KeyCommand::Enter => self.follow(cx),
            KeyCommand::Close if self.is_maximised => self.is_maximised = false,
            KeyCommand::Copy => cx.hint("nothing to copy"),
            _ => return false,
        }
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let area = cx.view.area();
        if let Some(kind) = self.areas(area).at(at) {
            self.focused = kind;
            self.select(at, area);
        }
    }

    /// Scrolls the chart under the pointer.
    fn wheel(&mut self, at: Position, motion: Motion, cx: &mut ScreenContext<'_>) {
        let area = cx.view.area();
        let Some(kind) = self.areas(area).at(at) else { return };
        let before = std::mem::replace(&mut self.focused, kind);
        for _ in 0..WHEEL {
            self.go(motion, area);
        }
        self.focused = before;
    }

    fn answer(&mut self, answer: Answer, _: &mut ScreenContext<'_>) {
        if let Answer::Counted(statistics) = answer {
            self.addresses = heartbeats::addresses(&statistics);
            self.statistics = Some(statistics);
            self.arrange();
        }
    }

    fn search(&mut self, _: &SearchQuery, _: SearchFrom, cx: &mut ScreenContext<'_>) {
        cx.hint("charts have no text to search; a display filter selects what they count");
    }

    /// Of the focused chart.
    fn sort_columns(&self) -> Option<ColumnChoice<'_>> {
        let columns = self.focused.columns();
        let shown = columns.iter().map(|column| column.name.to_owned()).collect();
        let sort = self.rows_of(self.focused)?.arrangement.sort();
        let choice = ColumnChoice { shown, others: Vec::new(), sort, takes_names: false };
        (!columns.is_empty()).then_some(choice)
    }

    fn unsorted(&self) -> &'static str {
        "this chart is in the order of time; the others can be sorted"
    }

    fn sort(&mut self, sort: Option<Sort>, _: &mut ScreenContext<'_>) -> Result<(), String> {
        if let Some(rows) = self.rows.get_mut(self.focused.at()) {
            rows.arrangement.set_sort(sort);
        }
        self.arrange();
        Ok(())
    }

    /// What the focused chart is made of.
    fn exportable(&self, view: &ViewState) -> Exportable {
        let so_far = if view.known.is_done { "" } else { " so far" };
        let is_messages = self.focused.table_of_rows().is_none();
        let statistics = self.statistics.as_deref();
        let exchanges = statistics.and_then(|of| of.exchanges.as_ref());
        let (count, noun) = match self.focused {
            ChartKind::OverTime | ChartKind::Games => (view.matching() as u64, "message"),
            ChartKind::Latency => (exchanges.map_or(0, |of| of.all.exchanges()), "exchange"),
            kind => (statistics.map_or(0, |of| kind.rows(of) as u64), kind.noun()),
        };
        let what = match self.focused {
            // Servers without a heartbeat are exported too.
            ChartKind::Heartbeats => "servers with their masters".to_owned(),
            _ => counted(count, noun),
        };
        Exportable {
            is_known: is_messages || exchanges.is_some(),
            is_messages,
            count: count as usize,
            text: format!("{what}{so_far}"),
            refusal: None,
        }
    }

    fn export(&self, session: &Session, view: &ViewState) -> Option<SessionExport> {
        let active = view.filter.as_ref();
        let Some(table) = self.focused.table_of_rows() else {
            let selection = match active {
                Some(active) => Selection::Some(active.kept(session.gone()).to_vec()),
                None => Selection::All(session.gone()..session.len()),
            };
            return SessionExport::of_messages("messages", selection);
        };
        let rows = active.and_then(|active| active.rows.clone());
        Some(SessionExport::of_index(table, session.shared_index()?)?.only(rows))
    }

    /// Requests the statistics if the session has changed, and keeps the cursors in their tables.
    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        if std::mem::take(&mut self.is_stale) {
            let selected = cx.view.filter.as_ref().map(ActiveFilter::shared_messages);
            let work = Work::new(WorkKind::Statistics, move |cx| count(cx, selected.as_deref()));
            cx.begin(work.paced(!cx.view.known.is_done));
        }
        for kind in ChartKind::ALL {
            let Some((len, height)) = self.heights(kind, cx.view.area()) else { continue };
            if let Some(rows) = self.rows.get_mut(kind.at()) {
                rows.scroll.keep(height, len);
            }
        }
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let areas = self.areas(area);
        let Some(statistics) = self.statistics.as_deref() else {
            return Painter::at(buffer, area, 0).write("counting the messages", style::DIM);
        };
        if areas.names.height > 0 {
            let body = areas.body(self.focused).unwrap_or_default();
            names(self.focused, &self.focused.note(statistics, body), &areas, buffer);
        }
        for (kind, pane) in &areas.charts {
            let Some(rows) = self.rows_of(*kind) else { continue };
            let is_focused = *kind == self.focused;
            let note = kind.note(statistics, pane.body);
            rule(buffer, pane.rule, kind.name(), &joined(&note), is_focused);
            let from =
                ChartSource { statistics, view, addresses: self.addresses, rows, is_focused };
            kind.draw(from, pane.body, buffer);
        }
    }
}
