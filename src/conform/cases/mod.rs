//! Every case, one folder or file per game family, in the order of the documents' sections.
//!
//! A new family is a file with a [`Family`], and a line here.

mod challenge_quality;
mod doom3;
mod elite_force;
mod gamespy;
mod half_life;
mod listed;
mod malformed;
mod no_challenge;
mod order;
mod quake2;
mod quake3;
mod quakeworld;
mod xash3d;

use super::case::{Case, Family, Profile, Sentence};

/// All families, in the order in which they are listed.
pub static FAMILIES: &[&Family] = &[
    &quake3::FAMILY,
    &elite_force::FAMILY,
    &quake2::QUAKE2_FAMILY,
    &quake2::HERETIC2_FAMILY,
    &quakeworld::QUAKEWORLD_FAMILY,
    &quakeworld::HEXENWORLD_FAMILY,
    &doom3::FAMILY,
    &half_life::FAMILY,
    &xash3d::FAMILY,
    &gamespy::FAMILY,
];

/// The family that a case belongs to.
pub fn family_of(case: &Case) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.cases().any(|known| known.id == case.id)).copied()
}

/// Every case of every family.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    FAMILIES.iter().flat_map(|family| family.cases.iter().copied().flatten())
}

/// Every kind of master.
pub fn profiles() -> impl Iterator<Item = &'static Profile> {
    FAMILIES.iter().flat_map(|family| family.profiles)
}

/// Every requirement of the documents.
pub fn sentences() -> impl Iterator<Item = &'static Sentence> {
    FAMILIES.iter().flat_map(|family| family.sentences.iter().copied().flatten())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::conform::{Level, Proven, fits};
    use crate::families::service;
    use crate::master::SETTINGS;

    #[test]
    fn ids_are_paths_and_are_unique() {
        let mut seen = BTreeSet::new();
        for case in cases() {
            let parts: Vec<_> = case.id.split('/').collect();
            assert!(parts.len() >= 3, "{case:?}: game, section, name");
            let fine = |c: char| c.is_ascii_alphanumeric() || c == '-';
            assert!(parts.iter().all(|p| !p.is_empty() && p.chars().all(fine)), "{case:?}");
            assert!(seen.insert(case.id), "{case:?} stands here twice");
        }
    }

    #[test]
    fn cases_say_what_they_are() {
        for case in cases() {
            for text in [case.title, case.requires] {
                assert!(text.len() > 10 && !text.ends_with('.'), "{case:?}: {text}");
                assert!(!text.contains("  "), "{case:?}: {text}");
            }
            assert!(!case.citation.is_empty(), "{case:?}");
            let knows = |name: &str| SETTINGS.iter().any(|s| s.name == name);
            assert!(case.slow.is_none_or(knows), "{case:?}");
        }
    }

    #[test]
    fn every_case_is_owed_and_proves_a_sentence() {
        for case in cases() {
            assert!(profiles().any(|p| p.owes(case.id)), "{case:?} is owed by no profile");
            let proves = |s: &Sentence| match s.proven {
                Proven::By(ids) => ids.iter().any(|id| fits(id, case.id)),
                Proven::Not(_) => false,
            };
            let told = case.level == Level::Info || sentences().any(proves);
            assert!(told, "{case:?} proves no sentence");
        }
    }

    #[test]
    fn patterns_name_cases() {
        let named = |pattern: &str| cases().any(|case| fits(pattern, case.id));
        for profile in profiles() {
            for pattern in profile.owes.iter().chain(profile.but) {
                assert!(named(pattern), "{}: {pattern}", profile.name);
            }
        }
        for sentence in sentences() {
            match sentence.proven {
                Proven::By(ids) => {
                    assert!(!ids.is_empty(), "{}", sentence.says);
                    for id in ids {
                        assert!(named(id), "{}: {id}", sentence.says);
                    }
                }
                Proven::Not(why) => assert!(why.len() > 10, "{}", sentence.says),
            }
        }
    }

    #[test]
    fn sentinels_are_of_services() {
        for sentinel in FAMILIES.iter().flat_map(|family| family.sentinels) {
            assert!(service(sentinel.service).is_some(), "{}", sentinel.service);
        }
    }
}
