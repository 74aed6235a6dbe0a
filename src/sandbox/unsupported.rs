//! Systems on which privileges are not dropped.

use super::{Confined, Needs, Stuck};

/// Drops nothing, and reports that.
pub(super) fn confine(_: &Needs) -> Result<Confined, Stuck> {
    let missing = vec!["rights are given up on Linux only".to_owned()];
    Ok(Confined { applied: Vec::new(), missing })
}

pub(super) fn is_root() -> bool {
    false
}
