//! Draws everything: the bars at the top, the screen, the line at the bottom, texts over them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::export::{NameDraft, form_name};
use super::filter::FilterDraft;
use super::keys;
use super::layout::{LEAST, ScreenAreas, split_bottom};
use super::model::Model;
use super::screens::SCREENS;
use super::screens::screen::Screen;
use super::session::SessionSummary;
use super::text::{counted, grouped};
use super::view_state::{Purpose, Typing, ViewState};
use super::widgets::painter::Painter;
use super::widgets::{prompt, style};
use crate::filter::Completion;
use crate::render::Colour;
use crate::text::{escaped, fit, width};

/// How many columns the progress bar has.
const BAR: u64 = 10;
/// The prompts of the lines at the bottom.
const SEARCH: &str = "/";
const FILTER: &str = "filter: ";
const EXPORT: &str = "export to: ";

/// Draws everything.
pub fn draw(model: &Model, colour: Colour, buffer: &mut Buffer) {
    match (ScreenAreas::of(model.view.size), model.shown()) {
        (Some(frame), Some((_, screen))) => {
            header(model, screen, frame.header, buffer);
            tabs(model, frame.tabs, buffer);
            screen.draw(&model.view, frame.screen, buffer);
            match &model.view.typing {
                Some(typing) => line(&model.view, screen, typing, frame, buffer),
                None => footer(model, screen, &mut Painter::at(buffer, frame.footer, 0)),
            }
            if let Some(overlay) = &model.overlay {
                overlay.draw(buffer);
            }
        }
        _ => too_small(model.view.size, buffer),
    }
    if colour == Colour::Plain {
        without_colour(buffer);
    }
}

fn too_small((columns, rows): (u16, u16), buffer: &mut Buffer) {
    let (least_columns, least_rows) = LEAST;
    let lines = [
        "the terminal is too small".to_owned(),
        format!("it has {columns}x{rows}; {least_columns}x{least_rows} is needed"),
    ];
    for (row, line) in (0..).zip(&lines) {
        Painter::at(buffer, Rect::new(0, 0, columns, rows), row).write(line, style::PLAIN);
    }
}

/// Removes colours; text that was marked by a background is underlined.
fn without_colour(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if cell.bg != Color::Reset {
            cell.modifier |= Modifier::UNDERLINED;
        }
        (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
    }
}

/// The input, the position in the screen, and the progress of reading.
fn header(model: &Model, screen: &dyn Screen, area: Rect, buffer: &mut Buffer) {
    Painter::at(buffer, area, 0).paint(style::CURSOR);
    let mut painter = Painter::at(buffer, area, 0);
    painter.write(" fragshark ", style::FOCUSED);
    let known = &model.view.known;
    let mut parts = Vec::new();
    if !known.warnings.is_empty() {
        parts.push(format!("! {} (w)", counted(known.warnings.len() as u64, "warning")));
    }
    parts.extend(Some(screen.position()).filter(|position| !position.is_empty()));
    if known.gone > 0 {
        parts.push(format!("the first {} were dropped", grouped(known.gone as u64)));
    }
    if let Some([kernel, us]) = known.dropped {
        let (kernel, us) = (grouped(kernel), grouped(us));
        parts.push(format!("dropped {kernel} by the kernel, {us} by fragshark"));
    }
    parts.push(match known.is_done {
        true if !known.index.is_final => format!("analysed {}%", known.index.percent),
        true => counted(known.flows as u64, "flow"),
        false => progress(known),
    });
    let text = parts.join(" · ");
    let space = painter.left().saturating_sub(width(&text) + 3);
    painter.write(&fit(&escaped(&model.title), space), style::CURSOR);
    painter.right(&text, style::CURSOR, 1);
}

/// `reading ████░░░░░░ 43%`, or the packets read if the end is not known.
fn progress(known: &SessionSummary) -> String {
    let is_live = known.dropped.is_some();
    let Some(of) = known.of.filter(|of| *of > 0 && !is_live) else {
        let verb = if is_live { "live" } else { "reading" };
        return format!("{verb}, {}", counted(known.packets, "packet"));
    };
    let read = known.read.min(of);
    let full = (u128::from(read) * u128::from(BAR) / u128::from(of)) as usize;
    let percent = u128::from(read) * 100 / u128::from(of);
    let bar = "█".repeat(full) + &"░".repeat(BAR as usize - full);
    format!("reading {bar} {percent:>2}%")
}

/// The keys, names and numbers of rows of all screens.
fn tabs(model: &Model, area: Rect, buffer: &mut Buffer) {
    let mut painter = Painter::at(buffer, area, 0);
    model.tabs().for_each(|parts| painter.pieces(&parts));
}

impl Model {
    /// The tab of each screen: its key, its name and the number of its rows.
    fn tabs(&self) -> impl Iterator<Item = [(String, Style); 5]> {
        let gap = || (" ".to_owned(), style::PLAIN);
        SCREENS.iter().zip(&self.screens).enumerate().map(move |(index, (info, screen))| {
            let name = if index == self.view.shown { style::FOCUSED } else { style::PLAIN };
            let count = screen.count().filter(|(count, _)| *count > 0);
            let count = count.map(|(count, style)| (format!(" {}", grouped(count as u64)), style));
            let key = (format!(" {}", index + 1), style::KEY);
            [key, gap(), (info.name.to_owned(), name), count.unwrap_or_default(), gap()]
        })
    }

    /// The screen whose name is at a column of the line of tabs.
    pub fn tab_at(&self, column: u16) -> Option<usize> {
        let mut end = 0;
        self.tabs().position(|parts| {
            end += parts.iter().map(|(text, _)| width(text)).sum::<usize>();
            usize::from(column) < end
        })
    }
}

/// A note on the last command, the progress of work, or the active filter and the keys.
fn footer(model: &Model, screen: &dyn Screen, painter: &mut Painter<'_>) {
    let exporting = || model.export.as_ref().map(|e| format!("{}, Esc stops", e.progress()));
    let note = model.view.hint.clone().or_else(exporting).or_else(|| screen.search_state());
    if let Some(note) = note {
        return painter.write(&escaped(&note), style::WARNING);
    }
    if let Some((filter, state)) = screen.filter_state(&model.view) {
        let space = (painter.left() / 2).saturating_sub(width(&state) + 2);
        painter.write(&fit(&escaped(&filter), space.max(8)), style::VALID);
        painter.write(&format!("  {state}  "), style::BOLD);
    }
    let keys = screen.keys().iter();
    let mut words: Vec<_> = keys.filter_map(|(c, word)| Some((keys::name(*c)?, *word))).collect();
    let columns = |words: &[(&str, &str)]| {
        words.iter().map(|(key, word)| width(key) + width(word) + 3).sum::<usize>()
    };
    // The generally useful keys are last and are kept if space is short.
    while columns(&words) > painter.left() && words.len() > 2 {
        words.remove(words.len() - 3);
    }
    for (key, word) in words {
        painter.write(key, style::KEY);
        painter.write(&format!(" {word}  "), style::DIM);
    }
}

/// The text being typed, in the footer, with advice above it.
fn line(
    view: &ViewState,
    screen: &dyn Screen,
    typing: &Typing,
    frame: ScreenAreas,
    buffer: &mut Buffer,
) {
    let Typing { input, purpose } = typing;
    let (rest, last) = split_bottom(frame.screen, 1);
    let painter = &mut Painter::at(buffer, frame.footer, 0);
    match purpose {
        Purpose::Search => {
            prompt::draw(SEARCH, input, style::PLAIN, &(0..0), painter);
            let state = screen.search_state().or_else(|| view.hint.clone());
            painter.right(&state.unwrap_or_default(), style::DIM, 1);
        }
        Purpose::Filter(draft) => {
            let wrong = draft.wrong.as_ref().map(|error| {
                let from = error.column() - 1;
                from..from + error.length()
            });
            let plain = if wrong.is_some() { style::PLAIN } else { style::VALID };
            prompt::draw(FILTER, input, plain, &wrong.unwrap_or_default(), painter);
            if draft.wrong.is_none()
                && let Some((_, state)) = screen.filter_state(view)
            {
                painter.right(&state, style::DIM, 1);
            }
            completions(draft, &mut cleared(split_bottom(rest, 1).1, buffer));
            filter_advice(typing, draft, &mut cleared(last, buffer));
        }
        Purpose::Export(draft) => {
            let exportable = screen.exportable(view);
            let error = draft.error(&exportable, &view.known);
            let plain = if error.is_none() { style::VALID } else { style::PLAIN };
            prompt::draw(EXPORT, input, plain, &(0..0), painter);
            let painter = &mut cleared(last, buffer);
            match error {
                Some(error) => painter.write(&escaped(&error), style::FAULT),
                None => export_advice(draft, &exportable.text, painter),
            }
        }
    }
}

/// An empty line.
fn cleared(area: Rect, buffer: &mut Buffer) -> Painter<'_> {
    Painter::at(buffer, area, 0).fill(" ", style::CLEAR);
    Painter::at(buffer, area, 0)
}

/// The error in a filter, at its column.
fn filter_advice(typing: &Typing, draft: &FilterDraft, painter: &mut Painter<'_>) {
    let Some(error) = &draft.wrong else {
        let is_empty = typing.input.value().trim().is_empty();
        let enter = if is_empty { "Enter shows all messages" } else { "Enter applies it" };
        return painter.write(&format!("{enter}, Esc cancels, Tab completes"), style::DIM);
    };
    let before: String = typing.input.value().chars().take(error.column() - 1).collect();
    let space = painter.left().saturating_sub(width(FILTER) + 1);
    let scroll = typing.input.visual_scroll(space);
    let column = width(FILTER) + width(&escaped(&before)).saturating_sub(scroll);
    let text = format!("▾ {}", error.what());
    // What does not fit right of its column ends at the edge.
    painter.go(column.min(painter.left().saturating_sub(width(&text))));
    painter.write(&text, style::FAULT);
}

/// The completions; for a single one its type and meaning.
fn completions(draft: &FilterDraft, painter: &mut Painter<'_>) {
    let all = &draft.offered.all;
    if let [Completion { text, holds, means }] = all.as_slice() {
        painter.write(text, style::BOLD);
        return painter.write(&format!("  {holds}: {}", escaped(means)), style::DIM);
    }
    let first = draft.chosen().unwrap_or(0).saturating_sub(1);
    for (at, completion) in all.iter().enumerate().skip(first) {
        let of = if draft.chosen() == Some(at) { style::MARKED } else { style::PLAIN };
        if painter.left() < width(&completion.text) + 3 {
            return painter.write("…", style::DIM);
        }
        painter.write(&completion.text, of);
        painter.write("  ", style::PLAIN);
    }
}

/// What will be written, and what Enter does.
fn export_advice(draft: &NameDraft, what: &str, painter: &mut Painter<'_>) {
    let keys = if draft.needs_confirmation() {
        "; the file exists: press Enter twice to overwrite it"
    } else if draft.is_confirmed {
        "; Enter overwrites the file"
    } else {
        "; Enter writes, Esc cancels"
    };
    let form = draft.form.map_or(String::new(), |form| format!(" as {}", form_name(form)));
    let rest = format!("{form}{keys}");
    let space = painter.left().saturating_sub(width(&rest));
    painter.write(&fit(what, space.max(12)), style::BOLD);
    painter.write(&rest, if draft.is_confirmed { style::WARNING } else { style::DIM });
}
