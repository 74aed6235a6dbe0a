//! Filters of lists, as qstat writes them: 010 ut2004.c, 009 PerformListServers.cpp.

use super::preconditions::LISTED_CASE;
use super::roles::{UnrealServer, list};
use crate::{Case, Done, Failure, TestContext};
use simulate::families::unreal2::frames::UnrealFilter;

/// The comparisons; qstat writes the first and the fifth.
const EQUAL: u8 = 0;
const DIFFERS: u8 = 1;
const LESS: u8 = 2;
const LESS_OR_EQUAL: u8 = 3;
const GREATER: u8 = 4;
const GREATER_OR_EQUAL: u8 = 5;

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
        id: "ut2004/filter/settings",
        title: "servers that say True, False or nothing of a setting register; clients ask for \
                those with it and for those without",
        run: |ctx| {
            for (field, setting) in
                [("stats", "GameStats"), ("weaponstay", "WeaponStay"), ("transloc", "Translocator")]
            {
                // Servers that do not name it are those without it.
                let [with, without] = [&[(setting, "True")][..], &[(setting, "False")]];
                split(ctx, field, with, &[without, &[]])?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/no-bots",
        title: "servers with bots and without register; a client asks for those without",
        run: |ctx| {
            let with = &[("MinPlayers", "4")][..];
            split(ctx, "nobots", &[("MinPlayers", "0")], &[with])?;
            split(ctx, "nobots", &[], &[with])
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/comparisons",
        title: "servers with two, nine and ten players register; a client asks with each comparison",
        run: comparisons,
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/filter/names",
        title: "servers with two names, maps and numbers of places register; clients ask for each",
        run: |ctx| {
            for (field, key, one, other) in [
                ("hostname", "name", "One server", "Another one"),
                ("mapname", "map", "DM-Rankin", "DM-Rankin2"),
                ("maxplayers", "max players", "12", "16"),
                ("ServerMode", "ServerMode", "dedicated", "non-dedicated"),
            ] {
                exactly(ctx, &[is(field, one)], &[(key, one)], &[(key, other)])?;
                exactly(ctx, &[is(field, other)], &[(key, other)], &[(key, one)])?;
            }
            Ok(())
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
        id: "ut2004/filter/other-fields",
        title: "a server with a mutator and one without register; clients ask with standard, \
                nomutators, category, botlevel, and a comparison that is none",
        run: |ctx| {
            let mutates = [("mutator", "MutInstaGib"), ("mutator", "MutUTClassic")];
            let (plain, mutant) =
                (UnrealServer::listed(ctx, &[])?, UnrealServer::listed(ctx, &mutates[..1])?);
            let classic = UnrealServer::listed(ctx, &mutates[1..])?;
            let unknown = UnrealFilter { field: "gametype", value: "xDeathMatch", comparison: 6 };
            let no_gib = UnrealFilter { comparison: GREATER, ..is("mutator", "MutInstaGib") };
            for (name, filter) in [
                ("standard", is("standard", "true")),
                ("no standard", is("standard", "false")),
                ("no mutators", is("nomutators", "true")),
                ("mutators", is("nomutators", "false")),
                ("mutator", is("mutator", "mutinstagib")),
                ("not the mutator", no_gib),
                ("category 2", is("category", "2")),
                ("category 3", is("category", "3")),
                ("bots 2", is("botlevel", "2")),
                ("bots 3", is("botlevel", "3")),
                ("comparison 6", unknown),
            ] {
                let listed = list(ctx, &[filter])?;
                let found = [&plain, &mutant, &classic].map(|one| listed.find(one).is_some());
                let found = found.map(|is| if is { "yes" } else { "no" }).join(" ");
                ctx.note(format!("{name}: {found}"));
            }
            Ok(())
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

/// Of a server with the value True of a field and others with False, each is in one list alone.
fn split(
    ctx: &TestContext<'_>,
    field: &str,
    with: &[(&str, &str)],
    without: &[&[(&str, &str)]],
) -> Done {
    let with = UnrealServer::listed(ctx, with)?;
    let without = without.iter().map(|settings| UnrealServer::listed(ctx, settings));
    let without = without.collect::<Result<Vec<_>, Failure>>()?;
    let listed = list(ctx, &[is(field, "true")])?;
    listed.expect_listed(&with)?;
    without.iter().try_for_each(|other| listed.expect_unlisted(other))?;
    let listed = list(ctx, &[is(field, "false")])?;
    listed.expect_unlisted(&with)?;
    without.iter().try_for_each(|other| listed.expect_listed(other))
}

/// Numbers are compared as numbers, and texts without case.
fn comparisons(ctx: &TestContext<'_>) -> Done {
    let server = |players| UnrealServer::listed(ctx, &[("players", players), ("Score", "-3")]);
    let servers = [server("2")?, server("9")?, server("10")?];
    let numbers = |comparison, value| UnrealFilter { field: "currentplayers", value, comparison };
    let scores = |comparison, value| UnrealFilter { field: "Score", value, comparison };
    for (filter, expected) in [
        (numbers(EQUAL, "9"), [false, true, false]),
        (numbers(DIFFERS, "9"), [true, false, true]),
        (numbers(LESS, "9"), [true, false, false]),
        (numbers(LESS, "10"), [true, true, false]),
        (numbers(LESS_OR_EQUAL, "9"), [true, true, false]),
        (numbers(GREATER, "9"), [false, false, true]),
        (numbers(GREATER_OR_EQUAL, "9"), [false, true, true]),
        (scores(LESS, "-2"), [true; 3]),
        (scores(LESS, "-3"), [false; 3]),
        (scores(GREATER, "-10"), [true; 3]),
        (is("gametype", "XDEATHMATCH"), [true; 3]),
    ] {
        let listed = list(ctx, &[filter])?;
        for (server, is_expected) in servers.iter().zip(expected) {
            if is_expected {
                listed.expect_listed(server)?;
            } else {
                listed.expect_unlisted(server)?;
            }
        }
    }
    Ok(())
}

/// Reports whether servers were filtered.
fn report(ctx: &TestContext<'_>, done: &Done) -> Done {
    match done {
        Ok(()) => ctx.report("only servers that fit"),
        Err(failure) => ctx.report(failure.came.clone()),
    }
}
