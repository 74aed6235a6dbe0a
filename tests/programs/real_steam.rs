//! The reference master of Steam and a third-party client: `steam` of PyPI, which requests lists with
//! a filter, each packet behind the last address of the one before.

use std::collections::BTreeSet;
use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Stdio};

use masters::families::services;
use masters::{Config, RunningMaster, Settings};

use crate::needs;
use crate::process::PATIENCE;

const TEST: &str = "tests/programs/real_steam.rs";

/// Prints every server that a master lists for a filter.
const SCRIPT: &str = r"
import sys
from steam.game_servers import MSRegion, query_master
host, port, wanted = sys.argv[1:]
for server in query_master(wanted, 2000, MSRegion.World, (host, int(port)), 10):
    print('%s:%d' % server)
";

/// More than fit into one packet.
const SERVERS: usize = 300;

#[test]
fn a_client_from_pypi_reads_whole_lists() {
    let Some(python) = std::env::var_os("FRAGSHARK_PYTHON") else {
        return needs::not_run(TEST, "python", "FRAGSHARK_PYTHON names no Python that has steam");
    };
    let import = ["-c", "import steam.game_servers"];
    if !Command::new(&python).args(import).output().unwrap().status.success() {
        return needs::not_run(TEST, "python", "FRAGSHARK_PYTHON has no steam");
    }
    let mut settings = Settings::default();
    settings.set_all("max-per-address=1000").unwrap();
    let config = Config { settings, ..Config::new(services()).anywhere() };
    let running = RunningMaster::start(config).unwrap();
    let master = running.address(masters::families::service("source").unwrap()).unwrap();
    let servers: Vec<_> = (0..SERVERS)
        .map(|number| register(master, if number % 3 == 0 { "garrysmod" } else { "tf" }))
        .collect();
    let list = |wanted: &str| -> Vec<String> {
        let mut command = Command::new(&python);
        command.args(["-c", SCRIPT, &master.ip().to_string(), &master.port().to_string(), wanted]);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    };
    for (wanted, is_listed) in [
        (r"", &(|_| true) as &dyn Fn(usize) -> bool),
        (r"\gamedir\tf", &|number| number % 3 != 0),
        (r"\nor\1\gamedir\tf", &|number| number % 3 == 0),
        (r"\gamedir\cstrike", &|_| false),
    ] {
        let expected: BTreeSet<_> = (0..SERVERS)
            .filter(|number| is_listed(*number))
            .map(|number| servers[number].local_addr().unwrap().to_string())
            .collect();
        let listed = list(wanted);
        assert_eq!(listed.len(), expected.len(), "{wanted}: none is listed twice");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected, "{wanted}");
    }
}

/// Registers a server of this game directory, as servers of Source do.
fn register(master: SocketAddr, folder: &str) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.send_to(b"q", master).unwrap();
    let mut challenge = [0; 64];
    let length = socket.recv(&mut challenge).unwrap();
    assert_eq!(challenge[..6], *b"\xff\xff\xff\xffs\n");
    let number = u32::from_le_bytes(*challenge[6..length].first_chunk().unwrap());
    let answer = format!(
        "0\n\\protocol\\7\\challenge\\{number}\\players\\0\\max\\16\\bots\\0\\gamedir\\{folder}\
         \\map\\a_map\\password\\0\\os\\l\\lan\\0\\region\\255\\type\\d\\secure\\1\\version\\1.0.0.0\
         \\product\\{folder}\n"
    );
    socket.send_to(answer.as_bytes(), master).unwrap();
    socket
}
