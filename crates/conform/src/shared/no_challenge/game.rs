//! One game whose protocol has no challenge: its family, preconditions and shared cases.

/// The items of a game's module: `FAMILY`, the preconditions, bases of cases that need them, and
/// the cases that all such games have. `$game` begins their ids; the other words are in ids and
/// titles: what the messages are called.
macro_rules! game {
    (
        $game:literal, $profile:expr, $title:literal, $messages:expr,
        own: $own:expr, requirements: $requirements:expr, traits: $traits:expr,
        implementations: $implementations:expr,
        heartbeat: $heartbeat:literal, start: $start:literal, contents: $contents:literal,
        other: $other:literal, again: $again:literal, ping: $ping:literal, query: $query:literal,
        servers: $servers:literal, shutdown: $shutdown:literal, shutdown_text: $shutdown_text:literal
    ) => {
        use crate::shared::{boundaries, malformed, no_challenge};
        use crate::{CASE, Case, ShutdownMessage, Precondition, Profile, Sentinel, TestSuite};

        pub static SUITE: TestSuite = TestSuite {
            target: protocol::Role::Master,
            cases: &[SHARED, $own],
            profiles: &[Profile {
                name: $profile,
                title: $title,
                assumes: "",
                cases: &[concat!($game, "*")],
                except: &[],
                demands: &[],
            }],
            requirements: $requirements,
            answers: &ANSWERS,
            sentinels: &[Sentinel {
                service: $profile,
                request: |_| $messages.query(),
                from_server: false,
            }],
            listed_for: "server-timeout",
            shutdowns: &[ShutdownMessage { service: $profile, message: |_| $messages.shutdown() }],
            control: Some(&LISTED),
            traits: $traits,
            implementations: $implementations,
        };

        /// The target answers a list request, or a ping.
        static ANSWERS: Precondition = Precondition {
            id: concat!($game, "answers"),
            otherwise: "the target answers neither a request for the list nor a ping",
            needs: &[],
            check: |ctx| no_challenge::any_answer(ctx, &$messages),
        };

        /// The target answers a list request.
        static LIST_ANSWERED: Precondition = Precondition {
            id: concat!($game, "list-answered"),
            otherwise: "no list is answered",
            needs: &[&ANSWERS],
            check: |ctx| no_challenge::is_answered(ctx, &$messages),
        };

        /// Started servers are listed, in records of 6 bytes.
        static LISTED: Precondition = Precondition {
            id: concat!($game, "listed"),
            otherwise: "servers that send a ping and heartbeats are not in the list, or its records \
                        cannot be read",
            needs: &[&LIST_ANSWERED],
            check: |ctx| no_challenge::listed(ctx, &$messages),
        };

        /// A case that needs [`LIST_ANSWERED`].
        pub const LIST_ANSWERED_CASE: Case = Case { needs: &[&LIST_ANSWERED], ..CASE };
        /// A case that needs [`LISTED`].
        pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
        /// A case that waits for the time-out of servers.
        const SLOW_CASE: Case = Case { slow: Some("server-timeout"), ..LISTED_CASE };
        /// A case that sends malformed datagrams or floods.
        pub const HARSH_CASE: Case = Case { exclusive: true, harsh: true, ..LISTED_CASE };

        static SHARED: &[Case] = &[
            Case {
                id: concat!($game, $heartbeat, "/registers"),
                decides: &[concat!($game, "listed")],
                title: concat!(
                    "a server starts: it sends ", $start, "; a client asks for the list"
                ),
                run: |ctx| no_challenge::registers(ctx, &$messages),
                ..LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, $heartbeat, "/", $contents),
                title: concat!("servers start whose heartbeats have other ", $other),
                run: |ctx| no_challenge::register_all(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $heartbeat, "/again"),
                title: concat!("a listed server sends heartbeats with ", $again),
                run: |ctx| no_challenge::again(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $heartbeat, "/without-ping"),
                title: concat!("a server sends heartbeats and no ", $ping),
                run: |ctx| ctx.report(no_challenge::traits::listed_without_ping(ctx, &$messages)?),
                ..LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, $heartbeat, "/kept"),
                title: "two servers start, and send nothing for 6.5 seconds",
                waits: 7,
                run: |ctx| no_challenge::still_listed(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "timeout/kept"),
                title: "a listed server sends nothing for two fifths of the time-out",
                run: |ctx| no_challenge::kept(ctx, &$messages),
                ..SLOW_CASE
            },
            Case {
                id: concat!($game, "timeout/renewed"),
                title: "a listed server sends a heartbeat before its time-out, and then nothing for \
                        three fifths of it",
                run: |ctx| no_challenge::renewed(ctx, &$messages),
                ..SLOW_CASE
            },
            Case {
                id: concat!($game, "timeout/forgotten"),
                title: "a listed server sends and answers nothing for a quarter more than its \
                        time-out",
                run: |ctx| no_challenge::forgotten(ctx, &$messages),
                ..SLOW_CASE
            },
            Case {
                id: concat!($game, $query, "/answered"),
                decides: &[concat!($game, "list-answered")],
                title: concat!(
                    "a client sends ", $query, ", a line feed and NUL, without FF FF FF FF"
                ),
                run: |ctx| no_challenge::is_answered(ctx, &$messages),
                ..CASE
            },
            Case {
                id: concat!($game, $shutdown, "/gone"),
                early: true,
                title: concat!("a listed server sends ", $shutdown_text),
                run: |ctx| no_challenge::shutdown_removes(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $shutdown, "/nobody-else"),
                title: concat!(
                    "a server sends ", $shutdown, ", and so does one that was never listed; a \
                     third server of the same machine is listed"
                ),
                run: |ctx| no_challenge::shutdown_removes_no_other(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $shutdown, "/back"),
                title: concat!(
                    "a server sends ", $shutdown, " and starts again: it sends ", $start
                ),
                run: |ctx| no_challenge::registers_again(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $servers, "/whole-records"),
                title: "servers start one after the other, and a client asks for the list after \
                        each",
                run: |ctx| no_challenge::whole_records(ctx, &$messages),
                ..LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, $servers, "/byte-order"),
                title: "a server starts whose port has two different bytes",
                run: |ctx| no_challenge::byte_order(ctx, &$messages),
                ..LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, $servers, "/all"),
                title: "eight servers start, and a client asks for the list",
                run: |ctx| no_challenge::all(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $servers, "/odd-addresses"),
                title: "servers start whose addresses and ports look like separators and end marks",
                requires: concat!($game, $servers, "/byte-order"),
                run: |ctx| no_challenge::listed_at(ctx, &$messages, boundaries::ODD),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $servers, "/high-addresses"),
                title: "servers start whose addresses have bytes above 127",
                requires: concat!($game, $servers, "/byte-order"),
                run: |ctx| no_challenge::listed_at(ctx, &$messages, boundaries::HIGH),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $servers, "/each-time"),
                title: "clients ask many times for the list, and send no request twice",
                requires: concat!($game, $servers, "/unchanged"),
                exclusive: true,
                run: |ctx| no_challenge::listed_each_time(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $servers, "/once-each"),
                title: "two servers of one machine start, and a client asks for the list",
                run: |ctx| no_challenge::once_each(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $servers, "/unchanged"),
                title: "a client asks for the list eight times while no server starts or leaves",
                exclusive: true,
                run: |ctx| no_challenge::unchanged(ctx, &$messages),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, $ping, "/no-heartbeat"),
                title: concat!("a server sends ", $ping, " and no heartbeat"),
                run: |ctx| ctx.report(no_challenge::traits::listed_by_ping(ctx, &$messages)?),
                ..LIST_ANSWERED_CASE
            },
            Case {
                id: concat!($game, "robust/truncations"),
                title: "somebody sends an empty datagram, bare marks, and every message cut after \
                        every byte; then a server starts",
                run: |ctx| no_challenge::survives_all(ctx, &$messages, malformed::truncations),
                ..HARSH_CASE
            },
            Case {
                id: concat!($game, "robust/longest-datagrams"),
                title: "somebody sends datagrams of 65,507 bytes, some of them heartbeats; then a \
                        server starts",
                requires: concat!($game, "robust/truncations"),
                run: |ctx| no_challenge::survives_all(ctx, &$messages, malformed::longest),
                ..HARSH_CASE
            },
            Case {
                id: concat!($game, "robust/random-datagrams"),
                title: "somebody sends random bytes, some of them behind the beginnings of \
                        messages; then a server starts",
                requires: concat!($game, "robust/truncations"),
                run: |ctx| no_challenge::survives_all(ctx, &$messages, malformed::noise),
                ..HARSH_CASE
            },
            Case {
                id: concat!($game, "robust/many-heartbeats"),
                title: "a server sends 2000 heartbeats; then another server starts",
                run: |ctx| no_challenge::flooded(ctx, &$messages),
                ..HARSH_CASE
            },
        ];
    };
}
pub(crate) use game;
