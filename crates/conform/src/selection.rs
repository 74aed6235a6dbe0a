//! Selects cases: by ids, by patterns, by game, by profile.

use std::net::{IpAddr, SocketAddr};

use thiserror::Error;

use super::suite::{Profile, SuiteCase, TestSuite, fits};

/// Cases in their order.
#[derive(Debug, Default, Clone)]
pub struct CaseSelection {
    /// The cases, in the order in which they run.
    pub cases: Vec<SuiteCase>,
}

/// No case matches this word.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("no case matches {0}; {advice}", advice = advice(.0))]
pub struct NoSuchCase(pub String);

/// What to do with a word that is no case: an address is the target, most likely.
fn advice(word: &str) -> &'static str {
    let is_ip = word.parse::<IpAddr>().is_ok() || word.parse::<SocketAddr>().is_ok();
    if is_ip { "--target names the address of a master" } else { "--list shows all cases" }
}

impl CaseSelection {
    /// The cases of a profile that any of the words selects; without a profile or without words
    /// all. A word is an id, a pattern, or the beginning of ids.
    ///
    /// # Errors
    /// The word that selects no case.
    pub fn new(
        suites: &'static [&'static TestSuite],
        profile: Option<&Profile>,
        words: &[String],
    ) -> Result<Self, NoSuchCase> {
        let all = || suites.iter().flat_map(|suite| suite.cases());
        let unknown = words.iter().find(|word| !all().any(|case| matches(word, case.id)));
        if let Some(unknown) = unknown {
            return Err(NoSuchCase(unknown.clone()));
        }
        let selected =
            |case: &SuiteCase| words.is_empty() || words.iter().any(|w| matches(w, case.id));
        let applies = |case: &SuiteCase| profile.is_none_or(|profile| profile.includes(case.id));
        // Files follow the documents, and may return to a game; readers want its cases together.
        let (mut games, mut sections) = (Vec::new(), Vec::new());
        let rank = |known: &mut Vec<&'static str>, name| {
            let index = known.iter().position(|one| *one == name).unwrap_or(known.len());
            if index == known.len() {
                known.push(name);
            }
            index
        };
        let ranked = all().map(|case| {
            let section = case.section();
            let game = section.split('/').next().unwrap_or_default();
            (rank(&mut games, game), rank(&mut sections, section), case)
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(game, section, _)| (*game, *section));
        let all = ranked.into_iter().map(|(.., case)| case);
        let level = |case: SuiteCase| {
            let level = profile.map_or(case.level, |profile| profile.level(case));
            case.with_level(level)
        };
        Ok(Self { cases: all.filter(applies).filter(selected).map(level).collect() })
    }
}

/// Whether a word selects a case: the id itself, a pattern, or its first parts.
fn matches(word: &str, id: &str) -> bool {
    let word = word.trim_end_matches('/');
    fits(word, id) || id.strip_prefix(word).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_ids() {
        for (pattern, id, is) in [
            ("a/b", "a/b", true),
            ("a/b", "a/bc", false),
            ("a/*", "a/b/c", true),
            ("*", "", true),
            ("*/c", "a/b/c", true),
            ("a/*/c", "a/c", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
        ] {
            assert_eq!(fits(pattern, id), is, "{pattern} {id}");
        }
        assert!(matches("a/b", "a/b/c") && matches("a/", "a/b") && !matches("a", "ab"));
    }
}
