//! The filter language: any text is a filter or an error that can be shown.

use filter::{Filter, complete};

use super::text::is_clean;

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Filter::parse(text) {
        Ok(filter) => {
            assert_eq!(filter.text(), text);
            let again = Filter::parse(filter.text()).expect("what parsed once parses again");
            assert_eq!(filter.needs_payload(), again.needs_payload());
            assert_eq!(filter.needs_analysis(), again.needs_analysis());
        }
        Err(error) => {
            is_clean("filter error", error.to_string().as_bytes());
            is_clean("filter error", error.what().as_bytes());
            for line in error.marked() {
                is_clean("filter error", line.as_bytes());
            }
        }
    }
    for (at, _) in text.char_indices().chain([(text.len(), ' ')]).take(64) {
        complete(text, at);
    }
}
