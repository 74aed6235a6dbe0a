//! Clients request the message of the day: 001 4.1.4 and 4.1.5.

use super::MOTD;
use super::preconditions::MOTD_ANSWERED;
use crate::{CASE, Case, Done, Failure, ReceivedDatagram, TestContext};
use protocols::quake3::Quake3;
use simulate::families::quake3::messages::{getmotd, with_message};

/// A version from the document, and a challenge that is not in it.
const VERSION: &str = "ST:V HM v1.20 win-x86 Apr 17 2001";
const CHALLENGE: &str = "16017";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/motd/challenge",
        title: "a client asks for the message of the day",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| has(ctx, "challenge", |value| value == CHALLENGE.as_bytes()),
        ..CASE
    },
    Case {
        id: "elite-force/motd/text",
        title: "a client asks for the message of the day",
        needs: &[&MOTD_ANSWERED],
        run: |ctx| has(ctx, "motd", |value| !value.is_empty()),
        ..CASE
    },
];

/// The message of the day has a matching value of a key.
fn has(ctx: &TestContext<'_>, key: &str, is: impl Fn(&[u8]) -> bool) -> Done {
    let client = ctx.client(MOTD)?;
    client.send_bytes(&getmotd(CHALLENGE, VERSION))?;
    let (datagram, value) = client.expect("a message of the day", |datagram| {
        Some((datagram.clone(), value(datagram, key.as_bytes())?))
    })?;
    if is(&value) {
        return Ok(());
    }
    let what = format!("the {key} that belongs there");
    let came = format!("{key} \"{}\"", render::quoted(&value, usize::MAX));
    Err(Failure::new(what, came).field(&datagram, key))
}

/// The value of a key in a message of the day, empty if it has none.
fn value(datagram: &ReceivedDatagram, key: &[u8]) -> Option<Vec<u8>> {
    with_message(&datagram.bytes, |message| match message {
        Quake3::Motd(motd) => Some(motd.info.get(key).unwrap_or_default().to_vec()),
        _ => None,
    })
}
