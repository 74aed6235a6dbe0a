//! Challenge, login and verdicts: 010 ut2004.c, 009 handle_challenge.cpp.

use super::preconditions::{APPROVED, CHALLENGED};
use super::roles::{APPROVAL, OLD_CLIENT, OLD_VERSION, UnrealConnection, expect_verdict};
use crate::{CASE, Case, Failure, TestContext};
use simulate::families::unreal2::frames::{self, CLIENT, VERSION};

/// A program that nobody has.
const NOBODYS: &str = "NOBODYSCLIENT";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "ut2004/challenge/first",
        title: "a client connects and waits",
        run: |ctx| UnrealConnection::new(ctx).map(drop),
        ..CASE
    },
    Case {
        id: "ut2004/challenge/length",
        title: "a client connects and counts the characters of the challenge",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let client = UnrealConnection::new(ctx)?;
            ctx.report(format!("{} characters", client.challenge.len()))
        },
        ..CASE
    },
    Case {
        id: "ut2004/challenge/unpredictable",
        title: "two clients connect",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let (one, other) = (UnrealConnection::new(ctx)?, UnrealConnection::new(ctx)?);
            let is_same = one.challenge == other.challenge;
            ctx.report(if is_same { "the same challenge twice" } else { "two challenges" })
        },
        ..CASE
    },
    Case {
        id: "ut2004/login/approved",
        decides: &["ut2004/approved"],
        title: "a client of UT2004 logs in",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let mut client = UnrealConnection::new(ctx)?;
            let verdict = client.log_in(CLIENT, VERSION)?;
            expect_verdict(frames::VERDICT_APPROVED, &verdict)?;
            match verdict.1 {
                Some(APPROVAL) => Ok(()),
                other => Err(Failure::new("the number 3 behind the verdict", format!("{other:?}"))),
            }
        },
        ..CASE
    },
    Case {
        id: "ut2004/login/verified",
        title: "an approved client sends 32 digits",
        needs: &[&APPROVED],
        run: |ctx| UnrealConnection::approved(ctx)?.verify(),
        ..CASE
    },
    Case {
        id: "ut2004/login/older-client",
        title: "a client of UT2003 logs in",
        needs: &[&CHALLENGED],
        run: |ctx| verdict(ctx, OLD_CLIENT, OLD_VERSION),
        ..CASE
    },
    Case {
        id: "ut2004/login/unknown-program",
        title: "a program logs in that nobody has",
        needs: &[&CHALLENGED],
        run: |ctx| verdict(ctx, NOBODYS, VERSION),
        ..CASE
    },
    Case {
        id: "ut2004/login/request-first",
        title: "a client asks for the list without a login",
        needs: &[&CHALLENGED],
        run: |ctx| {
            let mut client = UnrealConnection::new(ctx)?;
            client.stream.send_bytes(&frames::list_request(&[]))?;
            let what = "an answer";
            let got = client.stream.expect(what, |bytes| (!bytes.is_empty()).then_some((0, ())));
            let is_over = client.stream.is_over();
            ctx.report(match (got.is_ok(), is_over) {
                (true, _) => "an answer",
                (false, true) => "the connection is closed",
                (false, false) => "nothing",
            })
        },
        ..CASE
    },
];

/// Reports the verdict on a login.
fn verdict(ctx: &TestContext<'_>, program: &str, version: u32) -> Result<(), Failure> {
    let mut client = UnrealConnection::new(ctx)?;
    match client.log_in(program, version) {
        Ok((verdict, Some(number))) => {
            ctx.report(format!("{} and {number}", render::quoted(&verdict, 32)))
        }
        Ok((verdict, None)) => ctx.report(render::quoted(&verdict, 32)),
        Err(_) if client.stream.is_over() => ctx.report("no verdict, and the connection is closed"),
        Err(_) => ctx.report("nothing"),
    }
}
