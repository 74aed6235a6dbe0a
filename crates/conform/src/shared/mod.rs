//! Cases that several families have: a function with the family's messages as parameter, or a macro
//! for whole rows. Titles, requirements and levels of functions are the families'.

pub mod boundaries;
pub mod challenge_quality;
pub mod list_order;
pub mod lists;
pub mod malformed;
pub mod no_challenge;
pub mod preconditions;
pub mod registration;
pub mod robust;
