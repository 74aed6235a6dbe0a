//! Messages of every game's servers and clients, and the responses of a correct master.

use super::probes::{all, outcome};

/// A correct master's responses to all probes.
#[test]
fn a_correct_master_answers_this() {
    let outcome = all().map(|probe| format!("{}:\n    {}\n", probe.0, outcome(probe, None)));
    insta::assert_snapshot!(outcome.collect::<String>());
}
