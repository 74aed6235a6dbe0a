//! The preconditions of Quake 2's and Heretic 2's cases.

pub mod quake2 {
    use super::super::super::no_challenge::{self, preconditions};
    use super::super::OF_QUAKE2;
    use crate::conform::Precondition;

    preconditions!(OF_QUAKE2, "quake2/");
}

pub mod heretic2 {
    use super::super::super::no_challenge::{self, preconditions};
    use super::super::OF_HERETIC2;
    use crate::conform::Precondition;

    preconditions!(OF_HERETIC2, "heretic2/");
}
