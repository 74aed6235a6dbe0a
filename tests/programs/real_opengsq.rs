//! opengsq, a library of Python that queries game servers, against simulated servers on loopback: it
//! has to read what they answer, and what it asks has to decode.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use fragshark::protocols::registry;

use crate::bench::side_by_side;
use crate::needs;
use crate::simulated::{MAP, NAME, game_named, queried_in};

const TEST: &str = "tests/programs/real_opengsq.rs";

/// Asks a server with each method of a class, and prints all that it says.
const SCRIPT: &str = "
import asyncio, sys
import opengsq.protocols
name, host, port, *methods = sys.argv[1:]
server = getattr(opengsq.protocols, name)(host=host, port=int(port), timeout=20.0)
for method in methods:
    print(method, vars(result) if hasattr(result := asyncio.run(getattr(server, method)()), '__dict__') else result)
";

/// Its class and methods, the protocol and the game of the server, and what it asks.
type Asked =
    (&'static str, &'static [&'static str], &'static str, &'static str, &'static [&'static str]);

const ASKED: &[Asked] = &[
    (
        "Source",
        &["get_info", "get_players", "get_rules"],
        "source",
        "source",
        &["A2S_INFO", "A2S_PLAYER", "A2S_RULES"],
    ),
    ("ASE", &["get_status"], "eye", "mta-san-andreas", &["s"]),
    ("GameSpy1", &["get_status"], "gamespy", "unreal-tournament", &["status"]),
    ("GameSpy2", &["get_status"], "gamespy2", "halo", &["query"]),
    ("GameSpy3", &["get_status"], "gamespy3", "battlefield2", &["query"]),
    ("GameSpy4", &["get_status"], "gamespy3", "crysis", &["challenge request", "query"]),
    ("Quake1", &["get_status"], "quakeworld", "quakeworld", &["status"]),
    ("Quake2", &["get_status"], "quake2", "quake2", &["status"]),
    ("Quake3", &["get_info", "get_status"], "quake3", "quake3", &["getinfo", "getstatus"]),
    ("Doom3", &["get_status"], "doom3", "doom3", &["getInfo"]),
    ("Unreal2", &["get_details", "get_rules", "get_players"], "unreal2", "ut2004", &["query"]),
    ("KillingFloor", &["get_details", "get_rules"], "unreal2", "killing-floor", &["query"]),
];

#[test]
fn opengsq_reads_what_simulated_servers_answer() {
    let Some(python) = std::env::var_os("FRAGSHARK_PYTHON") else {
        return needs::not_run(TEST, "python", "FRAGSHARK_PYTHON names no Python that has opengsq");
    };
    let import = Command::new(&python).args(["-c", "import opengsq"]).output().unwrap();
    if !import.status.success() {
        return needs::not_run(TEST, "python", "FRAGSHARK_PYTHON has no opengsq");
    }
    let all_wrong = Mutex::new(Vec::new());
    side_by_side(ASKED, 2, |(class, methods, protocol, game, asked)| {
        let protocol = registry().protocol(protocol).unwrap();
        let (names, printed) = queried_in(protocol, game_named(game), |address: SocketAddr| {
            let mut command = Command::new(&python);
            command.args(["-c", SCRIPT, class]);
            command.args([address.ip().to_string(), address.port().to_string()]).args(*methods);
            let output = command.stdin(Stdio::null()).output().unwrap();
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
        });
        let should: BTreeSet<_> = asked.iter().map(|name| (*name).to_owned()).collect();
        if names != should || !printed.contains(NAME) || !printed.contains(MAP) {
            let wrong = format!("{class} of {game}: asks {names:?}, reads {printed}");
            all_wrong.lock().unwrap().push(wrong);
        }
    });
    let all_wrong = all_wrong.into_inner().unwrap();
    assert!(all_wrong.is_empty(), "{}", all_wrong.join("\n"));
}
