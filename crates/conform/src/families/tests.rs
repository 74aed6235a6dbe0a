//! Cases, their requirements and profiles.

mod adding;
mod made_up;

use std::collections::BTreeSet;

use crate::families::{profiles, suites};
use crate::{SuiteCase, fits, requirements};
use masters::families::service;
use simulate::SETTINGS;

/// Every case of every family.
fn cases() -> impl Iterator<Item = SuiteCase> {
    suites().iter().flat_map(|suite| suite.cases())
}

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
fn cases_and_requirements_have_texts() {
    let says = |id: &str, text: &str| {
        assert!(text.len() > 10 && !text.ends_with('.') && !text.contains("  "), "{id}: {text}");
    };
    for case in cases() {
        says(case.id, case.title);
        let knows = |name: &str| SETTINGS.iter().any(|s| s.name == name);
        assert!(case.slow.is_none_or(knows), "{case:?}");
    }
    for suite in suites() {
        suite.requirements.parse_rows().unwrap();
        for one in suite.implementations.parse_rows().unwrap() {
            assert!(!one.source.is_empty() && !one.values.is_empty(), "{one:?}");
        }
    }
    let mut seen = BTreeSet::new();
    for requirement in requirements(suites()) {
        says(&requirement.id, &requirement.text);
        if let Err(why) = &requirement.level {
            says(&requirement.id, why);
        }
        assert!(!requirement.source.is_empty(), "{requirement:?}");
        assert!(seen.insert(&requirement.id), "{requirement:?} is there twice");
    }
}

#[test]
fn every_case_has_a_profile_and_a_requirement() {
    for suite in suites() {
        let declared: usize = suite.cases.iter().map(|cases| cases.len()).sum();
        let ids = suite.cases.iter().copied().flatten().map(|case| case.id);
        let with: BTreeSet<_> = suite.cases().map(|case| case.id).collect();
        let without: Vec<_> = ids.filter(|id| !with.contains(id)).collect();
        assert_eq!((with.len(), without), (declared, Vec::new()), "cases without requirement");
        for case in suite.cases() {
            assert!(profiles().any(|p| p.includes(case.id)), "{case:?} is in no profile");
        }
    }
}

#[test]
fn every_requirement_has_a_case_or_a_reason() {
    for requirement in requirements(suites()) {
        let is_tested = cases().any(|case| case.requirement.id == requirement.id);
        assert_eq!(is_tested, requirement.level.is_ok(), "{requirement:?}");
    }
}

#[test]
fn patterns_name_cases() {
    for profile in profiles() {
        for pattern in profile.cases.iter().chain(profile.except) {
            assert!(cases().any(|case| fits(pattern, case.id)), "{}: {pattern}", profile.name);
        }
    }
}

#[test]
fn sentinels_are_of_services() {
    for sentinel in suites().iter().flat_map(|suite| suite.sentinels) {
        assert!(service(sentinel.service).is_some(), "{}", sentinel.service);
    }
}
