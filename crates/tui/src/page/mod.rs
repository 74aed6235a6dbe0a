//! A protocol's specification page, as lines for the screen.

mod layout;

use super::search::SearchQuery;
use layout::{PageLine, layout};
use protocol::Protocol;
use protocols::registry;

/// Wider lines are hard to read.
const WIDEST: usize = 110;

/// Whether a line of a protocol's page may contain what is searched.
pub fn has_text(protocol: &Protocol, query: &SearchQuery) -> bool {
    protocol.page.lines().any(|line| query.is_in(line))
}

/// A specification page, laid out.
#[derive(Debug, Clone)]
pub struct Page {
    /// The protocol's id.
    pub protocol: &'static str,
    source: &'static str,
    columns: usize,
    pub lines: Vec<PageLine>,
}

impl Page {
    /// A protocol's page in lines of at most `columns`.
    pub fn of_protocol(protocol: &str, columns: usize) -> Option<Self> {
        let protocol = registry().protocol(protocol)?;
        let (protocol, source) = (protocol.id, protocol.page);
        let mut page = Self { protocol, source, columns: 0, lines: Vec::new() };
        page.fit(columns, 0);
        Some(page)
    }

    /// The line where a message is described, by the message's id.
    pub fn section(&self, id: &str) -> Option<usize> {
        let anchor = format!("<a id=\"{id}\"></a>");
        let at = self.source.lines().position(|line| line.starts_with(&anchor))?;
        self.lines.iter().position(|line| line.source > at)
    }

    /// Whether a line contains what is searched.
    pub fn is_in_line(&self, query: &SearchQuery, line: usize) -> bool {
        let text =
            |line: &PageLine| line.pieces.iter().map(|(text, _)| text.as_str()).collect::<String>();
        self.lines.get(line).is_some_and(|line| query.is_in(&text(line)))
    }

    /// Lays the page out for another width; returns the new position of the line `top`.
    pub fn fit(&mut self, columns: usize, top: usize) -> usize {
        let columns = columns.clamp(1, WIDEST);
        if columns == self.columns {
            return top;
        }
        let source = self.lines.get(top).map_or(0, |line| line.source);
        (self.columns, self.lines) = (columns, layout(self.source, columns));
        self.lines.iter().position(|line| line.source >= source).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::style;

    #[test]
    fn every_message_has_its_section() {
        for protocol in registry().protocols() {
            let page = Page::of_protocol(protocol.id, 80).unwrap();
            for entry in protocol.messages {
                let section = page.section(entry.spec.id);
                let line = section.and_then(|at| page.lines.get(at));
                let heading = line.and_then(|line| line.pieces.first());
                assert!(heading.is_some_and(|(_, style)| *style == style::HEADING), "{entry:?}");
            }
        }
    }

    #[test]
    fn another_width_stays_at_the_same_section() {
        let mut page = Page::of_protocol("quake3", 80).unwrap();
        let top = page.section("getservers").unwrap();
        let narrow = page.fit(40, top);
        assert_eq!(page.section("getservers"), Some(narrow));
        assert!(narrow > top);
    }
}
