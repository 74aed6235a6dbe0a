//! The traits of these masters.

use super::roles::{UnrealConnection, recv};
use crate::{Failure, TestContext, Trait};
use simulate::families::unreal2::frames::{self, MasterFrame, VERSION};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two clients",
        observe: |ctx| {
            let (one, other) = (UnrealConnection::new(ctx)?, UnrealConnection::new(ctx)?);
            let is_same = one.challenge == other.challenge;
            Ok(if is_same { "the same" } else { "two" }.to_owned())
        },
    },
    Trait {
        name: "characters of a challenge",
        observe: |ctx| {
            let length = UnrealConnection::new(ctx)?.challenge.len();
            Ok(if length > 8 { "more than eight" } else { "up to eight" }.to_owned())
        },
    },
    Trait {
        name: "two frames in one segment",
        observe: |ctx| {
            let mut client = UnrealConnection::approved(ctx)?;
            let both = [frames::approved_response(), frames::list_request(&[])].concat();
            client.stream.send_bytes(&both)?;
            client.recv_verdict("VERIFIED")?;
            Ok(if client.recv_list().is_ok() { "both are read" } else { "one is read" }.to_owned())
        },
    },
    Trait {
        name: "message of the day",
        observe: |ctx| {
            let mut client = UnrealConnection::verified(ctx)?;
            client.stream.send_bytes(&frames::motd_request())?;
            let answer = recv(&mut client.stream, "a frame", Some);
            Ok(match answer {
                Ok(MasterFrame::Text(_)) => "a text",
                Ok(_) => "another frame",
                Err(_) => "nothing",
            }
            .to_owned())
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
