//! `fragshark check`: what a capture does not keep to, of what the documents demand.
use super::captures::{Captures, warn};
use clap::Args;
/// tell what is wrong
#[derive(Args)]
pub(super) struct Check {
    #[command(flatten)]
    captures: Captures,
}
impl Check {
    pub fn run(self) -> anyhow::Result<()> {
        let mut pipeline = self.captures.open()?;
        let ledger = pipeline.ledger(|e| {
            println!(
                "{} {} {:?} {} -> {} srv {:?} {:?} lat {:?} retries {} msgs {} {:?} {}",
                e.number(),
                e.affair,
                e.state,
                e.asker,
                e.asked,
                e.server,
                e.proof,
                e.latency().map(|l| l / 1000),
                e.retries,
                e.messages,
                e.errors,
                e.steps
                    .iter()
                    .map(|s| format!("{}:{}({})", s.number, s.name, s.turn))
                    .collect::<Vec<_>>()
                    .join(" ")
            );
        })?;
        for f in ledger.findings() {
            println!("{} {} {:?} {} {}", f.rule.severity, f.rule.id, f.messages, f.subject, f);
        }
        for s in ledger.hosts().servers() {
            println!("{s:?} {:?}", ledger.hosts().left(s));
        }
        for m in ledger.hosts().masters() {
            println!("{m:?}");
        }
        warn(pipeline.warnings());
        Ok(())
    }
}
