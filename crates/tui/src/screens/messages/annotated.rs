//! The selected message as annotated bytes: bytes, characters and fields side by side.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Messages;
use super::bytes::Hexdump;
use super::open::{OpenMessage, Pane};
use super::panes::Panes;
use crate::action::Motion;
use crate::format::TextDisplay;
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::painter::{Painter, rule};
use crate::widgets::scroll::{clamped_top, moved};
use crate::widgets::style;
use crate::widgets::table::row_style;
use codec::Kind;
use render::{AnnotatedRow, Annotation, PacketHeaders, Remark, RowSize, ShownLines, TreeLine};

/// The columns of a row beside its digits and characters: the offset and the gaps.
const BESIDE: usize = 9;

/// The rows of a message, and for which width they are made.
#[derive(Default)]
pub struct AnnotatedRows {
    made_for: Option<(u16, TextDisplay)>,
    all: Vec<AnnotatedRow<Style>>,
}

impl AnnotatedRows {
    /// The lines or their folds have changed.
    pub fn clear(&mut self) {
        self.made_for = None;
    }

    /// The rows of a line.
    fn of_line(&self, line: usize) -> Range<usize> {
        let is_its = |row: &AnnotatedRow<Style>| row.line == Some(line);
        let first = self.all.iter().position(is_its).unwrap_or(0);
        let rows = self.all.iter().skip(first).take_while(|row| is_its(row)).count();
        first..first + rows.max(1)
    }

    /// The row of a byte.
    fn of_byte(&self, layer: u8, byte: usize) -> usize {
        let holds = |row: &AnnotatedRow<Style>| row.layer == layer && row.bytes.contains(&byte);
        self.all.iter().position(holds).unwrap_or(0)
    }
}

impl OpenMessage {
    /// Makes the rows for a pane of this width, unless they are made.
    pub fn lay_out(&mut self, width: u16, texts: TextDisplay) {
        if self.rows.made_for != Some((width, texts)) {
            self.rows.all = self.annotated(width, texts);
            self.rows.made_for = Some((width, texts));
        }
    }

    fn rows_for(&self, width: u16, texts: TextDisplay) -> Cow<'_, [AnnotatedRow<Style>]> {
        if self.rows.made_for == Some((width, texts)) {
            Cow::Borrowed(&self.rows.all)
        } else {
            Cow::Owned(self.annotated(width, texts))
        }
    }

    fn annotated(&self, width: u16, texts: TextDisplay) -> Vec<AnnotatedRow<Style>> {
        let size = RowSize::fitting(width.into(), BESIDE);
        let shown = self.visible();
        let lines = ShownLines { all: &self.lines, shown: &shown, folded: self.folded() };
        let remarks: Vec<_> = self.fault_remark().into_iter().collect();
        let message = self.rendered();
        let annotate = |at: usize, line: &TreeLine| annotation(line, self.fold(at), texts);
        let mut rows = PacketHeaders::annotated_rows(lines, size, annotate);
        rows.extend(message.annotated_rows(lines, 0, size, &remarks, annotate));
        if let Some(plain) = self.reading().plain() {
            let title = format!("decoded text, {}", counted(plain.len() as u64, "byte"));
            rows.push(AnnotatedRow::title(vec![(title, style::TITLE)]));
            rows.extend(message.annotated_rows(lines, 1, size, &remarks, annotate));
        }
        rows
    }

    /// Why reading stopped, in front of the bytes that were not read.
    fn fault_remark(&self) -> Option<Remark<Style>> {
        let fault = self.reading().fault()?;
        let text = vec![(format!("! {fault}"), style::FAULT)];
        let note = Annotation { indent: 0, sign: "", text };
        Some(Remark { layer: fault.layer, at: fault.at, note })
    }
}

/// Name, value, meaning and anomalies of a line.
fn annotation(line: &TreeLine, fold: Option<bool>, texts: TextDisplay) -> Annotation<Style> {
    let label = if line.key.is_some() { Kind::Key } else { Kind::Group };
    let mut text = vec![(line.label.clone(), style::kind(label))];
    if !line.value.is_empty() {
        text.push((": ".to_owned(), style::DIM));
        match texts {
            TextDisplay::Coloured if !line.runs.is_empty() => {
                let runs = line.runs.iter();
                text.extend(runs.map(|run| (run.text.clone(), style::painted(run.style))));
            }
            _ => text.push((line.value.clone(), style::kind(line.kind))),
        }
    }
    text.extend(line.meaning.iter().map(|meaning| (format!("  {meaning}"), style::DIM)));
    text.extend(line.notes.iter().map(|note| (format!("  ! {note}"), style::WARNING)));
    let sign = match fold {
        None => "  ",
        Some(true) => "▸ ",
        Some(false) => "▾ ",
    };
    Annotation { indent: 2 * usize::from(line.depth_in_layer()), sign, text }
}

impl Messages {
    pub(super) fn draw_annotated(&self, view: &ViewState, panes: &Panes, buffer: &mut Buffer) {
        let area = panes.get(Pane::Fields);
        let (name, note) = match (&self.open, self.focus) {
            (Some(_), Pane::List) | (None, _) => ("annotated bytes", String::new()),
            (Some(_), Pane::Fields) => ("annotated bytes, by field", String::new()),
            (Some(_), Pane::Bytes | Pane::Coded) => ("annotated bytes, by byte", String::new()),
        };
        let has_focus = self.focus != Pane::List;
        let Some(open) = &self.open else {
            return rule(buffer, area.rule, name, &note, has_focus);
        };
        let len = counted(open.cells(0).len() as u64, "byte");
        let edited = if open.edits.is_empty() { "" } else { ", edited copy" };
        let note = format!("#{} {}, {len}{edited}", open.header.number, open.header.name);
        rule(buffer, area.rule, name, &note, has_focus);
        let per_row = RowSize::fitting(area.body.width.into(), BESIDE).bytes;
        let marked = open.marked(self.focus);
        let is_by_byte = matches!(self.focus, Pane::Bytes | Pane::Coded);
        let rows = open.rows_for(area.body.width, view.format.texts);
        for (y, row) in (0..area.body.height).zip(rows.iter().skip(open.top)) {
            if row.is_shaded {
                Painter::at(buffer, area.body, y).paint(style::SHADED);
            }
            let marked = marked.as_ref().filter(|marked| marked.layer == row.layer);
            let dump = Hexdump {
                marked: marked.map_or(0..0, |marked| marked.bytes.clone()),
                cursor: (is_by_byte && open.layer == row.layer).then_some(open.byte),
                per_row,
            };
            let cells = open.cells(row.layer).get(row.bytes.clone()).unwrap_or_default();
            if !cells.is_empty() {
                dump.row(cells, row.bytes.start, &mut Painter::at(buffer, area.body, y));
            }
            let x = annotation_column(row, per_row);
            let beside = Rect {
                x: area.body.x + x.min(area.body.width),
                width: area.body.width.saturating_sub(x),
                ..area.body
            };
            if row.is_shaded && x > 0 && x < area.body.width {
                buffer.set_string(beside.x - 1, area.body.y + y, "│", style::DIM);
            }
            let mut painter = Painter::at(buffer, beside, y);
            painter.go(row.indent);
            painter.write(row.sign, style::DIM);
            if !row.is_first && row.line.is_some() {
                // Under the text of the first row, which has a sign in front.
                painter.go(row.indent + 2);
            }
            painter.pieces(&row.text);
            if row.line == Some(open.line) {
                let over = row_style(true, self.focus == Pane::Fields);
                let under = if self.focus == Pane::Fields { area.body } else { beside };
                Painter::at(buffer, under, y).paint(over);
            }
        }
    }

    /// A motion by field: to another line, or through the rows of a line that is taller than the
    /// pane.
    pub(super) fn go_by_field(&mut self, motion: Motion, view: &ViewState) {
        let height = self.panes(view.area(), view).height(Pane::Fields);
        let Some(open) = &mut self.open else {
            return;
        };
        match (motion, open.fold(open.line)) {
            (Motion::ScrollLeft | Motion::ScrollRight, _) | (Motion::Right, None) => return,
            (Motion::Left, Some(false)) => return open.set_closed(open.line, true),
            (Motion::Right, Some(true)) => return open.set_closed(open.line, false),
            (Motion::Left, _) => {
                if let Some(parent) = open.parent(open.line) {
                    open.go_to_line(parent);
                }
                return;
            }
            _ => {}
        }
        let motion = if motion == Motion::Right { Motion::Down } else { motion };
        let (now, rows) = (open.rows.of_line(open.line), open.rows.all.len());
        let goes_down = matches!(motion, Motion::Down | Motion::PageDown | Motion::HalfDown);
        let goes_up = matches!(motion, Motion::Up | Motion::PageUp | Motion::HalfUp);
        let hidden = if goes_down { now.end > open.top + height } else { now.start < open.top };
        if hidden && (goes_down || goes_up) {
            open.top = moved(open.top, rows.saturating_sub(height), height, motion);
            return;
        }
        let from = if goes_down { now.end - 1 } else { now.start };
        let to = moved(from, rows.saturating_sub(1), height, motion);
        let line_at = |row: usize| open.rows.all.get(row).and_then(|row| row.line);
        // Rows without a line are passed over.
        let found = if goes_up || motion == Motion::Last {
            (0..=to).rev().find_map(line_at)
        } else {
            (to..rows).find_map(line_at).or_else(|| (0..to).rev().find_map(line_at))
        };
        if let Some(line) = found {
            open.go_to_line(line);
        }
    }

    /// A motion by byte: within a row, or to the same column of another row.
    pub(super) fn go_by_byte(&mut self, motion: Motion, view: &ViewState) {
        let height = self.panes(view.area(), view).height(Pane::Fields);
        let Some(open) = &mut self.open else {
            return;
        };
        let with_bytes: Vec<(u8, Range<usize>)> = {
            let rows = open.rows.all.iter().filter(|row| !row.bytes.is_empty());
            rows.map(|row| (row.layer, row.bytes.clone())).collect()
        };
        let holds = |(layer, bytes): &(u8, Range<usize>)| {
            *layer == open.layer && bytes.contains(&open.byte)
        };
        let Some(now) = with_bytes.iter().position(holds) else {
            return;
        };
        let last = with_bytes.len() - 1;
        let column = with_bytes.get(now).map_or(0, |(_, bytes)| open.byte - bytes.start);
        let (row, column) = match motion {
            Motion::ScrollLeft | Motion::ScrollRight => return,
            Motion::Left if column > 0 => (now, column - 1),
            Motion::Left if now == 0 => (now, 0),
            Motion::Left => (now - 1, usize::MAX),
            Motion::Right => match with_bytes.get(now) {
                Some((_, bytes)) if column + 1 < bytes.len() => (now, column + 1),
                _ if now == last => (now, usize::MAX),
                _ => (now + 1, 0),
            },
            Motion::First => (0, 0),
            Motion::Last => (last, usize::MAX),
            motion => (moved(now, last, height, motion), column),
        };
        if let Some((layer, bytes)) = with_bytes.get(row) {
            let (layer, byte) = (*layer, bytes.start + column.min(bytes.len() - 1));
            open.go_to_byte(layer, byte);
            self.focus = Pane::of_layer(layer);
        }
    }

    /// A click on a row: on a byte, on the sign of a fold, or on a field.
    pub(super) fn click_annotated(&mut self, (column, row): (u16, usize), panes: &Panes) {
        let per_row = RowSize::fitting(panes.body(Pane::Fields).width.into(), BESIDE).bytes;
        let Some(open) = &mut self.open else {
            return;
        };
        let Some(row) = open.rows.all.get(open.top + row).cloned() else {
            return;
        };
        let cell = super::moves::cell_at(column.into(), per_row);
        if let Some(cell) = cell.filter(|_| !row.is_heading) {
            let byte = row.bytes.start + cell;
            if row.bytes.contains(&byte) {
                open.go_to_byte(row.layer, byte);
                self.focus = Pane::of_layer(row.layer);
            }
            return;
        }
        self.focus = Pane::Fields;
        let Some(line) = row.line else {
            return;
        };
        let sign = usize::from(annotation_column(&row, per_row)) + row.indent;
        let on_sign = (sign..sign + 2).contains(&usize::from(column)) && row.is_first;
        if let (true, Some(closed)) = (on_sign, open.fold(line)) {
            open.set_closed(line, !closed);
        }
        open.go_to_line(line);
    }

    /// Makes the rows for the pane, and scrolls until the cursor is visible.
    pub(super) fn keep_annotated(&mut self, panes: &Panes, texts: TextDisplay) {
        let (body, focus) = (panes.body(Pane::Fields), self.focus);
        let Some(open) = self.open.as_mut().filter(|_| !body.is_empty()) else {
            return;
        };
        open.lay_out(body.width, texts);
        let (height, len) = (usize::from(body.height), open.rows.all.len());
        if matches!(focus, Pane::Bytes | Pane::Coded) {
            let row = open.rows.of_byte(open.layer, open.byte);
            open.top = clamped_top(open.top, row, height, len);
            return;
        }
        let rows = open.rows.of_line(open.line);
        let top = open.top.min(len.saturating_sub(height));
        let (least, most) = (rows.end.saturating_sub(height), rows.start);
        open.top = top.clamp(least.min(most), most.max(least));
    }

    /// How many rows the annotated message has.
    pub(super) fn annotated_len(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.rows.all.len())
    }
}

/// The column of a pane in which the annotation of a row begins; the one before it has the sign of an
/// entry.
fn annotation_column<S>(row: &AnnotatedRow<S>, per_row: usize) -> u16 {
    if row.is_heading { 0 } else { (BESIDE + 4 * per_row) as u16 }
}
