//! Lists the exchanges of capture files: who asked whom for what, and the result.
//!
//! ```text
//! cargo run --example sessions captures/tour.pcapng
//! ```

use std::env;
use std::error::Error;

use fragshark::analysis::{AnalysisNeeds, Analyzer, Pipeline};
use fragshark::capture::Input;

fn main() -> Result<(), Box<dyn Error>> {
    let inputs: Vec<_> = env::args_os().skip(1).map(|file| Input::from_argument(&file)).collect();
    if inputs.is_empty() {
        return Err("usage: sessions FILE...".into());
    }
    let mut pipeline = Pipeline::open(inputs, Vec::new())?;
    pipeline.analyze(Analyzer::new(AnalysisNeeds::Exchanges), |exchange| {
        let (client, server) = (exchange.requester, exchange.responder);
        let (kind, state) = (exchange.kind.name(), exchange.state.name());
        println!("{client} > {server}  {}  {kind}  {state}", exchange.verdict.game.title);
    })?;
    for warning in pipeline.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
