//! Which cases each kind of master owes.

use crate::conform::Profile;
use crate::proto::quake3::QUAKE3;

pub(super) static PROFILES: &[Profile] = &[Profile {
    name: QUAKE3.id,
    title: "id Software's master of Quake III Arena",
    assumes: "",
    owes: &["quake3/*"],
    but: &[],
}];
