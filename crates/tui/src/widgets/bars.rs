//! Bars of block characters, in eighths of a character.

pub use text::{percent, round_up};

/// Blocks that fill a character from the left, by eighths.
const FROM_LEFT: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// Blocks that fill a character from below.
const FROM_BELOW: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// How many eighths of a bar of `cells` characters a value takes, if `most` takes all; at least one,
/// unless the value is 0.
pub fn eighths(value: u64, most: u64, cells: usize) -> usize {
    let all = 8 * cells as u128;
    let part = (u128::from(value) * all + u128::from(most) / 2) / u128::from(most.max(1));
    part.clamp(u128::from(value > 0), all) as usize
}

/// A horizontal bar of so many columns, if `most` takes all of them.
pub fn bar(value: u64, most: u64, columns: usize) -> String {
    let eighths = eighths(value, most, columns);
    let last = FROM_LEFT.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{last}", "█".repeat(eighths / 8))
}

/// A character that is filled from below by so many eighths.
pub fn block(eighths: usize) -> &'static str {
    FROM_BELOW.get(eighths.min(8)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_precise_to_an_eighth() {
        for (value, most, text) in [
            (0, 8, ""),
            (1, 1_000, "▏"),
            (1, 8, "▎"),
            (3, 8, "▊"),
            (4, 8, "█"),
            (7, 8, "█▊"),
            (8, 8, "██"),
            (9, 8, "██"),
            (u64::MAX, u64::MAX, "██"),
            (0, 0, ""),
        ] {
            assert_eq!(bar(value, most, 2), text, "{value} of {most}");
        }
        assert_eq!([0, 4, 8, 9].map(block), [" ", "▄", "█", "█"]);
    }
}
