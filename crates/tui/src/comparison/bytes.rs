//! The bytes of two messages in two columns, with gaps so that equal parts are side by side.

use ratatui::style::Style;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::widgets::letters::Pieces;
use crate::widgets::style;
use render::HexCell;

/// Longer messages are compared by position: finding what they have in common takes too long.
const LONGEST: usize = 2_048;
/// Fewer common bytes than this among others are no common part: any two texts have some letters.
const COMMON: usize = 3;

/// Which bytes of two messages are side by side: for each place the position in both, or a gap.
pub struct ComparedBytes {
    pairs: Vec<[Option<usize>; 2]>,
}

impl ComparedBytes {
    pub fn new(first: &[HexCell], second: &[HexCell]) -> Self {
        let mut pairs = Vec::with_capacity(first.len().max(second.len()));
        if first.len().max(second.len()) > LONGEST {
            push(&mut pairs, [(0, first.len()), (0, second.len())]);
            return Self { pairs };
        }
        // Hidden bytes are all alike: their difference would tell something of them.
        let [a, b] =
            [first, second].map(|cells| cells.iter().map(|c| c.byte()).collect::<Vec<_>>());
        // What differs before the next common part.
        let mut open = [(0, 0); 2];
        let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
        let last = ops.len().saturating_sub(1);
        for (at, op) in ops.into_iter().enumerate() {
            let [own, other] = [op.old_range(), op.new_range()];
            let is_equal = matches!(op, DiffOp::Equal { .. });
            let is_within = at > 0 && at < last;
            if is_equal && !(is_within && own.len() < COMMON) {
                push(&mut pairs, open);
                push(&mut pairs, [(own.start, own.end), (other.start, other.end)]);
                open = [(own.end, own.end), (other.end, other.end)];
            } else {
                let [(begin, _), (other_begin, _)] = open;
                open = [(begin, own.end), (other_begin, other.end)];
            }
        }
        push(&mut pairs, open);
        Self { pairs }
    }

    /// The rows in at most so many columns: of both, the position of the first byte and the bytes.
    pub fn lines(&self, first: &[HexCell], second: &[HexCell], columns: usize) -> Vec<Pieces> {
        let fits = |bytes: &usize| 15 + 6 * bytes <= columns;
        let per_row = [32, 16, 8, 4].into_iter().find(fits).unwrap_or(2);
        let (mut at, mut other_at) = (0, 0);
        let line = |row: &[[Option<usize>; 2]]| {
            let cells = row
                .iter()
                .map(|[a, b]| [a.and_then(|a| first.get(a)), b.and_then(|b| second.get(b))]);
            let mut line = half(&mut at, per_row, cells.clone());
            line.extend(half(&mut other_at, per_row, cells.clone().map(|[a, b]| [b, a])));
            let sign = if cells.clone().any(|[a, b]| differ(a, b)) { "≠" } else { " " };
            line.push((sign.to_owned(), style::WARNING));
            line
        };
        self.pairs.chunks(per_row).map(line).collect()
    }
}

/// One side of a row: the position of its first byte, `at`, which is moved behind the last, and the
/// bytes, each with the one of the other side.
fn half<'a>(
    at: &mut usize,
    per_row: usize,
    cells: impl ExactSizeIterator<Item = [Option<&'a HexCell>; 2]>,
) -> Pieces {
    let mut pieces = vec![(format!("{at:04x}  "), style::DIM)];
    let blanks = "   ".repeat(per_row - cells.len()) + " ";
    for [own, other] in cells {
        *at += usize::from(own.is_some());
        pieces.push(piece(own, other));
    }
    pieces.push((blanks, style::PLAIN));
    pieces
}

/// Adds two ranges of bytes, side by side from their first bytes; the shorter one ends in gaps.
fn push(pairs: &mut Vec<[Option<usize>; 2]>, [(a, a_end), (b, b_end)]: [(usize, usize); 2]) {
    let within = |at: usize, end: usize| (at < end).then_some(at);
    let longer = (a_end - a).max(b_end - b);
    pairs.extend((0..longer).map(|n| [within(a + n, a_end), within(b + n, b_end)]));
}

fn differ(a: Option<&HexCell>, b: Option<&HexCell>) -> bool {
    a.map(|cell| cell.byte()) != b.map(|cell| cell.byte())
}

fn piece(own: Option<&HexCell>, other: Option<&HexCell>) -> (String, Style) {
    let text = own.map_or("  ".to_owned(), |cell| cell.hex().iter().collect());
    let of = match (own, differ(own, other)) {
        (None, _) => style::PLAIN,
        (Some(_), true) => style::MARKED,
        (Some(cell), false) => style::kind(cell.kind),
    };
    (format!("{text} "), of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Reading;
    use protocols::registry;
    use render::Rendered;
    use text::Secrets;

    /// The cells of a message whose parts after the command are free.
    fn cells(payload: &[u8]) -> Vec<HexCell> {
        let entry = registry().entries().iter().find(|e| e.spec.name == "getinfo").unwrap();
        let mut reading = Reading::default();
        reading.read_part(entry, payload, 0);
        Rendered::new(&reading, payload, Secrets::Shown).hexdump(0)
    }

    /// The bytes beside each other as two lines; `_` where one of them has none.
    fn beside(a: &str, b: &str) -> [String; 2] {
        let pairs = ComparedBytes::new(&cells(a.as_bytes()), &cells(b.as_bytes())).pairs;
        let letter =
            |text: &str, at: Option<usize>| at.map_or('_', |at| text.as_bytes()[at].into());
        let line = |text: &str, side: usize| pairs.iter().map(|p| letter(text, p[side])).collect();
        [line(a, 0), line(b, 1)]
    }

    #[test]
    fn common_bytes_stand_beside_each_other() {
        for (a, b, expected) in [
            ("getinfo", "getinfo", ["getinfo", "getinfo"]),
            ("map q3dm1 x", "map q3dm17 x", ["map q3dm1_ x", "map q3dm17 x"]),
            ("clients 9 map", "clients 12 map", ["clients 9_ map", "clients 12 map"]),
            ("one", "other", ["one__", "other"]),
            ("", "abc", ["___", "abc"]),
            ("", "", ["", ""]),
        ] {
            assert_eq!(beside(a, b), expected);
            let [c, d] = beside(b, a);
            assert_eq!([d, c], expected);
        }
    }

    #[test]
    fn long_messages_are_compared_by_position() {
        let (a, b) = ("x".repeat(LONGEST), format!("y{}", "x".repeat(LONGEST)));
        assert_eq!(beside(&a, &b), [format!("{a}_"), b]);
    }
}
