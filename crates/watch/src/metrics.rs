//! The newest samples in the text format of Prometheus, version 0.0.4.

use std::fmt::Write as _;

use super::alert::{ALERTS, AlertKey};
use super::series::{ALL_SERIES, SampleSubject};
use super::watcher::{RequestCounts, Watcher};

/// What a metric's label values are escaped for.
fn escaped_label(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The labels of a subject: `target="…",subject="…"`.
fn labels(about: &SampleSubject) -> String {
    let target = escaped_label(&about.target);
    if about.subject.is_empty() {
        return format!("target=\"{target}\"");
    }
    format!("target=\"{target}\",subject=\"{}\"", escaped_label(&about.subject))
}

/// The metrics after a round at a time, in nanoseconds since 1970, with a round every so many
/// seconds. What that round did not measure, because a master or a server did not answer, is left
/// out.
pub fn metrics(watcher: &Watcher, last_round: i64, every: f64) -> String {
    let mut text = String::new();
    let head = |text: &mut String, name: &str, kind: &str, means: &str| {
        // Writing to a string cannot fail.
        _ = writeln!(text, "# HELP {name} {means}\n# TYPE {name} {kind}");
    };
    for series in ALL_SERIES {
        // A value of an earlier round is not the newest one.
        let newest = watcher.recent().samples_of(series).filter_map(|(about, samples)| {
            let sample = samples.back().filter(|sample| sample.time == last_round)?;
            Some((about, sample.value))
        });
        let mut newest = newest.peekable();
        if newest.peek().is_none() {
            continue;
        }
        head(&mut text, series.metric, "gauge", series.means);
        for (about, value) in newest {
            _ = writeln!(text, "{}{{{}}} {value}", series.metric, labels(about));
        }
    }
    let name = "fragshark_alert_active";
    head(&mut text, name, "gauge", "whether an alert of fragshark watch is active: 1 or 0");
    for rule in ALERTS {
        for (about, _) in watcher.recent().samples_of(rule.series) {
            let is = watcher.alerts().has(&AlertKey { name: rule.name, about: about.clone() });
            _ = writeln!(
                text,
                "{name}{{alert=\"{}\",{}}} {}",
                rule.name,
                labels(about),
                u8::from(is)
            );
        }
    }
    for (name, means, is_answers) in [
        ("fragshark_master_requests_total", "requests for the list", false),
        ("fragshark_master_answers_total", "answered requests for the list", true),
    ] {
        head(&mut text, name, "counter", means);
        for (target, RequestCounts { requests, answers }) in watcher.counts() {
            let value = if is_answers { answers } else { requests };
            _ = writeln!(text, "{name}{{target=\"{}\"}} {value}", escaped_label(target));
        }
    }
    let name = "fragshark_watch_last_round_timestamp_seconds";
    head(&mut text, name, "gauge", "when the last round began, in seconds since 1970");
    _ = writeln!(text, "{name} {:.3}", last_round as f64 / 1e9);
    let name = "fragshark_watch_interval_seconds";
    head(&mut text, name, "gauge", "the time between two rounds");
    _ = writeln!(text, "{name} {every}");
    let name = "fragshark_build_info";
    head(&mut text, name, "gauge", "the version of fragshark");
    _ = writeln!(text, "{name}{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"));
    text
}
