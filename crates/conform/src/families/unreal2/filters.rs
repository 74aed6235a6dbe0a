//! Filters of lists, as qstat writes them: 010 ut2004.c, 009 PerformListServers.cpp.

use super::preconditions::LISTED_CASE;
use super::roles::{UnrealServer, list};
use crate::{Case, Done, TestContext};
use simulate::families::unreal2::frames::UnrealFilter;

/// The comparisons that qstat writes.
const EQUAL: u8 = 0;
const GREATER: u8 = 4;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "ut2004/filter/gametype",
        title: "servers of two game types register; a client asks for one of them",
        run: |ctx| {
            let wanted = [is("gametype", "xCTFGame")];
            exactly(ctx, &wanted, &[("game type", "xCTFGame")], &[("game type", "xDeathMatch")])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/not-empty",
        title: "an empty server and another register; a client asks for servers with players",
        run: |ctx| {
            let wanted = [over("currentplayers", "0")];
            exactly(ctx, &wanted, &[("players", "3")], &[("players", "0")])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/not-full",
        title: "a full server and another register; a client asks for servers with a free place",
        run: |ctx| {
            let wanted = [over("freespace", "0")];
            exactly(ctx, &wanted, &[("players", "15")], &[("players", "16")])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/password",
        title: "servers with and without a password register; a client asks for those with one",
        run: |ctx| {
            let wanted = [is("password", "true")];
            exactly(ctx, &wanted, &[("GamePassword", "True")], &[("GamePassword", "False")])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/no-password",
        title: "servers with and without a password register; a client asks for those without",
        requires: "ut2004/filter/password",
        run: |ctx| {
            let wanted = [is("password", "false")];
            exactly(ctx, &wanted, &[("GamePassword", "False")], &[("GamePassword", "True")])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/all-hold",
        title: "a client asks for servers of a game type that have players",
        run: |ctx| {
            let wanted = [is("gametype", "xCTFGame"), over("currentplayers", "0")];
            let (ctf, empty) = (("game type", "xCTFGame"), ("players", "0"));
            exactly(ctx, &wanted, &[ctf], &[ctf, empty])?;
            exactly(ctx, &wanted, &[ctf], &[("game type", "xDeathMatch")])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/mutator",
        title: "a server with a mutator and one without register; a client asks for the mutator",
        run: |ctx| {
            let done = exactly(
                ctx,
                &[is("mutator", "MutInstaGib")],
                &[("mutator", "MutInstaGib")],
                &[("ServerMode", "dedicated")],
            );
            report(ctx, &done)
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/unknown-field",
        title: "a client asks for servers with a value that no server has named",
        run: |ctx| {
            let server = UnrealServer::listed(ctx, &[])?;
            let listed = list(ctx, &[is("nobodysfield", "1")])?;
            let is_listed = listed.find(&server).is_some();
            ctx.report(if is_listed { "servers without it are listed" } else { "they are not" })
        },
        ..LISTED_CASE
    },
];

fn is<'a>(field: &'a str, value: &'a str) -> UnrealFilter<'a> {
    UnrealFilter { field, value, comparison: EQUAL }
}

fn over<'a>(field: &'a str, value: &'a str) -> UnrealFilter<'a> {
    UnrealFilter { field, value, comparison: GREATER }
}

/// Of a server with these settings and one with others, only the first fits these filters.
fn exactly(
    ctx: &TestContext<'_>,
    wanted: &[UnrealFilter<'_>],
    fits: &[(&str, &str)],
    others: &[(&str, &str)],
) -> Done {
    let (fitting, other) = (UnrealServer::listed(ctx, fits)?, UnrealServer::listed(ctx, others)?);
    let listed = list(ctx, wanted)?;
    listed.expect_listed(&fitting)?;
    listed.expect_unlisted(&other)
}

/// Reports whether servers were filtered.
fn report(ctx: &TestContext<'_>, done: &Done) -> Done {
    match done {
        Ok(()) => ctx.report("only servers that fit"),
        Err(failure) => ctx.report(failure.came.clone()),
    }
}
