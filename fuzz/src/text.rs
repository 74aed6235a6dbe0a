//! Oracles for what is written: text without control characters, NDJSON, CSV.

/// Characters that change how a terminal shows what follows them, the line feed aside.
fn is_control(c: char) -> bool {
    let reorders = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    reorders || (c.is_control() && c != '\n')
}

/// `bytes` are UTF-8 without control characters.
pub fn is_clean(what: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|why| panic!("{what}: {why}"));
    if let Some((at, c)) = text.char_indices().find(|(_, c)| is_control(*c)) {
        let before: String = text[..at].chars().rev().take(60).collect();
        let before: String = before.chars().rev().collect();
        panic!("{what}: {c:?} behind {before:?}");
    }
}

/// Every line is a JSON object of its own.
pub fn is_ndjson(what: &str, bytes: &[u8]) {
    is_clean(what, bytes);
    for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        let value = serde_json::from_slice::<serde_json::Value>(line);
        let row = || String::from_utf8_lossy(line);
        match value {
            Ok(value) => assert!(value.is_object(), "{what}: no object: {}", row()),
            Err(why) => panic!("{what}: {why}: {}", row()),
        }
    }
}

/// Every record has as many columns as the first.
pub fn is_csv(what: &str, bytes: &[u8]) {
    is_clean(what, bytes);
    let mut records = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    for record in records.records() {
        record.unwrap_or_else(|why| panic!("{what}: {why}"));
    }
}
