//! Findings in the captures of the repository: each rule has one that violates it and one that does
//! not. `UPDATE=1` writes the golden texts and `docs/reference/findings.md`
//! again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use fragshark::analysis::{AnalysisNeeds, Analyzer, Finding, Pipeline, RULES, Severity};
use fragshark::capture::Input;

use crate::{documents, golden};

fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The captures of a folder and those below it, by their paths under `captures/`.
fn captures(folder: &Path, all: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            captures(&path, all);
        } else if path.extension().is_some_and(|e| e == "pcap" || e == "pcapng") {
            let name = path.strip_prefix(home().join("captures")).unwrap();
            all.insert(name.to_str().unwrap().to_owned());
        }
    }
}

fn all() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    captures(&home().join("captures"), &mut all);
    all
}

fn findings(capture: &str) -> Vec<Finding> {
    let path = home().join("captures").join(capture);
    let mut pipeline = Pipeline::open(vec![Input::File(path)], Vec::new()).unwrap();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    assert_eq!(analyzer.warnings(), [""; 0], "{capture}");
    analyzer.findings().into_iter().cloned().collect()
}

/// Findings that are more severe than a note.
fn grave(findings: &[Finding]) -> Vec<&'static str> {
    let grave = findings.iter().filter(|f| f.rule.severity >= Severity::Warning);
    grave.map(|f| f.rule.id).collect()
}

/// Rules that cannot be violated without another one.
const BESIDE: [(&str, &str); 2] =
    [("list.unproven", "challenge.changed"), ("list.unverified", "challenge.unanswered")];

#[test]
fn every_rule_has_a_capture_that_breaks_it_and_one_that_does_not() {
    let mut left: BTreeSet<_> =
        all().into_iter().filter(|path| path.starts_with("findings/")).collect();
    for rule in RULES {
        let (broken, healthy) = pair(rule.id);
        assert!(left.remove(&broken) && left.remove(&healthy), "{} has no captures", rule.id);
        let found = findings(&broken);
        assert!(found.iter().any(|f| f.rule.id == rule.id), "{broken}: {found:?}");
        let beside = |id: &str| BESIDE.contains(&(rule.id, id));
        let others = grave(&found).into_iter().filter(|id| *id != rule.id && !beside(id));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "{broken}: {found:?}");
        let found = findings(&healthy);
        assert!(found.iter().all(|f| f.rule.id != rule.id), "{healthy}: {found:?}");
        assert_eq!(grave(&found), [""; 0], "{healthy}: {found:?}");
    }
    assert!(left.is_empty(), "captures without a rule: {left:?}");
}

#[test]
fn findings_are_golden() {
    let mut text = String::new();
    for capture in all() {
        writeln!(text, "{capture}").unwrap();
        for finding in findings(&capture) {
            let Finding { rule, subject, messages, .. } = &finding;
            let (severity, id) = (rule.severity, rule.id);
            writeln!(text, "  {severity} {id} {subject} {messages:?}\n    {finding}").unwrap();
            if finding.citation() != rule.citation() {
                writeln!(text, "    {}", finding.citation()).unwrap();
            }
        }
    }
    golden::check("tests/findings.txt", &text);
}

#[test]
fn nothing_is_wrong_with_healthy_captures() {
    for capture in [
        "noise.pcapng",
        "darkplaces/getservers-ext.pcapng",
        "half-life/pieces.pcapng",
        "cases/zeros-end-lists.pcapng",
        "cases/challenge-cut-off.pcapng",
        "cases/answer-cut-off.pcapng",
        "cases/challenge-signed.pcapng",
        "cases/challenge-unanswered-before.pcapng",
        "cases/challenge-answered-twice.pcapng",
        "cases/heartbeats-one-way.pcapng",
        "cases/heartbeats-of-one-direction.pcapng",
        "cases/heartbeat-lost.pcapng",
        "cases/capture-begins-late.pcapng",
    ] {
        assert_eq!(grave(&findings(capture)), [""; 0], "{capture}");
    }
    assert!(findings("noise.pcapng").is_empty());
}

#[test]
fn where_a_list_goes_on_or_ends_is_no_server() {
    for (capture, hosts, port) in [
        ("half-life/pieces.pcapng", 7..=12, 27015),
        ("cases/zeros-end-lists.pcapng", 20..=20, 27960),
    ] {
        let path = home().join("captures").join(capture);
        let mut pipeline = Pipeline::open(vec![Input::File(path)], Vec::new()).unwrap();
        let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
        let servers: Vec<_> = analyzer.hosts().servers().iter().map(|s| s.address).collect();
        let listed = hosts.map(|host| SocketAddr::from(([192, 0, 2, host], port)));
        let others = [([192, 0, 2, 21], 27910), ([192, 0, 2, 22], 27500)].map(SocketAddr::from);
        let others = others.into_iter().filter(|_| port == 27960);
        assert_eq!(servers, listed.chain(others).collect::<Vec<_>>(), "{capture}");
    }
}

#[test]
fn rules_have_names_of_their_own_and_cite_a_document() {
    let mut seen = BTreeMap::new();
    for rule in RULES {
        assert!(seen.insert(rule.id, rule.requirement).is_none(), "{} twice", rule.id);
        let Some((document, section)) = rule.section.split_once(' ') else {
            assert!(["message.faulty", "message.nonstandard"].contains(&rule.id), "{}", rule.id);
            continue;
        };
        assert!(document.len() == 3 && !section.is_empty(), "{}: {}", rule.id, rule.section);
    }
}

fn pair(id: &str) -> (String, String) {
    (format!("findings/{id}.pcapng"), format!("findings/{id}.healthy.pcapng"))
}

#[test]
fn the_page_is_what_the_rules_say() {
    let mut page = String::from(
        "- **error**: no program can use it.\n\
         - **warning**: some programs fail on it.\n\
         - **note**: unusual, or a violation that is common and harmless.\n\n\
         Each rule has a capture that breaks it, and a similar one that does not.\n\n\
         | rule | severity | source |\n|---|---|---|\n",
    );
    for rule in RULES {
        let (id, severity, source) = (rule.id, rule.severity, rule.citation());
        writeln!(page, "| [`{id}`](#{}) | {severity} | {source} |", anchor(id)).unwrap();
    }
    for rule in RULES {
        let (broken, healthy) = pair(rule.id);
        let (id, severity, source) = (rule.id, rule.severity, rule.citation());
        write!(
            page,
            "\n<a id=\"{}\"></a>\n## {id}\n\n\
             - Severity: {severity}\n- Rule: {}\n- Impact: {}\n- Reference: {source}\n\
             - Captures: [broken](../../captures/{broken}), [healthy](../../captures/{healthy})\n",
            anchor(id),
            rule.requirement,
            rule.impact,
        )
        .unwrap();
    }
    documents::check_reference("findings.md", &page);
}

/// The anchor of an id in links.
fn anchor(id: &str) -> String {
    id.replace('.', "-")
}
