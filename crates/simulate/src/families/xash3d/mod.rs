//! Xash3D's master, in Half-Life's protocol: the cases that test one. The messages of its servers are
//! in `half_life`.

mod watch;

use crate::families::Family;

/// Its roles.
pub static FAMILY: Family = Family { server: None, watched: &[&watch::XASH_LIST] };
