//! Each defect changes what it names, and nothing that has nothing to do with it.

use super::probes::{PROBES, told};
use crate::master::{DEFECTS, Defect};
use Defect::*;

/// The probes that tell a master with a defect from a sound one.
static CAUGHT: &[(Defect, &[&str])] = &[(NoEndMark, &["a list"])];

#[test]
fn every_defect_is_caught_by_what_it_breaks_and_by_nothing_else() {
    let sound: Vec<_> = PROBES.iter().map(|probe| told(probe, None)).collect();
    let mut wrong = String::new();
    for (defect, ..) in DEFECTS {
        let broken = PROBES.iter().zip(&sound);
        let caught: Vec<_> = broken
            .filter(|(probe, sound)| told(probe, Some(*defect)) != **sound)
            .map(|((name, ..), _)| *name)
            .collect();
        let expected = CAUGHT.iter().find(|(of, _)| of == defect).map(|(_, probes)| *probes);
        if expected != Some(&caught) {
            wrong += &format!("    ({defect:?}, &{caught:?}),\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
