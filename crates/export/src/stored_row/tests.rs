use super::*;
use crate::row::row;
use crate::{JsonWriter, Quotes};

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
        let stored: Stored<'_, Every<'_>> = Stored::new(&bytes);
        let (is, should): (Vec<_>, Vec<_>) = (stored.cells().collect(), row.cells().collect());
        assert_eq!(is, should);
        // A truncated row never panics, and never gives a wrong cell.
        for end in 0..bytes.len() {
            let cut: Stored<'_, Every<'_>> = Stored::new(&bytes[..end]);
            let cells: Vec<_> = cut.cells().collect();
            assert!(cells.len() <= should.len() && should.starts_with(&cells));
        }
    }
}
