//! The field tree of the message under the cursor.

use ratatui::buffer::Buffer;

use super::pen::Painter;
use super::{rule, style};
use crate::codec::Kind;
use crate::render::TreeLine;
use crate::tui::areas::Areas;
use crate::tui::model::{Model, Pane, TextDisplay};
use crate::tui::open::OpenMessage;

pub fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) {
    let area = areas.fields;
    let has_focus = model.focus == Pane::Fields;
    let Some(open) = &model.open else {
        rule(buffer, area.rule, "fields", "", has_focus);
        return;
    };
    let note = format!("#{} {}", open.header.number, open.header.name);
    rule(buffer, area.rule, "fields", &note, has_focus);
    let visible = open.visible();
    let shown = visible.iter().skip(open.top);
    for (y, index) in (0..area.body.height).zip(shown) {
        let Some(line) = open.lines.get(*index) else {
            continue;
        };
        field(open, *index, line, model.texts, &mut Painter::at(buffer, area.body, y));
        if *index == open.line {
            let over = if has_focus { style::CURSOR } else { style::RESTING };
            Painter::at(buffer, area.body, y).paint(over);
        }
    }
    let below = visible.len().saturating_sub(open.top);
    if let (Some(fault), true) = (open.reading().fault(), below < usize::from(area.body.height)) {
        let mut pen = Painter::at(buffer, area.body, below as u16);
        pen.write(&format!("! {fault}"), style::FAULT);
    }
    parted(buffer, areas);
}

fn field(
    open: &OpenMessage,
    index: usize,
    line: &TreeLine,
    texts: TextDisplay,
    pen: &mut Painter<'_>,
) {
    let fold = match open.fold(index) {
        None => "  ",
        Some(true) => "▸ ",
        Some(false) => "▾ ",
    };
    pen.go(2 * usize::from(line.depth));
    pen.write(fold, style::DIM);
    let label = if line.key.is_some() { Kind::Key } else { Kind::Group };
    pen.write(&line.label, style::kind(label));
    if !line.value.is_empty() {
        pen.write(": ", style::DIM);
        match texts {
            TextDisplay::Coloured if !line.runs.is_empty() => pen.runs(&line.runs),
            _ => pen.write(&line.value, style::kind(line.kind)),
        }
    }
    if let Some(meaning) = &line.meaning {
        pen.write(&format!("  {meaning}"), style::DIM);
    }
    for note in &line.notes {
        pen.write(&format!("  ! {note}"), style::WARNING);
    }
}

/// The line between the fields and the pane right of them.
fn parted(buffer: &mut Buffer, areas: &Areas) {
    let left = areas.fields;
    for (part, sign) in [(left.rule, "┬"), (left.body, "│")] {
        let x = part.right();
        if x < areas.footer.right() {
            for y in part.top()..part.bottom() {
                buffer.set_string(x, y, sign, style::DIM);
            }
        }
    }
}
