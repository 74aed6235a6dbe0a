//! Cases that several families have: a function with the family's messages as parameter. Titles,
//! requirements and levels are the families'.

pub mod challenge_quality;
pub mod list_order;
pub mod lists;
pub mod malformed;
pub mod no_challenge;
pub mod registration;
