//! The cases that test the masters of each family of games: one folder each, and its line in
//! `SUITES`.

mod doom3;
mod elite_force;
mod gamespy;
mod half_life;
mod qr2;
mod quake2;
mod quake3;
mod quakeworld;
mod source;
mod teeworlds;
#[cfg(test)]
mod tests;
mod unreal2;
mod xash3d;

use crate::{Profile, TestSuite};

/// The test suites of all families, in the order in which their cases are printed.
static SUITES: &[&TestSuite] = &[
    &quake3::SUITE,
    &elite_force::SUITE,
    &quake2::quake2_game::SUITE,
    &quake2::heretic2_game::SUITE,
    &quakeworld::quakeworld_game::SUITE,
    &quakeworld::hexenworld_game::SUITE,
    &doom3::SUITE,
    &half_life::SUITE,
    &xash3d::SUITE,
    &source::SUITE,
    &gamespy::SUITE,
    &qr2::SUITE,
    &teeworlds::SUITE,
    &unreal2::SUITE,
];

/// The test suites of all families.
pub fn suites() -> &'static [&'static TestSuite] {
    SUITES
}

/// Every kind of master that has cases.
pub fn profiles() -> impl Iterator<Item = &'static Profile> {
    suites().iter().flat_map(|suite| suite.profiles)
}
