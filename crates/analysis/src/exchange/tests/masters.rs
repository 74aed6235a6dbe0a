//! Servers with several masters, and heartbeats close together.

use super::{CLIENT, Case, ELSEWHERE, MASTER, SERVER, check};
use crate::exchange::ChallengeProof::{Awaited, NotSent, Right};
use crate::exchange::ExchangeState::{Answered, Incomplete, OneWay, Unanswered, Unsolicited};
use protocol::ExchangeKind::{List, Query, Registration, Shutdown};

const NEXT_DOOR: &str = "203.0.113.1:27955";
const OTHER: &str = "203.0.113.2:27950";

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn messages_to_several_masters_make_these_exchanges() {
    let heartbeat = oob!("heartbeat QuakeArena-1\n");
    let good = oob!("infoResponse\n\\challenge\\Kf9x\\protocol\\68");
    let cases: &[Case<'_>] = &[
        (
            "two heartbeats in a row, and silence",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, SERVER, MASTER, heartbeat),
                (5_002, CLIENT, MASTER, oob!("getservers 68")),
            ],
            &[(Shutdown, OneWay, NotSent, 0, 2, None), (List, Unanswered, NotSent, 0, 1, None)],
        ),
        (
            "two heartbeats in a row, a question that nobody answers, and silence",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, MASTER, SERVER, oob!("getinfo Kf9x")),
                (1, SERVER, MASTER, heartbeat),
                (5_002, CLIENT, MASTER, oob!("getservers 68")),
            ],
            &[(Shutdown, OneWay, Awaited, 0, 3, None), (List, Unanswered, NotSent, 0, 1, None)],
        ),
        (
            "two heartbeats in a row, and the end of the capture",
            &[(0, SERVER, MASTER, heartbeat), (1, SERVER, MASTER, heartbeat)],
            &[(Registration, Unanswered, NotSent, 1, 2, None)],
        ),
        (
            "two heartbeats in a row, and an answer to somebody else",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, SERVER, MASTER, heartbeat),
                (4_000, SERVER, CLIENT, oob!("infoResponse\n\\challenge\\xxx")),
                (5_002, CLIENT, MASTER, oob!("getservers 68")),
            ],
            &[
                (Registration, Unanswered, NotSent, 1, 2, None),
                (Query, Unsolicited, NotSent, 0, 1, None),
                (List, Unanswered, NotSent, 0, 1, None),
            ],
        ),
        (
            "two heartbeats in a row, and a third",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, SERVER, MASTER, heartbeat),
                (2_000, SERVER, MASTER, heartbeat),
                (9_000, CLIENT, MASTER, oob!("getservers 68")),
            ],
            &[
                (Registration, Unanswered, NotSent, 2, 3, None),
                (List, Unanswered, NotSent, 0, 1, None),
            ],
        ),
        (
            "two heartbeats in a row, to two masters",
            &[
                (0, SERVER, MASTER, heartbeat),
                (0, SERVER, OTHER, heartbeat),
                (1, SERVER, MASTER, heartbeat),
                (1, SERVER, OTHER, heartbeat),
                (5_002, CLIENT, MASTER, oob!("getservers 68")),
            ],
            &[
                (Shutdown, OneWay, NotSent, 0, 2, None),
                (Shutdown, OneWay, NotSent, 0, 2, None),
                (List, Unanswered, NotSent, 0, 1, None),
            ],
        ),
        (
            "two heartbeats that are close, and silence",
            &[
                (0, SERVER, MASTER, heartbeat),
                (300, SERVER, MASTER, heartbeat),
                (60_000, CLIENT, MASTER, oob!("getservers 68")),
            ],
            &[
                (Registration, Unanswered, NotSent, 1, 2, None),
                (List, Unanswered, NotSent, 0, 1, None),
            ],
        ),
        (
            "two heartbeats that are close, and one question for both",
            &[
                (0, SERVER, MASTER, heartbeat),
                (300, SERVER, MASTER, heartbeat),
                (330, MASTER, SERVER, oob!("getinfo Kf9x")),
                (350, SERVER, MASTER, good),
            ],
            &[(Registration, Answered, Right, 1, 4, Some(350))],
        ),
        (
            "two masters, both of which ask",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, SERVER, OTHER, heartbeat),
                (30, MASTER, SERVER, oob!("getinfo Kf9x")),
                (31, OTHER, SERVER, oob!("getinfo 8hJ2")),
                (50, SERVER, MASTER, good),
                (51, SERVER, OTHER, oob!("infoResponse\n\\challenge\\8hJ2\\protocol\\68")),
            ],
            &[
                (Registration, Answered, Right, 0, 3, Some(50)),
                (Registration, Answered, Right, 0, 3, Some(50)),
            ],
        ),
        (
            "two masters of one address, one of which asks from another port",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, SERVER, NEXT_DOOR, heartbeat),
                (30, NEXT_DOOR, SERVER, oob!("getinfo 8hJ2")),
                (31, ELSEWHERE, SERVER, oob!("getinfo Kf9x")),
                (50, SERVER, ELSEWHERE, good),
            ],
            &[
                (Registration, Answered, Right, 0, 3, Some(50)),
                (Registration, Incomplete, Awaited, 0, 2, None),
            ],
        ),
        (
            "two masters of one address, one of which is silent",
            &[
                (0, SERVER, MASTER, heartbeat),
                (1, SERVER, NEXT_DOOR, heartbeat),
                (30, NEXT_DOOR, SERVER, oob!("getinfo 8hJ2")),
                (31, NEXT_DOOR, SERVER, oob!("getinfo Kf9x")),
                (50, SERVER, NEXT_DOOR, good),
            ],
            &[
                (Registration, Unanswered, NotSent, 0, 1, None),
                (Registration, Answered, Right, 0, 4, Some(49)),
            ],
        ),
    ];
    check(cases);
}
