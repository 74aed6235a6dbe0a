//! What every game's servers and clients say, and what a sound master answers.

use super::probes::{PROBES, told};

/// A sound master's answers to all probes.
#[test]
fn a_sound_master_owes_this() {
    let told = PROBES.iter().map(|probe| format!("{}:\n    {}\n", probe.0, told(probe, None)));
    insta::assert_snapshot!(told.collect::<String>());
}
