//! Short sequences of messages, and the exchanges that result.

macro_rules! oob {
    ($text:literal) => {
        concat!("\u{0}\u{0}\u{0}\u{0}", $text)
    };
}

mod analysed;
mod bounds;

use crate::exchange::{ChallengeProof, Exchange, ExchangeState};
use analysed::{analysed, exchanges};
use protocol::ExchangeKind;

const SERVER: &str = "192.0.2.10:27960";
const CLIENT: &str = "198.51.100.20:27961";
const MASTER: &str = "203.0.113.1:27950";
const ELSEWHERE: &str = "203.0.113.1:41000";
const UNREAL: &str = "192.0.2.11:7778";
const GAMESPY: &str = "203.0.113.11:27900";

/// Milliseconds, from, to, payload.
type Message<'a> = (i64, &'a str, &'a str, &'a [u8]);
/// Kind, state, proof, retries, messages, milliseconds to the first answer.
type Outcome = (ExchangeKind, ExchangeState, ChallengeProof, u16, u32, Option<i64>);

fn outcome(exchange: &Exchange) -> Outcome {
    let latency = exchange.latency().map(|l| l / 1_000_000);
    let Exchange { kind, state, proof, retries, messages, .. } = *exchange;
    (kind, state, proof, retries, messages, latency)
}

const HALF_LIFE: &str = "192.0.2.15:27015";
const HALF_LIFE_MASTER: &str = "203.0.113.15:27010";
/// Half-Life's `s` with the challenge FF FF FF FF.
const ALL_BITS: &str = oob!("s\n\u{0}\u{0}\u{0}\u{0}");

mod masters;

/// Restores the mark: it is not text, so four NUL stand for it above.
fn marked(text: &str) -> Vec<u8> {
    text.as_bytes().iter().map(|b| if *b == 0 { 0xff } else { *b }).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn messages_make_these_exchanges() {
    use ChallengeProof::{Awaited, Missing, NotSent, Right, Wrong};
    use ExchangeKind::{Authorization, Connection, List, Motd, Query, Registration, Shutdown};
    use ExchangeState::{Answered, Incomplete, OneWay, Refused, Unanswered, Unsolicited};
    let heartbeat = oob!("heartbeat QuakeArena-1\n");
    let good = oob!("infoResponse\n\\challenge\\Kf9x\\protocol\\68");
    let cases: &[Case<'_>] = &[
        (
            "a master asks from another port",
            &[
                (0, SERVER, MASTER, heartbeat),
                (30, ELSEWHERE, SERVER, oob!("getinfo Kf9x")),
                (50, SERVER, ELSEWHERE, good),
            ],
            &[(Registration, Answered, Right, 0, 3, Some(50))],
        ),
        (
            "the challenge is not answered",
            &[(0, SERVER, MASTER, heartbeat), (30, MASTER, SERVER, oob!("getinfo Kf9x"))],
            &[(Registration, Incomplete, Awaited, 0, 2, None)],
        ),
        (
            "another challenge comes back",
            &[
                (0, SERVER, MASTER, heartbeat),
                (30, MASTER, SERVER, oob!("getinfo other")),
                (50, SERVER, MASTER, good),
            ],
            &[(Registration, Incomplete, Wrong, 0, 3, Some(50))],
        ),
        (
            "no challenge comes back",
            &[
                (0, SERVER, MASTER, heartbeat),
                (30, MASTER, SERVER, oob!("getinfo Kf9x")),
                (50, SERVER, MASTER, oob!("infoResponse\n\\protocol\\68")),
            ],
            &[(Registration, Incomplete, Missing, 0, 3, Some(50))],
        ),
        (
            "a number comes back with the sign that its bits may have",
            &[
                (0, HALF_LIFE, HALF_LIFE_MASTER, "q"),
                (30, HALF_LIFE_MASTER, HALF_LIFE, ALL_BITS),
                (50, HALF_LIFE, HALF_LIFE_MASTER, "0\n\\protocol\\46\\challenge\\-1\\max\\6\n"),
            ],
            &[(Registration, Answered, Right, 0, 3, Some(50))],
        ),
        (
            "a number comes back without a sign",
            &[
                (0, HALF_LIFE, HALF_LIFE_MASTER, "q"),
                (30, HALF_LIFE_MASTER, HALF_LIFE, ALL_BITS),
                (
                    50,
                    HALF_LIFE,
                    HALF_LIFE_MASTER,
                    "0\n\\protocol\\46\\challenge\\4294967295\\max\\6\n",
                ),
            ],
            &[(Registration, Answered, Right, 0, 3, Some(50))],
        ),
        (
            "another number comes back",
            &[
                (0, HALF_LIFE, HALF_LIFE_MASTER, "q"),
                (30, HALF_LIFE_MASTER, HALF_LIFE, ALL_BITS),
                (50, HALF_LIFE, HALF_LIFE_MASTER, "0\n\\protocol\\46\\challenge\\-2\\max\\6\n"),
            ],
            &[(Registration, Incomplete, Wrong, 0, 3, Some(50))],
        ),
        (
            "a text comes back as another one of the same bits",
            &[
                (0, SERVER, MASTER, heartbeat),
                (30, MASTER, SERVER, oob!("getinfo 4294967295")),
                (50, SERVER, MASTER, oob!("infoResponse\n\\challenge\\-1")),
            ],
            &[(Registration, Incomplete, Wrong, 0, 3, Some(50))],
        ),
        (
            "two challenges, whose answers overtake each other",
            &[
                (0, SERVER, MASTER, heartbeat),
                (30, MASTER, SERVER, oob!("getinfo other")),
                (40, MASTER, SERVER, oob!("getinfo Kf9x")),
                (50, SERVER, MASTER, good),
            ],
            &[(Registration, Answered, Right, 0, 4, Some(50))],
        ),
        (
            "Flatline",
            &[(0, SERVER, MASTER, oob!("heartbeat WolfFlatline-1\n"))],
            &[(Shutdown, OneWay, NotSent, 0, 1, None)],
        ),
        (
            "a query, asked twice",
            &[
                (0, CLIENT, SERVER, oob!("getinfo xxx")),
                (900, CLIENT, SERVER, oob!("getinfo xxx")),
                (920, SERVER, CLIENT, oob!("infoResponse\n\\challenge\\xxx")),
            ],
            &[(Query, Answered, Right, 1, 3, Some(920))],
        ),
        (
            "nobody answers",
            &[(0, CLIENT, SERVER, oob!("getstatus 1"))],
            &[(Query, Unanswered, Awaited, 0, 1, None)],
        ),
        (
            "an answer to nothing",
            &[(0, SERVER, CLIENT, oob!("infoResponse\n\\challenge\\xxx"))],
            &[(Query, Unsolicited, NotSent, 0, 1, None)],
        ),
        (
            "a list in two packets",
            &[
                (0, CLIENT, MASTER, oob!("getservers 68")),
                (20, MASTER, CLIENT, oob!("getserversResponse\\1234mm")),
                (21, MASTER, CLIENT, oob!("getserversResponse\\1235mm\\EOT")),
            ],
            &[(List, Answered, NotSent, 0, 3, Some(20))],
        ),
        (
            "a list that nobody was seen to ask for",
            &[
                (20, MASTER, CLIENT, oob!("getserversResponse\\1234mm")),
                (21, MASTER, CLIENT, oob!("getserversResponse\\1235mm\\EOT")),
            ],
            &[(List, Unsolicited, NotSent, 0, 2, None)],
        ),
        (
            "a connection is refused",
            &[
                (0, CLIENT, SERVER, oob!("getchallenge")),
                (20, SERVER, CLIENT, oob!("challengeResponse 961")),
                (21, CLIENT, SERVER, oob!("connect \"\\challenge\\961\\protocol\\68\"")),
                (40, SERVER, CLIENT, oob!("print\nServer is full.\n")),
            ],
            &[(Connection, Refused, Right, 0, 4, Some(20))],
        ),
        (
            "nobody goes on with a connection",
            &[
                (0, CLIENT, SERVER, oob!("getchallenge")),
                (20, SERVER, CLIENT, oob!("challengeResponse 961")),
            ],
            &[(Connection, Incomplete, Awaited, 0, 2, Some(20))],
        ),
        (
            "a player may not play",
            &[
                (0, SERVER, "203.0.113.1:27952", oob!("getIpAuthorize 9 198.51.100.20 baseq3 0")),
                (35, "203.0.113.1:27952", SERVER, oob!("ipAuthorize 9 deny KEY_IN_USE")),
            ],
            &[(Authorization, Refused, Right, 0, 2, Some(35))],
        ),
        (
            "the message of the day",
            &[
                (0, CLIENT, "203.0.113.1:27951", oob!("getmotd \"\\challenge\\14985\"\n")),
                (9, "203.0.113.1:27951", CLIENT, oob!("motd \"challenge\\14985\\motd\\Hi\\\"")),
            ],
            &[(Motd, Answered, Right, 0, 2, Some(9))],
        ),
        (
            "a server of GameSpy's proves itself, the answers in disorder",
            &[
                (0, UNREAL, GAMESPY, "\\heartbeat\\7778\\gamename\\ut"),
                (20, GAMESPY, UNREAL, "\\basic\\\\secure\\wookie"),
                (30, UNREAL, GAMESPY, "\\gamename\\ut\\validate\\2/TYFMRc\\final\\\\queryid\\2.1"),
            ],
            &[(Registration, Answered, Right, 0, 3, Some(30))],
        ),
        (
            "two queries are no retry",
            &[(0, CLIENT, UNREAL, "\\info\\"), (1, CLIENT, UNREAL, "\\players\\")],
            &[(Query, Unanswered, NotSent, 0, 1, None), (Query, Unanswered, NotSent, 0, 1, None)],
        ),
    ];
    check(cases);
}

/// Name, messages, and expected exchanges.
type Case<'a> = (&'a str, &'a [Line], &'a [Outcome]);
type Line = (i64, &'static str, &'static str, &'static str);

fn check(cases: &[Case<'_>]) {
    let mut wrong = Vec::new();
    for (what, messages, expected) in cases {
        let payloads: Vec<_> = messages.iter().map(|(.., text)| marked(text)).collect();
        let warnings: Vec<Message<'_>> = messages
            .iter()
            .zip(&payloads)
            .map(|((at, a, b, _), p)| (*at, *a, *b, &p[..]))
            .collect();
        let is: Vec<_> = exchanges(&warnings).iter().map(outcome).collect();
        if is != *expected {
            wrong.push(format!("{what}: {is:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_query_that_is_answered_with_a_challenge_goes_on_with_it() {
    use ExchangeKind::Query;
    let (query, challenge) = (&b"\xff\xff\xff\xffTSource Engine Query\0"[..], b"1234");
    let challenged = |challenge: &[u8]| [query, challenge].concat();
    let asked_back = [&b"\xff\xff\xff\xffA"[..], challenge].concat();
    let info = b"\xff\xff\xff\xffI\x11a\0b\0tf\0c\0\xb8\x01\x01\x08\0dl\0\x011\0";
    let (right, wrong) = (challenged(challenge), challenged(b"4321"));
    let all: [Message<'_>; 4] = [
        (0, CLIENT, HALF_LIFE, query),
        (20, HALF_LIFE, CLIENT, &asked_back),
        (30, CLIENT, HALF_LIFE, &right),
        (50, HALF_LIFE, CLIENT, info),
    ];
    let outcomes = |messages: &[Message<'_>]| -> Vec<Outcome> {
        exchanges(messages).iter().map(outcome).collect()
    };
    let answered = (Query, ExchangeState::Answered, ChallengeProof::Right, 0, 4, Some(20));
    assert_eq!(outcomes(&all), [answered]);
    let incomplete = (Query, ExchangeState::Incomplete, ChallengeProof::Awaited, 0, 2, Some(20));
    assert_eq!(outcomes(&all[..2]), [incomplete]);
    let mut other = all;
    other[2].3 = &wrong;
    let asked_again = (Query, ExchangeState::Answered, ChallengeProof::Wrong, 0, 4, Some(20));
    assert_eq!(outcomes(&other), [asked_again]);
    // At once, with a challenge from before.
    let known = [(0, CLIENT, HALF_LIFE, &right[..]), (50, HALF_LIFE, CLIENT, info)];
    let at_once = (Query, ExchangeState::Answered, ChallengeProof::NotSent, 0, 2, Some(50));
    assert_eq!(outcomes(&known), [at_once]);
}
