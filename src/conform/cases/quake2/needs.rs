//! What the cases of Quake 2 and Heretic 2 need of a target.

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
