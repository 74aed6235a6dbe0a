//! Files that follow from the series and the alerts: tables of the documents, rules for Prometheus,
//! and a dashboard for Grafana.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::alert::{ALERTS, AlertRule};
use super::series::{ALL_SERIES, Series};
use query::known_by;
use simulate::families::{ListMessages, MasterMessages, RegistrationMessages, master_kinds};

/// The page that says what to do, on the project's site.
const HOW_TO: &str = "docs/howto/watch-a-master.md";

/// The services of the reference master that are watched in no profile, with the reason. Every kind of
/// master that has cases is watched.
pub static UNWATCHED: &[(&str, &str)] = &[
    ("motd", "it answers with a message of the day, and has no list"),
    ("authorize", "it says which players are allowed, and has no list"),
    ("update", "it says whether there is a later version, and has no list"),
];

/// The table of the alerts, for the how-to.
pub fn alert_table() -> String {
    let mut text = "| alert | what it says | when |\n|---|---|---|\n".to_owned();
    for rule in ALERTS {
        let AlertRule { name, says, section, .. } = rule;
        // Writing to a string cannot fail.
        _ = writeln!(text, "| [`{name}`](#{section}) | {says} | {} |", rule.condition_text());
    }
    text
}

/// The table of the kinds of masters, and that of what is not watched, for the how-to.
pub fn kind_tables() -> String {
    let mut text =
        "| `--profile` | lists | servers register | the kind is known by |\n|---|---|---|---|\n"
            .to_owned();
    for kind in master_kinds() {
        let MasterMessages { profile, port, list, registration, .. } = kind;
        let way = match list {
            ListMessages::Datagrams { .. } => "UDP",
            ListMessages::Connection(_) => "TCP",
        };
        let servers = match registration {
            RegistrationMessages::Heartbeats(messages) => {
                format!("UDP {}", messages.port.unwrap_or(*port))
            }
            RegistrationMessages::Connection { .. } => format!("TCP {port}, and stay connected"),
        };
        let known = known_by(kind);
        _ = writeln!(text, "| `{profile}` | {way} {port} | {servers} | {known} |");
    }
    text += "\n| service of `fragshark master` | why it is not watched |\n|---|---|\n";
    for (name, why) in UNWATCHED {
        _ = writeln!(text, "| `{name}` | {why} |");
    }
    text
}

/// The table of the series and their metrics, for the how-to.
pub fn series_table() -> String {
    let mut text =
        "| series | metric | meaning | label `subject` |\n|---|---|---|---|\n".to_owned();
    for Series { name, metric, means, subject } in ALL_SERIES {
        _ = writeln!(text, "| `{name}` | `{metric}` | {means} | {subject} |");
    }
    text
}

/// Rules for Prometheus: one for each alert, and two on `watch` itself.
pub fn prometheus_rules() -> String {
    let mut text =
        "# Alerts of `fragshark watch` for Prometheus. Generated: see crates/watch/src/page.rs.\n\
                    groups:\n  - name: fragshark\n    rules:\n"
            .to_owned();
    for rule in ALERTS {
        let name = camel_case(rule.name);
        let expression = format!("fragshark_alert_active{{alert=\"{}\"}} == 1", rule.name);
        let about = match rule.series.subject {
            "" => "{{ $labels.target }}",
            _ => "{{ $labels.target }}, {{ $labels.subject }}",
        };
        let summary = format!("{about}: {}", rule.says);
        let more = format!("{HOW_TO}#{}", rule.section);
        add_rule(&mut text, &name, &expression, "0s", &summary, &more);
    }
    let more = format!("{HOW_TO}#watch-itself");
    let down = "up{job=\"fragshark\"} == 0";
    let summary = "fragshark watch at {{ $labels.instance }} does not run";
    add_rule(&mut text, "WatchDown", down, "2m", summary, &more);
    let late = "time() - fragshark_watch_last_round_timestamp_seconds \
                > 5 * fragshark_watch_interval_seconds";
    let summary = "fragshark watch at {{ $labels.instance }} runs, but does no rounds";
    add_rule(&mut text, "WatchLate", late, "1m", summary, &more);
    text
}

fn add_rule(
    text: &mut String,
    name: &str,
    expression: &str,
    hold: &str,
    summary: &str,
    more: &str,
) {
    _ = write!(
        text,
        "      - alert: Fragshark{name}\n        expr: '{expression}'\n        for: {hold}\n        \
         labels:\n          severity: warning\n        annotations:\n          summary: '{summary}'\n\
         \x20         more: '{more}'\n"
    );
}

/// `master-silent` as `MasterSilent`.
fn camel_case(name: &str) -> String {
    let words = name.split('-').map(|word| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => word.to_owned(),
    });
    words.collect()
}

/// A dashboard for Grafana: the active alerts, and a chart for each series.
pub fn grafana_dashboard() -> String {
    let alerts = json!({
        "type": "stat",
        "title": "active alerts",
        "gridPos": { "x": 0, "y": 0, "w": 24, "h": 4 },
        "datasource": datasource(),
        "targets": [target("fragshark_alert_active == 1", "{{alert}} {{target}} {{subject}}")],
        "fieldConfig": { "defaults": { "noValue": "none", "color": { "mode": "fixed", "fixedColor": "red" } } },
        "options": { "textMode": "name", "reduceOptions": { "calcs": ["lastNotNull"] } }
    });
    let charts = ALL_SERIES.iter().enumerate().map(|(n, series)| chart(n, series));
    let panels: Vec<Value> = std::iter::once(alerts).chain(charts).collect();
    let dashboard = json!({
        "title": "Master servers (fragshark watch)",
        "uid": "fragshark-watch",
        "schemaVersion": 38,
        "tags": ["fragshark"],
        "time": { "from": "now-24h", "to": "now" },
        "refresh": "1m",
        "templating": { "list": [{
            "name": "datasource", "type": "datasource", "query": "prometheus", "label": "data source"
        }] },
        "panels": panels
    });
    format!("{dashboard:#}\n")
}

/// The chart of the n-th series; two are beside each other.
fn chart(n: usize, series: &Series) -> Value {
    let unit = match series.metric {
        metric if metric.ends_with("_seconds") => "s",
        metric if metric.ends_with("_ratio") => "percentunit",
        _ => "short",
    };
    let legend = if series.subject.is_empty() { "{{target}}" } else { "{{target}} {{subject}}" };
    json!({
        "type": "timeseries",
        "title": series.name,
        "description": series.means,
        "gridPos": { "x": n % 2 * 12, "y": 4 + n / 2 * 8, "w": 12, "h": 8 },
        "datasource": datasource(),
        "targets": [target(series.metric, legend)],
        "fieldConfig": { "defaults": { "unit": unit, "min": 0 } }
    })
}

fn target(expression: &str, legend: &str) -> Value {
    json!({ "refId": "A", "datasource": datasource(), "expr": expression, "legendFormat": legend })
}

fn datasource() -> Value {
    json!({ "type": "prometheus", "uid": "${datasource}" })
}
