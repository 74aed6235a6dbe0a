//! Xash3D's master, in Half-Life's protocol: the cases that test one. The messages of its servers are
//! in `half_life`.

pub mod master;

use crate::families::{FamilyMessages, source};

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: None,
    questions: &[&source::query::SERVER_QUERY],
    masters: &[&master::XASH_LIST],
};
