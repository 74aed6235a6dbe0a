//! Histograms: bins with their bounds, and bars with numbers beside them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::text::grouped;
use crate::widgets::bars::{bar, percent};
use crate::widgets::painter::Painter;
use crate::widgets::style;
use text::width;

/// The style of bars.
pub const BAR: Style = style::PLAIN.fg(Color::Cyan);
/// A bin of a histogram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bin {
    /// Its bounds.
    pub label: String,
    pub count: u64,
}

/// Draws a bar for each bin, with its number and share.
pub fn draw_bins(bins: &[Bin], all: u64, area: Rect, buffer: &mut Buffer) {
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let labels = widest(&mut bins.iter().map(|bin| width(&bin.label)));
    let numbers = widest(&mut bins.iter().map(|bin| width(&grouped(bin.count))));
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    let space = usize::from(area.width).saturating_sub(labels + numbers + 12);
    for (y, bin) in (0..area.height).zip(bins) {
        let mut painter = Painter::at(buffer, area, y);
        painter.number(&bin.label, labels, style::PLAIN);
        painter.write(" │", style::DIM);
        painter.write(&bar(bin.count, most, space), BAR);
        match bin.count {
            0 => painter.write(" 0", style::DIM),
            n => {
                let text = format!(" {} ({})", grouped(n), percent(n, all));
                painter.write(&text, style::PLAIN);
            }
        }
    }
}
