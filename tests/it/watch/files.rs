//! Files that follow from the alerts and the series.

use std::fs;
use std::process::Command;

use serde_json::Value;
use watch::{
    ALL_SERIES, alert_table, grafana_dashboard, kind_tables, prometheus_rules, series_table,
};

use super::{BINARY, master};
use crate::golden;
use crate::needs;
use crate::process::printed;

const RULES: &str = "docs/prometheus/rules.yml";
const DASHBOARD: &str = "docs/grafana/fragshark-watch.json";

#[test]
fn rules_dashboard_and_tables_are_those_of_the_program() {
    golden::check(RULES, prometheus_rules());
    golden::check(DASHBOARD, grafana_dashboard());
    let parts = [("alerts", alert_table()), ("series", series_table()), ("kinds", kind_tables())];
    golden::check_parts("docs/howto/watch-a-master.md", parts);
}

#[test]
fn prometheus_accepts_the_rules() {
    let test = "watch::files::prometheus_accepts_the_rules";
    let Some([promtool]) = needs::programs(test, ["promtool"]) else { return };
    let checked = printed(Command::new(promtool).args(["check", "rules"]).arg(golden::path(RULES)));
    assert!(checked.contains("SUCCESS: 8 rules found"), "{checked}");
}

#[test]
fn the_dashboard_has_a_chart_of_each_series() {
    let dashboard = fs::read(golden::path(DASHBOARD)).unwrap();
    let dashboard: Value = serde_json::from_slice(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let asked = panels.iter().map(|panel| panel["targets"][0]["expr"].as_str().unwrap());
    let expected = ALL_SERIES.iter().map(|series| series.metric);
    let expected: Vec<_> = std::iter::once("fragshark_alert_active == 1").chain(expected).collect();
    assert_eq!(asked.collect::<Vec<_>>(), expected);
}

#[test]
fn the_command_of_the_unit_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("fragshark")).unwrap();
    let (_running, at) = master("", &[]);
    let unit = fs::read_to_string(golden::path("docs/systemd/fragshark-watch.service")).unwrap();
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let given = format!("--target {at} --profile quake3 --rounds 1");
    let line = line.replace("%S", folder.path().to_str().unwrap());
    let line = line.replace("$WATCH_ARGUMENTS", &given);
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some("/usr/bin/fragshark"));
    let out = printed(Command::new(BINARY).args(words));
    assert!(out.contains("; the probe is listed"), "{out}");
    assert!(folder.path().join("fragshark/watch.db").is_file());
}
