//! The preconditions of QuakeWorld's and HexenWorld's cases.

pub mod quakeworld {
    use super::super::super::no_challenge::{self, preconditions};
    use super::super::OF_QUAKEWORLD;
    use crate::conform::Precondition;

    preconditions!(OF_QUAKEWORLD.messages, "quakeworld/");
}

pub mod hexenworld {
    use super::super::super::no_challenge::{self, preconditions};
    use super::super::OF_HEXENWORLD;
    use crate::conform::Precondition;

    preconditions!(OF_HEXENWORLD.messages, "hexenworld/");
}
