//! The field tree of the message under the cursor.

use ratatui::buffer::Buffer;

use super::Messages;
use super::open::{OpenMessage, Pane};
use super::panes::Panes;
use crate::format::TextDisplay;
use crate::view_state::ViewState;
use crate::widgets::painter::{Painter, rule};
use crate::widgets::style;
use crate::widgets::table::row_style;
use codec::Kind;
use render::TreeLine;

impl Messages {
    pub(super) fn draw_fields(&self, view: &ViewState, panes: &Panes, buffer: &mut Buffer) {
        let area = panes.get(Pane::Fields);
        let has_focus = self.focus == Pane::Fields;
        let Some(open) = &self.open else {
            rule(buffer, area.rule, "fields", "", has_focus);
            return;
        };
        let edited = if open.edits.is_empty() { "" } else { ", edited copy" };
        let note = format!("#{} {}{edited}", open.header.number, open.header.name);
        rule(buffer, area.rule, "fields", &note, has_focus);
        let visible = open.visible();
        let shown = visible.iter().skip(open.top);
        for (y, index) in (0..area.body.height).zip(shown) {
            let Some(line) = open.lines.get(*index) else {
                continue;
            };
            let mut painter = Painter::at(buffer, area.body, y).scrolled(open.scrolled);
            field(open, *index, line, view.format.texts, &mut painter);
            if *index == open.line {
                Painter::at(buffer, area.body, y).paint(row_style(true, has_focus));
            }
        }
        let below = visible.len().saturating_sub(open.top);
        if let (Some(fault), true) = (open.reading().fault(), below < usize::from(area.body.height))
        {
            let mut painter = Painter::at(buffer, area.body, below as u16);
            painter.write(&format!("! {fault}"), style::FAULT);
        }
        separate(buffer, panes);
    }
}

fn field(
    open: &OpenMessage,
    index: usize,
    line: &TreeLine,
    texts: TextDisplay,
    painter: &mut Painter<'_>,
) {
    let fold = match open.fold(index) {
        None => "  ",
        Some(true) => "▸ ",
        Some(false) => "▾ ",
    };
    painter.go(2 * usize::from(line.depth));
    painter.write(fold, style::DIM);
    let label = if line.key.is_some() { Kind::Key } else { Kind::Group };
    painter.write(&line.label, style::kind(label));
    if !line.value.is_empty() {
        painter.write(": ", style::DIM);
        match texts {
            TextDisplay::Coloured if !line.runs.is_empty() => painter.runs(&line.runs),
            _ => painter.write(&line.value, style::kind(line.kind)),
        }
    }
    if let Some(meaning) = &line.meaning {
        painter.write(&format!("  {meaning}"), style::DIM);
    }
    for note in &line.notes {
        painter.write(&format!("  ! {note}"), style::WARNING);
    }
}

/// The line between the fields and the pane right of them.
fn separate(buffer: &mut Buffer, panes: &Panes) {
    let left = panes.get(Pane::Fields);
    for (part, sign) in [(left.rule, "┬"), (left.body, "│")] {
        let x = part.right();
        if x < panes.detail.right() {
            for y in part.top()..part.bottom() {
                buffer.set_string(x, y, sign, style::DIM);
            }
        }
    }
}
