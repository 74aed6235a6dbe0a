//! A real Prometheus scrapes `watch`, and its rules fire on a master with a defect.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use masters::Defect;
use serde_json::Value;

use crate::process::{Process, until};
use crate::watched::{free_port, master, page, watch};
use crate::{golden, needs};

/// The answer of Prometheus to a query, as soon as it gives one.
fn query(at: SocketAddr, path: &str) -> Option<Value> {
    let (status, body) = page(at, &format!("GET {path}"))?;
    if !status.contains("200") {
        return None;
    }
    // The body may come in chunks; the JSON is one line.
    let (begin, end) = (body.find('{')?, body.rfind('}')?);
    serde_json::from_str(body.get(begin..=end)?).ok()
}

#[test]
fn its_rules_fire_on_a_master_with_a_defect() {
    let test = "watch::prometheus::its_rules_fire_on_a_master_with_a_defect";
    let Some([prometheus]) = needs::programs(test, ["prometheus"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_good, good) = master("", &[]);
    let (_bad, bad) = master("", &[Defect::ListsNobody]);
    let [good, bad] = [good, bad].map(|at| at.to_string());
    let [pages, own] = [free_port(), free_port()];
    let metrics = pages.to_string();
    let mut command = watch(
        folder.path(),
        &[
            "--target",
            &good,
            "--target",
            &bad,
            "--profile",
            "quake3",
            "--every",
            "100ms",
            "--metrics",
            &metrics,
        ],
    );
    let mut watching = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let config = folder.path().join("prometheus.yml");
    let rules = golden::path("docs/prometheus/rules.yml");
    let text = format!(
        "global: {{ scrape_interval: 300ms, evaluation_interval: 300ms }}\n\
         rule_files: ['{}']\n\
         scrape_configs:\n  - job_name: fragshark\n    static_configs: [{{ targets: ['127.0.0.1:{pages}'] }}]\n",
        rules.display()
    );
    fs::write(&config, text).unwrap();
    let log = folder.path().join("prometheus.log");
    let mut command = Command::new(prometheus);
    command.arg(format!("--config.file={}", config.display()));
    command.arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()));
    command.arg(format!("--web.listen-address=127.0.0.1:{own}"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log).unwrap());
    let mut scraping = Process::start(&mut command);
    let at = SocketAddr::from(([127, 0, 0, 1], own));
    until("Prometheus to be ready", || {
        let log = || fs::read_to_string(&log).unwrap();
        assert_eq!(scraping.ended(), None, "{}", log());
        assert_eq!(watching.ended(), None);
        page(at, "GET /-/ready").filter(|(status, _)| status.contains("200"))
    });
    let alert = until("an alert to fire", || {
        let alerts = query(at, "/api/v1/alerts")?;
        let alerts = alerts["data"]["alerts"].as_array()?.clone();
        alerts.into_iter().find(|alert| alert["state"] == "firing")
    });
    assert_eq!(alert["labels"]["alertname"], "FragsharkServerUnlisted", "{alert}");
    assert_eq!(alert["labels"]["target"], bad.as_str(), "the other master is right: {alert}");
    assert_eq!(alert["labels"]["subject"], "probe");
    // What the dashboard asks is understood, and the master's list is there.
    let dashboard = fs::read(golden::path("docs/grafana/fragshark-watch.json")).unwrap();
    let dashboard: Value = serde_json::from_slice(&dashboard).unwrap();
    let mut charts = 0;
    for panel in dashboard["panels"].as_array().unwrap() {
        let expression = panel["targets"][0]["expr"].as_str().unwrap().replace(' ', "%20");
        let found = query(at, &format!("/api/v1/query?query={expression}")).unwrap();
        assert_eq!(found["status"], "success", "{expression}: {found}");
        charts += usize::from(!found["data"]["result"].as_array().unwrap().is_empty());
    }
    assert!(charts >= 7, "{charts} of the charts have a line");
}
