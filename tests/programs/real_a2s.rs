//! python-a2s, the library by which programs in Python query game servers, against simulated servers
//! on loopback: it has to read what they answer, and what it asks has to decode.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use fragshark::protocols::source::PROTOCOL;
use serde_json::Value;

use crate::needs;
use crate::simulated::{MAP, NAME, game_named, queried_in};

const TEST: &str = "tests/programs/real_a2s.rs";

/// Asks a server everything, and prints what it says as JSON.
const SCRIPT: &str = "
import a2s, json, sys
address = (sys.argv[1], int(sys.argv[2]))
info, players, rules = (ask(address, timeout=60) for ask in (a2s.info, a2s.players, a2s.rules))
print(json.dumps({
    'name': info.server_name, 'map': info.map_name, 'folder': info.folder, 'max': info.max_players,
    'port': info.port, 'protocol': info.protocol, 'keywords': info.keywords,
    'players': [[p.name, p.score, p.duration] for p in players], 'rules': rules,
}))
";

/// What a server of each game says of itself, beside its name and map.
const ASKED: &[(&str, &str)] = &[
    (
        "source",
        r#"{"folder": "tf", "max": 24, "port": 27015, "protocol": 17, "keywords": "alltalk"}"#,
    ),
    (
        "half-life",
        r#"{"folder": "valve", "max": 24, "port": null, "protocol": 48, "keywords": null}"#,
    ),
];

#[test]
fn python_a2s_reads_what_simulated_servers_answer() {
    let Some(python) = std::env::var_os("FRAGSHARK_PYTHON") else {
        return needs::not_run(TEST, "python", "FRAGSHARK_PYTHON names no Python that has a2s");
    };
    let import = Command::new(&python).args(["-c", "import a2s"]).output().unwrap();
    if !import.status.success() {
        return needs::not_run(TEST, "python", "FRAGSHARK_PYTHON has no a2s");
    }
    for (game, described) in ASKED {
        let (names, printed) = queried_in(&PROTOCOL, game_named(game), |address: SocketAddr| {
            let mut command = Command::new(&python);
            command.args(["-c", SCRIPT, &address.ip().to_string(), &address.port().to_string()]);
            let output = command.stdin(Stdio::null()).output().unwrap();
            let parts = [output.stdout, output.stderr].concat();
            String::from_utf8_lossy(&parts).into_owned()
        });
        let asked = ["A2S_INFO", "A2S_PLAYER", "A2S_RULES"].map(str::to_owned);
        assert_eq!(names, BTreeSet::from(asked), "{game}: {printed}");
        let read: Value = serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{printed}"));
        let mut should: Value = serde_json::from_str(described).unwrap();
        should["name"] = NAME.into();
        should["map"] = MAP.into();
        should["players"] = serde_json::json!([["Player", 12, 321.5]]);
        should["rules"] = serde_json::json!({
            "mp_friendlyfire": "0", "mp_timelimit": "30", "sv_gravity": "800", "sv_tags": "alltalk",
        });
        assert_eq!(read, should, "{game}");
    }
}
