//! Systems on which privileges are not dropped.

use super::{ConfineError, Confined, Needs};

/// Drops nothing, and reports that.
pub(super) fn confine(_: &Needs) -> Result<Confined, ConfineError> {
    let missing = vec!["privileges are dropped on Linux only".to_owned()];
    Ok(Confined { applied: Vec::new(), missing })
}

pub(super) fn is_root() -> bool {
    false
}
