//! What the view shows, and how it is drawn.

use std::collections::VecDeque;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::chart::draw_chart;
use crate::theme::Themes;
use crate::widgets::painter::{Painter, rule};
use crate::widgets::style;
use text::{counted, duration_of, escaped, wrapped};
use watch::{
    AlertReport, MasterReport, ProbeReport, RecentSamples, RoundReport, SampleSubject, Series,
};

/// How many changes are kept.
const CHANGES: usize = 500;
/// How many servers of one list and round are named in them.
const NAMED: usize = 20;
/// The rows of a chart.
const CHART: u16 = 4;

/// One round.
pub struct WatchUpdate {
    /// What it found out.
    pub report: RoundReport,
    /// The last samples.
    pub recent: RecentSamples,
}

/// What a key asks of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewCommand {
    /// The next frame.
    Draw,
    /// A frame on an empty screen.
    Redraw,
    /// The end.
    Quit,
}

/// The masters, the charts of the chosen one, alerts and changes.
pub struct WatchView {
    latest: Option<WatchUpdate>,
    /// The newest first: its text, and whether something is wrong.
    changes: VecDeque<(String, bool)>,
    chosen: usize,
    every: Duration,
    /// What is shown before the first round.
    waiting: String,
    themes: Themes,
}

impl WatchView {
    /// A view before the first round, with this time between rounds; `waiting` says until when that
    /// one is waited for.
    pub fn new(every: Duration, waiting: Option<String>, themes: Themes) -> Self {
        let waiting = waiting.unwrap_or_else(|| "the first round …".to_owned());
        Self { latest: None, changes: VecDeque::new(), chosen: 0, every, waiting, themes }
    }

    /// Takes a round.
    pub fn update(&mut self, update: WatchUpdate) {
        let time = update.report.time.get(11..19).unwrap_or_default().to_owned();
        for (n, master) in update.report.masters.iter().enumerate() {
            let before = self.masters().get(n).and_then(|before| before.failure);
            if let Some(failure) = master.failure.filter(|failure| Some(*failure) != before) {
                self.add_line(format!("{time}Z {}  {}", master.target, failure.text()), true);
            }
            let before = self.masters().get(n).and_then(|before| before.error.as_ref());
            if let Some(error) = master.error.as_ref().filter(|error| Some(*error) != before) {
                self.add_line(format!("{time}Z {}  {error}", master.target), true);
            }
            let went = master.went.iter().map(|went| format!("- {}", went.address));
            let came = master.came.iter().map(|came| format!("+ {came}"));
            let all = master.went.len() + master.came.len();
            for change in went.chain(came).take(NAMED) {
                self.add_line(format!("{time}Z {}  {change}", master.target), false);
            }
            if all > NAMED {
                let more = counted((all - NAMED) as u64, "more server");
                self.add_line(format!("{time}Z {}  and {more}", master.target), false);
            }
        }
        for change in update.report.change_lines() {
            self.add_line(format!("{time}Z {change}"), true);
        }
        self.chosen = self.chosen.min(update.report.masters.len().saturating_sub(1));
        self.latest = Some(update);
    }

    fn add_line(&mut self, text: String, is_wrong: bool) {
        self.changes.push_front((text, is_wrong));
        self.changes.truncate(CHANGES);
    }

    /// Handles a key.
    pub fn event(&mut self, event: &Event) -> ViewCommand {
        let Event::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press, .. }) = event else {
            return ViewCommand::Draw;
        };
        let last = self.masters().len().saturating_sub(1);
        match (code, modifiers.contains(KeyModifiers::CONTROL)) {
            (KeyCode::Char('q'), false) | (KeyCode::Char('c'), true) => return ViewCommand::Quit,
            (KeyCode::Char('l'), true) => return ViewCommand::Redraw,
            (KeyCode::Char('j') | KeyCode::Down, false) => {
                self.chosen = (self.chosen + 1).min(last);
            }
            (KeyCode::Char('k') | KeyCode::Up, false) => {
                self.chosen = self.chosen.saturating_sub(1);
            }
            _ => {}
        }
        ViewCommand::Draw
    }

    fn masters(&self) -> &[MasterReport] {
        self.latest.as_ref().map_or(&[], |latest| &latest.report.masters)
    }

    /// Draws everything, in the theme's look.
    pub fn draw(&self, buffer: &mut Buffer) {
        let all = buffer.area;
        self.draw_header(buffer, all);
        let mut rows = ScreenRows { all, next: 1 };
        match &self.latest {
            None => Painter::at(buffer, all, 2).write(&self.waiting, style::DIM),
            Some(latest) => self.draw_round(buffer, &mut rows, latest),
        }
        self.themes.apply(buffer);
    }

    fn draw_header(&self, buffer: &mut Buffer, all: Rect) {
        let mut painter = Painter::at(buffer, all, 0);
        painter.write(" fragshark watch ", style::FOCUSED);
        let masters = counted(self.masters().len() as u64, "master");
        painter.write(&format!(" {masters}, every {}", duration_of(self.every)), style::HEADER);
        painter.right("↑ ↓ choose a master  q quit ", style::HEADER, 0);
        Painter::at(buffer, all, 0).paint(style::HEADER);
    }

    fn draw_round(&self, buffer: &mut Buffer, rows: &mut ScreenRows, latest: &WatchUpdate) {
        let report = &latest.report;
        rule(buffer, rows.take_rows(1), "masters", report.time.get(..19).unwrap_or_default(), true);
        draw_cells(buffer, rows.take_rows(1), &HEADINGS.map(str::to_owned), style::HEADINGS);
        for (n, master) in report.masters.iter().enumerate() {
            let row = rows.take_rows(1);
            let look = if master.answered { style::PLAIN } else { style::FAULT };
            draw_cells(buffer, row, &cells(master, &latest.recent), look);
            if n == self.chosen {
                Painter::at(buffer, row, 0).paint(style::CURSOR);
            }
        }
        for server in &report.servers {
            let look = if server.answered { style::PLAIN } else { style::FAULT };
            Painter::at(buffer, rows.take_rows(1), 0).write(&escaped(&server.line()), look);
        }
        draw_alerts(buffer, rows, &report.alerts);
        if let Some(master) = report.masters.get(self.chosen) {
            draw_charts(buffer, rows, master, &latest.recent);
        }
        rule(buffer, rows.take_rows(1), "changes", "", false);
        for (change, is_wrong) in &self.changes {
            if rows.are_used() {
                break;
            }
            let look = if *is_wrong { style::WARNING } else { style::PLAIN };
            write_wrapped(buffer, rows, change, look);
        }
    }
}

fn draw_alerts(buffer: &mut Buffer, rows: &mut ScreenRows, alerts: &[AlertReport]) {
    rule(buffer, rows.take_rows(1), "active alerts", "", false);
    if alerts.is_empty() {
        Painter::at(buffer, rows.take_rows(1), 0).write("none", style::VALID);
    }
    for alert in alerts {
        let since = alert.since.get(..19).unwrap_or_default();
        let about = &alert.key.about;
        let text = format!(
            "{}  {} {}  since {since}Z: {}",
            alert.key.name, about.target, about.subject, alert.says
        );
        write_wrapped(buffer, rows, &text, style::FAULT);
    }
}

/// Writes a text in as many rows as it needs.
fn write_wrapped(buffer: &mut Buffer, rows: &mut ScreenRows, text: &str, look: Style) {
    for line in wrapped(&escaped(text), usize::from(buffer.area.width)) {
        Painter::at(buffer, rows.take_rows(1), 0).write(&line, look);
    }
}

/// Rows of the screen that are given out from above.
struct ScreenRows {
    all: Rect,
    next: u16,
}

impl ScreenRows {
    /// Whether none is left.
    fn are_used(&self) -> bool {
        self.next >= self.all.height
    }

    /// The next rows; fewer or none at the end of the screen.
    fn take_rows(&mut self, count: u16) -> Rect {
        let left = self.all.height.saturating_sub(self.next);
        let height = count.min(left);
        let taken = Rect { y: self.all.y + self.next.min(self.all.height), height, ..self.all };
        self.next += height;
        taken
    }
}

/// The columns of masters, and their widths; the last one takes the rest.
const HEADINGS: [&str; 7] = ["target", "kind", "answers", "latency", "servers", "change", "probe"];
const WIDTHS: [usize; 6] = [21, 12, 7, 7, 7, 7];

fn cells(master: &MasterReport, recent: &RecentSamples) -> [String; 7] {
    let answers = values(recent, "answered", &master.target);
    let answered = answers.iter().filter(|value| **value > 0.5).count();
    let latency = master.latency_ms.map_or_else(String::new, |ms| latency_text(ms / 1000.0));
    let servers = master.servers.map_or_else(String::new, |servers| servers.to_string());
    let probe = master.probe.as_ref().and_then(ProbeReport::word).unwrap_or_default();
    [
        master.target.clone(),
        master.kind.unwrap_or_default().to_owned(),
        format!("{answered}/{}", answers.len()),
        latency,
        servers,
        format!("+{} -{}", master.came.len(), master.went.len()),
        probe.to_owned(),
    ]
}

fn draw_cells(buffer: &mut Buffer, row: Rect, cells: &[String; 7], look: Style) {
    let mut painter = Painter::at(buffer, row, 0);
    for (n, cell) in cells.iter().enumerate() {
        let width = WIDTHS.get(n).copied().unwrap_or_else(|| painter.left());
        // Names are left-aligned, numbers right-aligned.
        if n < 2 || n >= WIDTHS.len() {
            painter.cell(&escaped(cell), width, look);
        } else {
            painter.number(cell, width, look);
        }
        painter.write("  ", look);
    }
}

fn draw_charts(
    buffer: &mut Buffer,
    rows: &mut ScreenRows,
    master: &MasterReport,
    recent: &RecentSamples,
) {
    let count_text = |value: f64| format!("{value:.0}");
    let name = |what: &str| format!("{what} of {}", escaped(&master.target));
    for (series, what, text) in [
        ("servers", "servers", &count_text as &dyn Fn(f64) -> String),
        ("latency", "latency", &latency_text),
    ] {
        let values = values(recent, series, &master.target);
        let rounds = counted(values.len() as u64, "round");
        rule(buffer, rows.take_rows(1), &name(what), &rounds, false);
        draw_chart(buffer, rows.take_rows(CHART), &values, text);
    }
}

/// The last values of a series about a master.
fn values(recent: &RecentSamples, series: &str, target: &str) -> Vec<f64> {
    let samples = Series::named(series)
        .and_then(|series| recent.window(series, &SampleSubject::of_target(target)));
    samples.map_or_else(Vec::new, |all| all.iter().map(|sample| sample.value).collect())
}

fn latency_text(seconds: f64) -> String {
    duration_of(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}
