//! The sections of the specification's pages that a case cites.

use protocol::{DOCUMENTS, Protocol};
use protocols::registry;
use report::CitedSection;

/// For each part of a citation (`001 1.1.2, 000 getserversResponse`) that names a document, the
/// section that describes it. `id` is the case's: several protocols may describe a section.
pub(super) fn sources(id: &str, citation: &'static str) -> Vec<CitedSection> {
    citation.split(", ").filter_map(|cited| source(id, cited)).collect()
}

fn source(id: &str, cited: &'static str) -> Option<CitedSection> {
    let (number, section) = cited.split_once(' ')?;
    let (_, document) = DOCUMENTS.iter().find(|(known, _)| *known == number)?;
    let (protocol, anchor) = message(id, cited).or_else(|| page(id, number, section))?;
    let (page, text) =
        (format!("docs/protocols/{}.md", protocol.id), described(protocol.page, anchor));
    Some(CitedSection { cited, document, page, anchor, text })
}

/// The message that a section describes, that of its own game first.
fn message(id: &str, cited: &str) -> Option<(&'static Protocol, &'static str)> {
    let describes = |protocol: &&'static Protocol| {
        let mut messages = protocol.messages.iter();
        let found = messages.find(|entry| entry.spec.sections.contains(&cited))?;
        Some((*protocol, found.spec.id))
    };
    own_first(id).iter().find_map(describes)
}

/// The page of the protocol whose messages are described in the same chapter of a document, or for
/// a section without a number, in the same document; else that of the case's own game.
fn page(id: &str, number: &str, section: &str) -> Option<(&'static Protocol, &'static str)> {
    let chapter_of = |section: &str| section.split('.').next()?.parse::<u8>().ok();
    let chapter = chapter_of(section);
    let is_local = |cited: &&str| {
        let (of, section) = cited.split_once(' ').unwrap_or_default();
        of == number && (chapter.is_none() || chapter == chapter_of(section))
    };
    let has = |protocol: &&'static Protocol| {
        protocol.messages.iter().flat_map(|entry| entry.spec.sections).any(is_local)
    };
    let own = || registry().protocols().iter().copied().find(|protocol| is_of(protocol, id));
    own_first(id).into_iter().find(has).or_else(own).map(|protocol| (protocol, ""))
}

/// All protocols, first that of the game in a case's id.
fn own_first(id: &str) -> Vec<&'static Protocol> {
    let (own, others): (Vec<_>, Vec<_>) =
        registry().protocols().iter().copied().partition(|protocol| is_of(protocol, id));
    own.into_iter().chain(others).collect()
}

/// Whether a case's id begins with a game of a protocol.
fn is_of(protocol: &Protocol, id: &str) -> bool {
    let game = id.split('/').next().unwrap_or_default();
    protocol.games.iter().any(|own| own.id == game)
}

/// The part of a page from an anchor up to the next heading of its rank; without an anchor, what is
/// before the first section.
fn described(page: &'static str, anchor: &str) -> &'static str {
    let mark = format!("<a id=\"{anchor}\"></a>\n");
    let from = if anchor.is_empty() { Some(0) } else { page.find(&mark).map(|at| at + mark.len()) };
    let text = from.and_then(|from| page.get(from..)).unwrap_or_default();
    let heading = text.find('\n').unwrap_or(text.len());
    let behind = text.get(heading..).unwrap_or_default();
    let ends = ["\n<a id=", "\n## ", "\n### "].iter().filter_map(|end| behind.find(end)).min();
    let end = ends.map_or(text.len(), |end| heading + end);
    text.get(..end).unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::suites;

    #[test]
    fn citations_lead_to_the_sections_that_describe_them() {
        for (id, citation, places) in [
            (
                "quake3/getserversResponse/end-mark",
                "001 1.1.2, 000 getserversResponse",
                &["docs/protocols/quake3.md#getservers-response"; 2][..],
            ),
            ("doom3/heartbeat/asked", "001 9.7", &["docs/protocols/doom3.md#heartbeat"]),
            ("half-life/q/asked", "001 10.2", &["docs/protocols/half-life.md#heartbeat"]),
            ("gamespy/list/text", "003 Appendix B", &["docs/protocols/gamespy.md"]),
            ("hexenworld/d/all", "001 7", &["docs/protocols/quakeworld.md"]),
            ("dpmaster/limits/x", "004 BEHAVIOUR", &["docs/protocols/quake3.md"]),
            ("dpmaster/getserversResponse/size", "dpmaster's, in no document", &[]),
            ("quake3/x/y", "099 1.1.2", &[]),
        ] {
            let found: Vec<_> = sources(id, citation).iter().map(CitedSection::place).collect();
            assert_eq!(found, places, "{citation}");
        }
        let sources = sources("quake3/x/y", "001 1.1.1");
        let text = sources[0].text;
        assert!(text.starts_with("### 4.1 getservers\n") && !text.contains("<a id"), "{text}");
    }

    #[test]
    fn every_citation_of_a_document_leads_somewhere() {
        let mut lost = Vec::new();
        for case in suites().iter().flat_map(|suite| suite.cases()) {
            let found = sources(case.id, &case.requirement.source);
            assert!(found.iter().all(|source| !source.text.is_empty()), "{case:?}");
            let cited = case.requirement.source.split(", ");
            let of_document = |part: &&str| part.starts_with("00") && part.len() > 3;
            let missing = cited
                .filter(of_document)
                .filter(|part| !found.iter().any(|source| source.cited == *part));
            lost.extend(missing.map(|part| format!("{}: {part}", case.id)));
        }
        assert_eq!(lost, [""; 0]);
    }
}
