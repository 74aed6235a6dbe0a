//! The line with the text being typed, in the place of the footer, with advice above it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::export::{NameDraft, form_name};
use crate::filter::FilterDraft;
use crate::layout::{ScreenAreas, split_bottom};
use crate::screens::screen::Screen;
use crate::search::SearchMode;
use crate::typing::{LineDraft, Purpose, SearchDraft, Typing};
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::{prompt, style};
use export::ExportForm;
use filter::Completion;
use text::{escaped, fit, width};

const FILTER: &str = "filter: ";
const EXPORT: &str = "export to: ";

/// The text being typed, in the footer, with advice above it.
pub fn draw(
    view: &ViewState,
    screen: &dyn Screen,
    typing: &Typing,
    frame: ScreenAreas,
    buffer: &mut Buffer,
) {
    let Typing { input, purpose, .. } = typing;
    let (rest, last) = split_bottom(frame.screen, 1);
    let painter = &mut cleared(frame.footer, buffer);
    match purpose {
        Purpose::Search(draft) => {
            let label = format!("{}/", draft.mode);
            prompt::draw(&label, input, style::PLAIN, &(0..0), painter);
            let searching = view.searching.map(|percent| format!("searching {percent}%"));
            let state = searching.or_else(|| view.hint.clone());
            painter.right(&escaped(&state.unwrap_or_default()), style::DIM, 1);
            search_advice(draft, &mut cleared(last, buffer));
        }
        Purpose::Line(LineDraft { kind, wrong }) => {
            prompt::draw(&kind.label(), input, style::PLAIN, &(0..0), painter);
            let painter = &mut cleared(last, buffer);
            match wrong {
                Some(wrong) => painter.write(&escaped(wrong), style::FAULT),
                None => painter.write(kind.advice(), style::DIM),
            }
        }
        Purpose::Refused(why) => {
            painter.write(&escaped(why), style::WARNING);
            painter.write("; Esc closes", style::DIM);
        }
        Purpose::Filter(draft) => {
            let wrong = draft.wrong.as_ref().map(|error| {
                let from = error.column() - 1;
                from..from + error.length()
            });
            let plain = if wrong.is_some() { style::PLAIN } else { style::VALID };
            prompt::draw(FILTER, input, plain, &wrong.unwrap_or_default(), painter);
            if draft.wrong.is_none() && view.filter.is_some() {
                painter.right(&screen.filtered(view), style::DIM, 1);
            }
            completions(draft, &mut cleared(split_bottom(rest, 1).1, buffer));
            filter_advice(typing, draft, &mut cleared(last, buffer));
        }
        Purpose::Export(draft) => {
            let exportable = screen.exportable(view);
            if let Some(refusal) = exportable.refusal {
                painter.write(&escaped(refusal), style::FAULT);
                return painter.write("; Esc closes", style::DIM);
            }
            let error = draft.error(&exportable, &view.known);
            let plain = if error.is_none() { style::VALID } else { style::PLAIN };
            prompt::draw(EXPORT, input, plain, &(0..0), painter);
            endings(exportable.is_messages, rest, buffer);
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

/// What the keys do, or what is wrong with the text.
fn search_advice(draft: &SearchDraft, painter: &mut Painter<'_>) {
    let next = draft.mode.next();
    if let Some(wrong) = &draft.wrong {
        painter.write(&escaped(wrong), style::FAULT);
        return painter.write(&format!("; Tab: {next}, Esc cancels"), style::DIM);
    }
    let what = match draft.mode {
        SearchMode::Text if !draft.of_messages => "text",
        SearchMode::Text => "text; #12 is a message number",
        SearchMode::Regex => "regular expression, as q3dm[0-9]+",
        SearchMode::Hex => "hex bytes, as 4b 66 or 4b66",
        SearchMode::Number => "number in two or four bytes, as 27960",
        SearchMode::Filter => "display filter, as field.protocol == 68",
    };
    painter.write(&format!("{what}; Tab: {next}, ↑ earlier ones"), style::DIM);
}

/// What the endings of a file name mean, in as many lines as that needs.
fn endings(is_messages: bool, area: Rect, buffer: &mut Buffer) {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for (_, end, form) in ExportForm::ALL {
        if !is_messages && !matches!(form, ExportForm::Table(_)) {
            continue;
        }
        let pieces =
            [(format!(".{end}"), style::KEY), (format!(" {}  ", form_name(form)), style::DIM)];
        let columns: usize = pieces.iter().map(|(text, _)| width(text)).sum();
        if used > 0 && used + columns > usize::from(area.width) + 2 {
            lines.push(Vec::new());
            used = 0;
        }
        used += columns;
        if let Some(line) = lines.last_mut() {
            line.extend(pieces);
        }
    }
    let (_, rows) = split_bottom(area, lines.len() as u16);
    for (row, line) in (0..).zip(&lines) {
        Painter::at(buffer, rows, row).fill(" ", style::CLEAR);
        Painter::at(buffer, rows, row).pieces(line);
    }
}

/// The error in a filter, at its column.
fn filter_advice(typing: &Typing, draft: &FilterDraft, painter: &mut Painter<'_>) {
    let Some(error) = &draft.wrong else {
        let is_empty = typing.input.value().trim().is_empty();
        let enter = if is_empty { "Enter shows all messages" } else { "Enter applies it" };
        let more = "Tab completes, ↑ earlier ones, Ctrl-r all";
        return painter.write(&format!("{enter}, Esc cancels, {more}"), style::DIM);
    };
    let before: String = typing.input.value().chars().take(error.column() - 1).collect();
    let space = painter.left().saturating_sub(width(FILTER) + 1);
    let scroll = typing.input.visual_scroll(space);
    let column = width(FILTER) + width(&escaped(&before)).saturating_sub(scroll);
    let (text, of) = if is_begun(typing, draft, &before) {
        ("▾ names begin like this; Tab completes".to_owned(), style::DIM)
    } else {
        (format!("▾ {}", error.what()), style::FAULT)
    };
    // What does not fit right of its column ends at the edge.
    painter.go(column.min(painter.left().saturating_sub(width(&text))));
    painter.write(&text, of);
}

/// Whether what is wrong behind `before` is only that a name is not complete yet.
fn is_begun(typing: &Typing, draft: &FilterDraft, before: &str) -> bool {
    let is_word = typing.input.cursor() > before.chars().count();
    is_word && draft.offered.from == before.len() && !draft.offered.all.is_empty()
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
