//! Messages of every game's servers and clients, and the responses of a correct master.

use super::probes::{all, told};

/// A correct master's responses to all probes.
#[test]
fn a_sound_master_owes_this() {
    let told = all().map(|probe| format!("{}:\n    {}\n", probe.0, told(probe, None)));
    insta::assert_snapshot!(told.collect::<String>());
}
