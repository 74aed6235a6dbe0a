//! The dissector for Wireshark, in sharkd and tshark: it names what fragshark names, and nothing makes
//! it fail. And fragshark as a capture interface.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use fragshark::protocol::Carrier;
use fragshark::protocols::registry;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::printed;
use crate::sharkd::{Sharkd, in_each};
use crate::{golden, needs};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fragshark");

/// Frames where the two differ, and why.
const DIFFERENT: &[(&str, &[u64], &str)] = &[
    (
        "battlefield2/master.pcapng",
        &[16, 17],
        "a list that ends with its connection is named at the FIN, one frame later",
    ),
    ("gamespy/encrypted-list.pcapng", &[10, 11], "the same"),
];

pub fn fragshark(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

/// The dissector, as the program writes it.
pub fn dissector(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("fragshark.lua");
    let made = fragshark(&["wireshark", "lua", "-o", path.to_str().unwrap()]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    path
}

/// A frame as Wireshark shows it.
struct Dissected {
    number: u64,
    messages: BTreeSet<String>,
    /// Whether it has a message.
    is_ours: bool,
}

/// The frames of a capture with the dissector; fails where that failed, or called one of its own
/// frames malformed.
fn dissected(sharkd: &mut Sharkd, capture: &Path) -> Vec<Dissected> {
    sharkd.load(capture);
    let fields = ["fragshark.message", "_ws.malformed", "frame.protocols", "_ws.lua.error"];
    let frames = sharkd.frames(&fields);
    let frames = frames.into_iter().map(|(number, cells)| {
        let place = || format!("{} frame {number}: {cells:?}", capture.display());
        let [messages, malformed, protocols, error] = &cells[..] else { panic!("{}", place()) };
        assert_eq!(error, "", "{}", place());
        let is_ours = protocols.contains("fragshark");
        assert!(malformed.is_empty() || !is_ours, "{}", place());
        let messages = messages.split(',').filter(|name| !name.is_empty());
        Dissected { number, messages: messages.map(str::to_owned).collect(), is_ours }
    });
    frames.collect()
}

/// A capture of the repository, and its frames.
pub struct DissectedCapture {
    pub path: PathBuf,
    frames: Vec<Dissected>,
    /// The fields of each frame with a message.
    pub trees: Vec<(u64, Value)>,
}

/// Every capture of the repository, read once for all tests.
pub fn captures(sharkd: &Path) -> &'static [DissectedCapture] {
    static ALL: OnceLock<Vec<DissectedCapture>> = OnceLock::new();
    ALL.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let script = dissector(&folder);
        in_each(sharkd, Some(&script), &golden::captures(), |sharkd, path| {
            let frames = dissected(sharkd, path);
            let ours = frames.iter().filter(|frame| frame.is_ours).map(|frame| frame.number);
            let trees = ours.map(|number| (number, sharkd.tree(number))).collect();
            DissectedCapture { path: path.to_owned(), frames, trees }
        })
    })
}

/// The names of the messages of each frame, as `export` has them.
fn named(capture: &Path) -> BTreeMap<u64, BTreeSet<String>> {
    let path = capture.to_str().unwrap();
    let rows = fragshark(&["export", "--what", "messages", "--format", "ndjson", path]);
    let mut named: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in String::from_utf8(rows.stdout).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let name = row["message"].as_str().unwrap().to_owned();
        named.entry(row["number"].as_u64().unwrap()).or_default().insert(name);
    }
    named
}

#[test]
fn wireshark_names_the_messages_that_we_name() {
    const TEST: &str = "wireshark_names_the_messages_that_we_name";
    let Some([sharkd]) = needs::programs(TEST, ["sharkd"]) else { return };
    let root = golden::path("captures");
    let (mut count, mut theirs, mut wrong, mut differ) = (0, 0, Vec::new(), BTreeSet::new());
    for capture in captures(&sharkd) {
        let ours = named(&capture.path);
        let name = capture.path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        for frame in &capture.frames {
            let expected = ours.get(&frame.number).cloned().unwrap_or_default();
            count += expected.len();
            theirs += frame.messages.len();
            if frame.messages == expected {
                continue;
            }
            let known = DIFFERENT
                .iter()
                .any(|(file, frames, _)| *file == name && frames.contains(&frame.number));
            if known {
                differ.insert((name.clone(), frame.number));
            } else {
                let found = &frame.messages;
                wrong.push(format!("{name} {}: {expected:?} {found:?}", frame.number));
            }
        }
    }
    assert!(count > 1500, "{count} messages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(theirs, count, "as many messages are named");
    let listed: usize = DIFFERENT.iter().map(|(_, frames, _)| frames.len()).sum();
    assert_eq!(differ.len(), listed, "every listed frame differs: {differ:?}");
}

/// A datagram or segment in IPv4, as a packet of a capture of raw IP.
fn packet(carrier: Carrier, ports: [u16; 2], sequence: u32, payload: &[u8]) -> Vec<u8> {
    let [from, to] = ports.map(u16::to_be_bytes);
    let mut inner = [from, to].concat();
    let protocol = match carrier {
        Carrier::Datagram => {
            inner.extend((8 + payload.len() as u16).to_be_bytes());
            inner.extend([0, 0]);
            17
        }
        Carrier::Stream => {
            inner.extend(sequence.to_be_bytes());
            inner.extend([0, 0, 0, 1, 0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0]);
            6
        }
    };
    inner.extend(payload);
    let length = (20 + inner.len() as u16).to_be_bytes();
    let mut all = vec![0x45, 0, length[0], length[1], 0, 0, 0, 0, 64, protocol, 0, 0];
    all.extend([198, 51, 100, 7, 203, 0, 113, 1]);
    all.extend(inner);
    all
}

/// A capture of raw IP with these packets, one a millisecond.
fn capture_of(packets: &[Vec<u8>]) -> Vec<u8> {
    let mut file: Vec<u8> = [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 262_144, 101]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    for (at, packet) in (0_u32..).zip(packets) {
        let length = packet.len() as u32;
        let words = [1_000_000 + at / 1000, at % 1000 * 1000, length, length];
        file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        file.extend(packet);
    }
    file
}

/// Every documented message, cut at many places and with bytes changed by a seed.
fn damaged() -> Vec<Vec<u8>> {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    let mut packets = Vec::new();
    let mut port = 20_000;
    for entry in registry().entries() {
        let spec = &entry.spec;
        let documented = entry.protocol.games.iter().flat_map(|game| game.ports).next();
        let known = documented.map_or(27960, |port| port.number);
        let example = spec.example;
        let mut payloads: Vec<Vec<u8>> = Vec::new();
        for part in 0..8 {
            payloads.push(example[..example.len() * part / 8].to_vec());
        }
        for _ in 0..8 {
            let mut bytes = example.to_vec();
            for _ in 0..=random() % 3 {
                let at = random() % bytes.len();
                bytes[at] = [0, 0xff, b'\\', random() as u8][random() % 4];
            }
            payloads.push(bytes);
        }
        payloads.push(example.repeat(1 + 8_000 / example.len()));
        for payload in payloads.iter().filter(|payload| !payload.is_empty()) {
            port += 1;
            for ports in [[port, known], [known, port]] {
                packets.push(packet(spec.carrier, ports, 1, payload));
            }
        }
    }
    packets
}

#[test]
fn no_payload_makes_the_dissector_fail() {
    const TEST: &str = "no_payload_makes_the_dissector_fail";
    let Some([sharkd]) = needs::programs(TEST, ["sharkd"]) else { return };
    let folder = TempDir::new().unwrap();
    let script = dissector(&folder);
    let packets = damaged();
    let capture = folder.path().join("damaged.pcap");
    fs::write(&capture, capture_of(&packets)).unwrap();
    let frames = in_each(&sharkd, Some(&script), &[capture], dissected).remove(0);
    assert_eq!(frames.len(), packets.len());
    let messages = frames.iter().filter(|frame| !frame.messages.is_empty()).count();
    assert!(messages * 4 > frames.len(), "{messages} of {} are messages", frames.len());
}

/// Conditions stand under the words of their branches, which a grammar may change.
#[test]
fn every_condition_belongs_to_a_branch() {
    let folder = TempDir::new().unwrap();
    let script = fs::read_to_string(dissector(&folder)).unwrap();
    let (table, runtime) = script.split_once("\nlocal text = (function").unwrap();
    let keys = runtime.lines().filter_map(|line| {
        let begin = line.strip_prefix("when[\"").or_else(|| line.strip_prefix("one[\""))?;
        begin.split_once("\"]").map(|(words, _)| words)
    });
    let keys: Vec<_> = keys.collect();
    let without: Vec<_> =
        keys.iter().filter(|words| !table.contains(&format!("\"{words}\""))).collect();
    assert!(keys.len() > 60 && without.is_empty(), "{} conditions, {without:?}", keys.len());
}

/// Filters on Wireshark's side, and the frames of the tour that they select.
#[test]
fn names_of_filters_are_ours_with_a_prefix() {
    const TEST: &str = "names_of_filters_are_ours_with_a_prefix";
    const TOUR: &str = "tour.pcapng";
    const GAMESPY2: &str = "halo/queries.pcap";
    const GAMESPY3: &str = "battlefield2/replies.pcapng";
    let Some([sharkd, tshark]) = needs::programs(TEST, ["sharkd", "tshark"]) else { return };
    let folder = TempDir::new().unwrap();
    let script = dissector(&folder);
    let mut sharkd = Sharkd::start(&sharkd, Some(&script));
    let captures = golden::path("captures");
    for (name, theirs, ours) in [
        (TOUR, "fragshark.quake3.getservers", "quake3.getservers"),
        (TOUR, "fragshark.quake3", "quake3"),
        (TOUR, "fragshark.message == \"heartbeat\"", "message == \"heartbeat\""),
        (
            TOUR,
            "fragshark.message.id == \"quake3.status-response\"",
            "message.id == \"quake3.status-response\"",
        ),
        (TOUR, "fragshark.field.mapname == \"q3dm17\"", "field.mapname == \"q3dm17\""),
        (TOUR, "fragshark.field.hostname contains \"Yard\"", "field.hostname contains \"Yard\""),
        (TOUR, "fragshark.field.tag", "field.tag"),
        (TOUR, "fragshark.field.servers", "field.servers"),
        // Players in lines of columns and in records, and the keys of GameSpy's pairs.
        (TOUR, "fragshark.field.score == 18", "field.score == 18"),
        ("quakeworld/today.pcapng", "fragshark.field.skin == \"base\"", "field.skin == \"base\""),
        ("quakeworld/today.pcapng", "fragshark.field.frags == \"-9999\"", "field.frags == -9999"),
        ("a2s/queries.pcapng", "fragshark.field.score == 12", "field.score == 12"),
        ("a2s/queries.pcapng", "fragshark.field.duration", "field.duration"),
        ("unreal-tournament/documented.pcapng", "fragshark.field.maptitle", "field.maptitle"),
        // Tables of texts row by row and field by field, values alone, counts, words.
        (GAMESPY3, "fragshark.field.player_ == \"Alfa\"", "field.player_ == \"Alfa\""),
        (GAMESPY2, "fragshark.field.score_t == 9", "field.score_t == 9"),
        (GAMESPY2, "fragshark.field.value == \"Lab Halo\"", "field.value == \"Lab Halo\""),
        (GAMESPY2, "fragshark.field.server_keys == 255", "field.server_keys == 255"),
        ("eye/query.pcap", "fragshark.field.game_type == \"CTF\"", "field.game_type == \"CTF\""),
        ("source/steam-master.pcapng", "fragshark.field.gamedir", "field.gamedir"),
        (
            "openarena/session.pcap",
            "fragshark.field.keyword == \"full\"",
            "field.keyword == \"full\"",
        ),
    ] {
        sharkd.load(&captures.join(name));
        let found = sharkd.selected(theirs);
        let rows = fragshark(&[
            "export",
            "--what",
            "messages",
            "--format",
            "ndjson",
            "-Y",
            ours,
            captures.join(name).to_str().unwrap(),
        ]);
        let rows = String::from_utf8(rows.stdout).unwrap();
        let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let expected: Vec<_> = rows.map(|row| row["number"].as_u64().unwrap()).collect();
        assert!(!expected.is_empty(), "{ours}");
        assert_eq!(found, expected, "{theirs}");
    }
    // As a user starts tshark.
    let mut command = Command::new(tshark);
    command.args(["-n", "-2", "-X", &format!("lua_script:{}", script.display())]);
    command.args(["-Y", "fragshark.quake3.getservers", "-T", "fields", "-e", "fragshark.message"]);
    let messages = printed(command.arg("-r").arg(captures.join(TOUR)));
    assert_eq!(messages, "getservers\n");
}

/// What Wireshark asks before it captures, under the name that it starts.
#[cfg(unix)]
#[test]
fn the_extcap_answers_under_its_name() {
    let folder = TempDir::new().unwrap();
    let extcap = folder.path().join("fragshark-extcap");
    std::os::unix::fs::symlink(PROGRAM, &extcap).unwrap();
    let asked = |arguments: &[&str]| {
        let output = Command::new(&extcap).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, options) = asked(&["--extcap-config", "--extcap-interface", "fragshark-lo"]);
    assert_eq!(status, Some(0));
    let calls: Vec<_> = options.lines().map(|l| l.split(['{', '}']).nth(3).unwrap()).collect();
    assert_eq!(calls, ["call=--only-messages", "call=--annotate", "call=--known-ports"]);
    let (status, interfaces) = asked(&["--extcap-interfaces", "--extcap-version=4.0"]);
    if status == Some(0) {
        assert!(interfaces.starts_with("extcap {version="), "{interfaces}");
        assert!(interfaces.contains("interface {value=fragshark-"), "{interfaces}");
    } else {
        needs::not_run("the_extcap_answers_under_its_name", "libpcap", "devices are not listed");
    }
}
