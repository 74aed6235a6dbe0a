//! The filter line: the text, whether it is a valid filter, and completions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::pen::Painter;
use super::style;
use crate::filter::Completion;
use crate::text::escaped;
use crate::tui::model::{Model, Typing};
use crate::tui::sieve::FilterDraft;
use crate::tui::text::{counted, grouped, width};

/// The prompt of the line.
const PROMPT: &str = "filter: ";

/// The line itself, in the footer.
pub fn line(model: &Model, typing: &Typing, draft: &FilterDraft, area: Rect, buffer: &mut Buffer) {
    let mut pen = Painter::at(buffer, area, 0);
    pen.write(PROMPT, style::KEY);
    let input = &typing.input;
    let room = pen.left().saturating_sub(1);
    let scroll = input.visual_scroll(room);
    let plain = if draft.wrong.is_some() { style::PLAIN } else { style::VALID };
    let wrong = draft.wrong.as_ref().map_or(0..0, |wrong| {
        let from = wrong.column() - 1;
        from..from + wrong.length()
    });
    let mut column = 0;
    let ends = std::iter::once(' ');
    for (at, c) in input.value().chars().chain(ends).enumerate() {
        let shown = escaped(c.encode_utf8(&mut [0; 4])).into_owned();
        let is_cursor = at == input.cursor();
        let mut of = if wrong.contains(&at) { WRONG } else { plain };
        if is_cursor {
            of = of.patch(style::CURSOR);
        }
        if column >= scroll && (is_cursor || at < input.value().chars().count()) {
            pen.write(&shown, of);
        }
        column += width(&shown);
    }
    if draft.wrong.is_none() {
        pen.right(&state(model), style::DIM, 1);
    }
}

const WRONG: Style = style::FAULT.add_modifier(Modifier::UNDERLINED);

/// The error, at its column, above the line; above that, completions.
pub fn advice(typing: &Typing, draft: &FilterDraft, area: Rect, buffer: &mut Buffer) {
    offered(draft, &mut Painter::at(buffer, area, 0));
    let mut pen = Painter::at(buffer, area, 1);
    let Some(wrong) = &draft.wrong else {
        let is_empty = typing.input.value().trim().is_empty();
        let said = if is_empty { "Enter shows all messages" } else { "Enter applies it" };
        pen.write(&format!("{said}, Esc leaves all as it was, Tab completes"), style::DIM);
        return;
    };
    let before: String = typing.input.value().chars().take(wrong.column() - 1).collect();
    let room = usize::from(area.width) - width(PROMPT).min(usize::from(area.width));
    let scroll = typing.input.visual_scroll(room.saturating_sub(1));
    let column = width(PROMPT) + width(&escaped(&before)).saturating_sub(scroll);
    let said = format!("▾ {}", wrong.what());
    // What does not fit right of its column ends at the edge.
    pen.go(column.min(usize::from(area.width).saturating_sub(width(&said))));
    pen.write(&said, style::FAULT);
}

/// The completions; for a single one its type and meaning.
fn offered(draft: &FilterDraft, pen: &mut Painter<'_>) {
    let all = &draft.offered.all;
    let shown = draft.chosen().unwrap_or(0);
    let told = |one: &Completion| format!("  {}: {}", one.holds, escaped(&one.means));
    if let [only] = all.as_slice() {
        pen.write(&only.text, style::BOLD);
        pen.write(&told(only), style::DIM);
        return;
    }
    let first = all.iter().enumerate().skip(shown.saturating_sub(1));
    for (at, one) in first {
        let of = if draft.chosen() == Some(at) { style::MARKED } else { style::PLAIN };
        if pen.left() < width(&one.text) + 3 {
            pen.write("…", style::DIM);
            return;
        }
        pen.write(&one.text, of);
        pen.write("  ", style::PLAIN);
    }
}

/// The active filter, and how many messages match.
pub fn in_force(model: &Model, pen: &mut Painter<'_>) {
    let Some(sieve) = &model.sieve else {
        return;
    };
    let state = state(model);
    let room = (pen.left() / 2).saturating_sub(width(&state) + 2);
    let text = crate::tui::text::fit(&escaped(sieve.filter.text()), room.max(8));
    pen.write(&text, style::VALID);
    pen.write(&format!("  {state}  "), style::BOLD);
}

/// `4 of 400 messages`, and the progress of filtering.
fn state(model: &Model) -> String {
    let all = model.known.messages;
    let Some(sieve) = &model.sieve else {
        return String::new();
    };
    let of = counted(all as u64, "message");
    let percent = 100 * sieve.looked_at / all.max(1);
    let so_far = if percent < 100 { format!(", {percent}% looked at") } else { String::new() };
    format!("{} of {of}{so_far}", grouped(sieve.len() as u64))
}
