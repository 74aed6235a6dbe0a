//! The bar at the top: the input, its size, and the progress of reading.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pen::Painter;
use super::{sheet, style};
use crate::text::escaped;
use crate::tui::model::{Model, SessionSummary};
use crate::tui::text::{counted, fit, grouped, width};

/// How many columns the progress bar has.
const BAR: u64 = 10;

pub fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    Painter::at(buffer, area, 0).paint(style::CURSOR);
    let mut pen = Painter::at(buffer, area, 0);
    pen.write(" fragshark ", style::FOCUSED);
    let told = summary_text(model);
    let room = pen.left().saturating_sub(width(&told) + 3);
    pen.write(&fit(&escaped(&model.title), room), style::CURSOR);
    pen.right(&told, style::CURSOR, 1);
}

/// The numbers at the right.
fn summary_text(model: &Model) -> String {
    let known = &model.known;
    let mut parts = Vec::new();
    if !known.warnings.is_empty() {
        let warnings = counted(known.warnings.len() as u64, "warning");
        parts.push(format!("! {warnings} (w)"));
    }
    if model.list.follow {
        parts.push("following".to_owned());
    }
    if let Some(at) = sheet::status_text(model) {
        parts.push(at);
    } else if model.len() > 0 {
        let at = grouped(model.list.cursor as u64 + 1);
        parts.push(format!("{at} of {}", counted(model.len() as u64, "message")));
    }
    if known.gone > 0 {
        parts.push(format!("the first {} gone", grouped(known.gone as u64)));
    }
    if let Some([kernel, us]) = known.dropped {
        let (kernel, us) = (grouped(kernel), grouped(us));
        parts.push(format!("dropped {kernel} by the kernel, {us} by us"));
    }
    if known.is_done && !model.sheets.is_settled {
        parts.push(format!("put together {}%", model.sheets.percent));
    } else if known.is_done {
        parts.push(counted(known.flows as u64, "flow"));
    } else {
        parts.push(progress(known));
    }
    parts.join(" · ")
}

/// `reading ████░░░░░░ 43%`, or the bytes read if the end is not known.
fn progress(known: &SessionSummary) -> String {
    if known.dropped.is_some() {
        return format!("live, {}", counted(known.packets, "packet"));
    }
    let Some(of) = known.of.filter(|of| *of > 0) else {
        return format!("reading, {}", counted(known.packets, "packet"));
    };
    let read = known.read.min(of);
    let full = (u128::from(read) * u128::from(BAR) / u128::from(of)) as usize;
    let percent = u128::from(read) * 100 / u128::from(of);
    let bar = "█".repeat(full) + &"░".repeat(BAR as usize - full);
    format!("reading {bar} {percent:>2}%")
}
