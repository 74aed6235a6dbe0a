use super::*;
use crate::export::row::row;
use crate::export::{Cell, JsonWriter, Quotes};

row! {
    /// A row with a cell of each kind.
    Every {
        number: Number in "", "a cell";
        nothing: Number or none in "", "a cell";
        port: Port in "", "a cell";
        signed: Integer in "", "a cell";
        decimal: Decimal in "", "a cell";
        flag: Flag in "", "a cell";
        time: Time in "", "a cell";
        duration: Duration in "", "a cell";
        text: Text in "", "a cell";
        line: Line in "", "a cell";
        word: Word in "", "a cell";
        four: Address in "", "a cell";
        six: Address in "", "a cell";
        texts: Texts in "", "a cell";
        numbers: Numbers in "", "a cell";
        json: Json in "", "a cell";
        doubled: Json in "", "a cell";
    }
}

fn every(number: u64, text: &str) -> Every<'_> {
    Every {
        number,
        nothing: None,
        port: u16::MAX,
        signed: -5,
        decimal: -0.25,
        flag: true,
        time: i64::MIN,
        duration: i64::MAX,
        text: text.into(),
        line: text.into(),
        word: "word",
        four: "192.0.2.1".parse().unwrap(),
        six: "2001:db8::1".parse().unwrap(),
        texts: ["", text].into_iter().collect(),
        numbers: [0, number].into_iter().collect(),
        json: r#"{"größer":1}"#.into(),
        doubled: JsonWriter::new(br#"{""a"":""b""}"#, Quotes::Doubled),
    }
}

#[test]
fn a_stored_row_has_the_same_cells() {
    for text in ["", "größer, \"ja\"", "x\0"] {
        let (row, mut bytes) = (every(7, text), Vec::new());
        store(&row, &mut bytes);
        let stored: Stored<'_, Every<'_>> = Stored::of(&bytes);
        let (is, should): (Vec<_>, Vec<_>) = (stored.cells().collect(), row.cells().collect());
        assert_eq!(is, should);
        // A truncated row never panics, and never gives a wrong cell.
        for end in 0..bytes.len() {
            let cut: Stored<'_, Every<'_>> = Stored::of(&bytes[..end]);
            let cells: Vec<_> = cut.cells().collect();
            assert!(cells.len() <= should.len() && should.starts_with(&cells));
        }
    }
}

/// The numbers that are written if exchanges end in this order, those below `skipped` without a
/// row; and how many are late.
fn written(mut ordered: Ordered, ends: &[u64], skipped: u64, text: usize) -> (Vec<u64>, u64) {
    let text = "x".repeat(text);
    let mut numbers = Vec::new();
    let mut write = |row: &Stored<'_, Every<'_>>| {
        let Some(Cell::Number(number)) = row.cells().next() else { panic!("no number") };
        numbers.push(number);
        Ok::<_, io::Error>(())
    };
    for number in ends {
        if *number <= skipped {
            ordered.skip::<Every<'_>, _>(*number, &mut write).unwrap();
        } else {
            ordered.take(*number, &every(*number, &text), &mut write).unwrap();
        }
    }
    ordered.finish::<Every<'_>, _>(&mut write).unwrap();
    (numbers, ordered.late())
}

fn file() -> Option<File> {
    Some(tempfile::tempfile().unwrap())
}

#[test]
fn rows_come_in_order_whatever_memory_there_is() {
    let sorted: Vec<u64> = (1..=500).collect();
    let reversed: Vec<u64> = sorted.iter().rev().copied().collect();
    let mixed: Vec<u64> = (0..500).map(|n| n * 211 % 500 + 1).collect();
    for ends in [&sorted, &reversed, &mixed] {
        for text in [10, 1_000, 10_000] {
            for room in [0, 20_000, HELD] {
                let ordered = || Ordered { room, ..Ordered::new(file()) };
                assert_eq!(written(ordered(), ends, 0, text), (sorted.clone(), 0));
                let rest = sorted[100..].to_vec();
                assert_eq!(written(ordered(), ends, 100, text), (rest, 0));
            }
        }
        assert_eq!(written(Ordered::new(None), ends, 0, 10), (sorted.clone(), 0));
    }
}

#[test]
fn without_space_rows_are_written_and_counted() {
    let late: Vec<u64> = (2..=500).chain([1]).collect();
    for ordered in [
        Ordered { waiting: 100, ..Ordered::new(file()) },
        Ordered { room: 0, store: PayloadStore::spool_only(10_000), ..Ordered::new(None) },
    ] {
        assert_eq!(written(ordered, &late, 0, 10), (late.clone(), 1));
    }
    // A number without a row cannot be late.
    let ordered = Ordered { waiting: 100, ..Ordered::new(file()) };
    assert_eq!(written(ordered, &late, 1, 10), ((2..=500).collect(), 0));
}
