//! The traits of these masters.

use super::roles::UnrealConnection;
use crate::conform::{Failure, TestContext, Trait};
use crate::families::unreal2::frames::VERSION;
use crate::render;

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two clients",
        observe: |ctx| {
            let (one, other) = (UnrealConnection::new(ctx)?, UnrealConnection::new(ctx)?);
            let is_same = one.challenge == other.challenge;
            Ok(if is_same { "the same" } else { "two" }.to_owned())
        },
    },
    Trait { name: "login of an unknown program", observe: |ctx| verdict(ctx, "NOBODYSCLIENT", 1) },
    Trait {
        name: "login of a client that is newer than all",
        observe: |ctx| verdict(ctx, "UT2K4CLIENT", VERSION + 10_000),
    },
];

/// The verdict on a login, in words.
fn verdict(ctx: &TestContext<'_>, program: &str, version: u32) -> Result<String, Failure> {
    let mut client = UnrealConnection::new(ctx)?;
    Ok(match client.log_in(program, version) {
        Ok((verdict, _)) => render::quoted(&verdict, 32),
        Err(_) if client.stream.is_over() => "the end".to_owned(),
        Err(_) => "nothing".to_owned(),
    })
}
