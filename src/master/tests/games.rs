//! What every game's servers and clients say, and what a sound master answers.

use super::probes::{all, told};

/// A sound master's answers to all probes.
#[test]
fn a_sound_master_owes_this() {
    let told = all().map(|probe| format!("{}:\n    {}\n", probe.0, told(probe, None)));
    insta::assert_snapshot!(told.collect::<String>());
}
