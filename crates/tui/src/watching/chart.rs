//! A chart of one series: a column for each sample, the newest at the right.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::widgets::bars::block;
use crate::widgets::painter::Painter;
use crate::widgets::style;

/// The columns of the scale at the left.
const SCALE: usize = 10;

/// Draws values as columns, with the largest and zero at the left; `text` writes a value.
pub fn draw_chart(buffer: &mut Buffer, area: Rect, values: &[f64], text: impl Fn(f64) -> String) {
    let columns = usize::from(area.width).saturating_sub(SCALE);
    let newest = values.get(values.len().saturating_sub(columns)..).unwrap_or_default();
    let largest = newest.iter().copied().fold(0.0, f64::max);
    for row in 0..area.height {
        let mut painter = Painter::at(buffer, area, row);
        let label = match row {
            0 => text(largest),
            _ if row + 1 == area.height => "0".to_owned(),
            _ => String::new(),
        };
        painter.number(&label, SCALE - 1, style::DIM);
        painter.go(SCALE);
        let below = 8 * usize::from(area.height - 1 - row);
        for value in newest {
            let filled = eighths(*value, largest, 8 * usize::from(area.height));
            painter.write(block(filled.saturating_sub(below)), style::CODE);
        }
    }
}

/// How many eighths of a character a value takes; at least one, unless it is 0.
fn eighths(value: f64, largest: f64, all: usize) -> usize {
    if value <= 0.0 || largest <= 0.0 {
        return 0;
    }
    let share = (value / largest).clamp(0.0, 1.0);
    // No more than the rows of a screen.
    (1..all).find(|n| *n as f64 >= share * all as f64).unwrap_or(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_value_fills_the_chart() {
        let area = Rect::new(0, 0, 14, 2);
        let mut buffer = Buffer::empty(area);
        draw_chart(&mut buffer, area, &[9.0, 0.0, 4.0, 8.0, 2.0], |value| format!("{value}"));
        let line = |y: u16| (0..14).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        assert_eq!([line(0), line(1)], ["        8   █ ", "        0  ██▄"]);
    }
}
