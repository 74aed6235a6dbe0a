//! Probes of every family whose servers are challenged, or that has a list.

use super::probes::Probe;
use super::world::*;

const NEWEST: u32 = 0x0001_0029;

/// Registers a server that answers its challenge.
type Register = fn(&mut World, u16);

/// The families whose servers are challenged.
static PROVING: [Register; 5] = [
    |w, n| {
        let info = r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz";
        w.register(at(n), "DarkPlaces", info);
    },
    |w, n| w.elite_force(at(n), r"\protocol\24\clients\1\sv_maxclients\8"),
    |w, n| w.doom3(at(n), NEWEST, r"si_maxPlayers\4\", 1),
    |w, n| w.half_life(at(n), r"\players\1\max\8"),
    |w, n| w.gamespy(at(n), "ut"),
];

/// Those whose servers are trusted.
static BELIEVED: [Register; 4] = [
    |w, n| assert_eq!(w.receive(QUAKE2, at(n), &marked("heartbeat\n\\mapname\\q2dm1\n")), []),
    |w, n| assert_eq!(w.receive(HERETIC2, at(n), &marked("heartbeat\n\\mapname\\dm\n")), []),
    |w, n| assert_eq!(w.receive(QUAKEWORLD, at(n), b"a\n1\n0\n"), []),
    |w, n| assert_eq!(w.receive(HEXENWORLD, at(n), b"a\n1\n0\n"), []),
];

fn register_all(w: &mut World, n: u16) {
    PROVING.iter().chain(&BELIEVED).for_each(|register| register(w, n));
}

/// The list of each family, in the order of registration.
fn lists(w: &mut World) -> [Vec<u8>; 9] {
    let says = r"\gamename\ut\location\0\validate\?\final\\list\cmp\gamename\ut\final\";
    let doom3 = [b"\xff\xffgetServers\0", &NEWEST.to_le_bytes()[..], b"\0\0"].concat();
    [
        w.ask(QUAKE3, &marked("getservers Nexuiz 3")),
        w.ask(ELITE, &marked("getservers 24")),
        w.ask(DOOM3, &doom3),
        w.ask(HALF_LIFE, b"e\0\0\0"),
        w.stream("ut", says).into_bytes(),
        w.ask(QUAKE2, b"query\n\0"),
        w.ask(HERETIC2, b"query\n\0"),
        w.ask(QUAKEWORLD, b"c\n\0"),
        w.ask(HEXENWORLD, b"c\n\0"),
    ]
}

/// How a server asks for a challenge, and the challenge in the response.
type Ask = (&'static str, fn(u16) -> Vec<u8>, fn(&[u8]) -> String);

static ASKS: [Ask; 5] = [
    ("quake3", |_| marked("heartbeat DarkPlaces\n"), |request| last_word(request, b' ')),
    (
        "elite-force",
        |_| marked(r"\heartbeat\27960\gamename\STEF1\"),
        |request| last_word(request, b' '),
    ),
    ("gamespy", |_| br"\heartbeat\27960\gamename\ut".to_vec(), |request| last_word(request, b'\\')),
    (
        "doom3",
        |_| b"\xff\xffheartbeat\0".to_vec(),
        |request| i32::from_le_bytes(*request.last_chunk().unwrap()).to_string(),
    ),
    (
        "half-life",
        |_| b"q".to_vec(),
        |request| u32::from_le_bytes(*request[6..].first_chunk().unwrap()).to_string(),
    ),
];

fn last_word(request: &[u8], before: u8) -> String {
    let word = request.rsplit(|b| *b == before).next().unwrap();
    String::from_utf8(word.to_vec()).unwrap()
}

/// The challenges of several servers, which ask one after the other.
fn challenges(w: &mut World, (service, heartbeat, challenge): &Ask, count: u16) -> Vec<String> {
    let one = |n| {
        w.wait(SECOND / 100);
        challenge(&w.receive(service, at(n), &heartbeat(n)).last().unwrap().1)
    };
    (0..count).map(one).collect()
}

pub static PROBES: &[Probe] = &[
    ("challenges of every family", "", |w| {
        let outcomes = ASKS.iter().map(|ask| {
            let mut texts = challenges(w, ask, 40);
            let begins = |text: &String| text.starts_with(&texts[0][..3]);
            let alike = texts.iter().filter(|text| begins(text)).count() > 20;
            texts.sort();
            texts.dedup();
            format!("{} alike {alike} again {}", ask.0, texts.len() < 40)
        });
        outcomes.collect::<Vec<_>>().join(", ")
    }),
    ("a challenge in another case", "", |w| {
        let info = r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz";
        let challenge = w.heartbeat(at(1), "DarkPlaces").unwrap();
        w.info_response(at(1), &swap_case(&challenge), info);
        let (heartbeat, challenge) = (ASKS[1].1, ASKS[1].2);
        let request = w.receive(ELITE, at(2), &heartbeat(2));
        let challenge = swap_case(&challenge(&request[1].1));
        let info = r"\protocol\24\clients\1\sv_maxclients\8";
        w.receive(
            ELITE,
            at(2),
            &marked(&format!("infoResponse \"\\challenge\\{challenge}{info}\"")),
        );
        for (n, game) in [(3, "ut"), (4, "mygame")] {
            let reply = w.gamespy_heartbeat(at(n), game, "").unwrap();
            let (rest, proof) = reply.rsplit_once('\\').unwrap();
            w.receive(GAMESPY, at(n), format!(r"{rest}\{}", swap_case(proof)).as_bytes());
        }
        w.master.servers().to_string()
    }),
    ("six seconds later", "", |w| {
        register_all(w, 1);
        let at_once = w.master.servers();
        w.wait(6 * SECOND);
        format!("{at_once} then {}", w.master.servers())
    }),
    ("late answers of listed servers", "server-timeout=10m,gamespy-timeout=10m", |w| {
        let register = |w: &mut World| PROVING.iter().for_each(|register| register(w, 1));
        register(w);
        w.wait(300 * SECOND);
        w.delay = 3 * SECOND;
        register(w);
        let listed = w.master.servers();
        w.wait(300 * SECOND);
        format!("{listed} then {}", w.master.servers())
    }),
    ("filters of Steam's lists", "", |w| {
        for (n, info) in [
            (1, r"\players\1\max\8\gamedir\tf\map\a\region\3\secure\1\gametype\x,y"),
            (2, r"\players\0\max\8\gamedir\tf\map\b\region\4\secure\0\password\1"),
            (3, r"\players\8\max\8\gamedir\cstrike\map\a\region\255\gametype\y"),
        ] {
            w.steam(at(n), info);
        }
        let filters = [
            "",
            r"\gamedir\tf",
            r"\map\a",
            r"\empty\1\full\1",
            r"\secure\1",
            r"\password\0",
            r"\gametype\y",
            r"\appid\240",
            r"\nor\2\map\b\gamedir\cstrike",
            r"\nand\2\map\a\secure\1",
        ];
        let lists = filters.map(|filter| w.steam_listed(0xff, filter));
        format!("{lists:?} {:?}", [3, 4, 5].map(|region| w.steam_listed(region, "")))
    }),
    ("a list of Steam in pieces", "packet-size=100", |w| {
        (0..20).for_each(|n| w.steam(at(n), r"\players\1\max\8\gamedir\tf"));
        let ask = |w: &mut World, from: &str| {
            let list = w.ask(SOURCE, &[b"1\xff", from.as_bytes(), b"\0\0"].concat());
            format!("{} {}", list.len(), list[list.len().saturating_sub(6)..].escape_ascii())
        };
        let first = ask(w, "0.0.0.0:0");
        format!("{first}, {}, {}", ask(w, "192.0.2.13:27960"), w.ask(SOURCE, b"e\0\0\0").len())
    }),
    ("lists of Teeworlds", "", |w| {
        let listed = w.teeworlds(at(1));
        let stranger = w.receive(TEEWORLDS, at(2), b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfffw!!");
        let asks = |w: &mut World, text: &[u8]| {
            w.ask(TEEWORLDS, &[&[0xff; 10], text].concat()).escape_ascii().to_string()
        };
        let lists: [&[u8]; 3] = [b"req2", b"reqt", b"cou2"];
        format!("{} {} {:?}", listed.len(), stranger.len(), lists.map(|text| asks(w, text)))
    }),
    ("every list twice", "", |w| {
        register_all(w, 1);
        register_all(w, 2);
        let (first, second) = (lists(w), lists(w));
        let same: Vec<_> = first.iter().zip(&second).map(|(one, other)| one == other).collect();
        format!("{:?} {same:?}", first.map(|list| list.len()))
    }),
];

fn swap_case(text: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    text.chars().map(swap).collect()
}
