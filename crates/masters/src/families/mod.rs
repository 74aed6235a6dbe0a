//! The masters of each family of games: one file or folder each, and its line in `FAMILIES`.

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

use crate::Service;

/// The services of each family, in the order in which they are printed.
static FAMILIES: &[&[Service]] = &[
    quake3::SERVICES,
    elite_force::SERVICES,
    quake2::SERVICES,
    quakeworld::SERVICES,
    doom3::SERVICES,
    half_life::SERVICES,
    source::SERVICES,
    gamespy::SERVICES,
    qr2::SERVICES,
    teeworlds::SERVICES,
    unreal2::SERVICES,
];

/// Every service of the reference master, in the order in which they are printed.
pub fn services() -> impl Iterator<Item = &'static Service> {
    FAMILIES.iter().copied().flatten()
}

/// The service of this name.
pub fn service(name: &str) -> Option<&'static Service> {
    services().find(|service| service.name == name)
}
