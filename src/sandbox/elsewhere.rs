//! Systems whose ways of giving up rights are not used.

use super::{Confined, Needs, Stuck};

/// Gives up nothing, and says so.
pub(super) fn confine(_: &Needs) -> Result<Confined, Stuck> {
    let missing = vec!["rights are given up on Linux only".to_owned()];
    Ok(Confined { applied: Vec::new(), missing })
}

pub(super) fn is_root() -> bool {
    false
}
