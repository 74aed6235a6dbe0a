//! Short exchanges, each about one duty of a master, with a text as result. They distinguish a
//! correct master from one with a defect.

use super::world::*;
use super::{boundary_probes, half_life_probes, qr2_probes, shared_probes};
use crate::{Defect, Master};

/// A probe's name, the settings of the master, and the exchange.
pub type Probe = (&'static str, &'static str, fn(&mut World) -> String);

const INFO: &str = r"\protocol\3\clients\1\sv_maxclients\8";
const NEWEST: u32 = 0x0001_0029;

static PROBES: &[Probe] = &[
    ("a list", "", |w| {
        w.quake3(at(1), 68, 1, 8);
        w.ask(QUAKE3, &marked("getservers 68")).escape_ascii().to_string()
    }),
    ("an empty list", "", |w| w.ask(QUAKE3, &marked("getservers 68")).escape_ascii().to_string()),
    ("a long list", "", |w| {
        (0..400).for_each(|n| w.quake3(at(n), 68, 1, 8));
        shapes(&w.packets(QUAKE3, "getservers 68"))
    }),
    ("a long list in id's form", "list-form=id", |w| {
        (0..224).for_each(|n| w.quake3(at(n), 68, 1, 8));
        shapes(&w.packets(QUAKE3, "getservers 68"))
    }),
    ("a long list in Raven's form", "list-form=raven", |w| {
        (0..224).for_each(|n| w.quake3(at(n), 68, 1, 8));
        shapes(&w.packets(QUAKE3, "getservers 68"))
    }),
    ("a long list in Daemon's form", "list-form=daemon", |w| {
        (0..400).for_each(|n| w.quake3(at(n), 68, 1, 8));
        shapes(&w.packets(QUAKE3, "getservers 68"))
    }),
    ("both families in Daemon's form", "list-form=daemon", |w| {
        (0..2).for_each(|n| w.quake3(at(n), 68, 1, 8));
        w.ask(QUAKE3, &marked("getserversExt Quake3Arena 68")).escape_ascii().to_string()
    }),
    ("an old list", "", |w| {
        w.quake3(at(1), 43, 1, 8);
        w.ask(QUAKE3, &marked("getservers 43")).escape_ascii().to_string()
    }),
    ("a list of Elite Force", "", |w| {
        (0..98).for_each(|n| w.elite_force(at(n), r"\protocol\24\clients\1\sv_maxclients\8"));
        shapes(&w.packets(ELITE, "getservers 24 empty full"))
    }),
    ("statuses of Elite Force", "", |w| {
        let info = r"\protocol\24\sv_maxclients\8\sv_privateClients\2\g_gametype\4";
        for (n, players) in [(1, 0), (2, 5), (3, 6)] {
            w.elite_force_status(at(n), info, players);
        }
        let other = w.receive(ELITE, at(4), &marked(r"\heartbeat\27960\gamename\ut\"));
        let lists = ["", " empty ctf", " full"].map(|words| {
            let list = w.packets(ELITE, &format!("getservers 24{words}")).concat();
            list.escape_ascii().to_string()
        });
        format!("{lists:?} {}", other.len())
    }),
    ("a request with a line feed", "", |w| {
        format!("{:?}", w.packets(QUAKE3, "getservers 68 empty full demo\n"))
    }),
    ("empty and full", "", |w| {
        for (n, players) in [(1, 0), (2, 1), (3, 8)] {
            w.quake3(at(n), 68, players, 8);
        }
        let words = ["", " empty", " full", " empty full", " full empty demo"];
        let lists = words.map(|words| w.listed(&format!("getservers 68{words}")));
        format!("{lists:?}")
    }),
    ("protocols", "", |w| {
        for (n, p) in [(1, 66), (2, 68), (3, -1), (4, 0)] {
            w.quake3(at(n), p, 1, 8);
        }
        let lists = ["66", "68", "-1", "0", "1"].map(|p| w.listed(&format!("getservers {p}")));
        format!("{lists:?}")
    }),
    ("games", "", |w| {
        w.register(at(1), "DarkPlaces", &format!(r"{INFO}\gamename\Nexuiz"));
        w.register(at(2), "DarkPlaces", &format!(r"{INFO}\gamename\Xonotic"));
        w.quake3(at(3), 3, 1, 8);
        w.register(at(4), "Wolfenstein-1", INFO);
        let games = ["Nexuiz 3", "Xonotic 3", "3", "wolfmp 3", "nexuiz 3"];
        format!("{:?}", games.map(|game| w.listed(&format!("getservers {game}"))))
    }),
    ("rules", "", |w| {
        for (n, gametype) in
            [(1, r"\gametype\0"), (2, r"\gametype\4"), (3, ""), (4, r"\gametype\x")]
        {
            let info = format!(r"\protocol\68\clients\1\sv_maxclients\8{gametype}");
            w.register(at(n), "QuakeArena-1", &info);
        }
        let words = ["", "ffa", "ctf", "gametype=x", "ffa ctf"];
        format!("{:?}", words.map(|words| w.listed(&format!("getservers 68 {words}"))))
    }),
    ("both families", "", |w| {
        let six = "[2001:db8::1]:27960".parse().unwrap();
        for from in [at(1), six] {
            w.register(from, "DarkPlaces", &format!(r"{INFO}\gamename\Xonotic"));
        }
        let words = ["", " ipv4", " ipv6", " ipv4 ipv6"];
        let lists =
            words.map(|words| w.packets(QUAKE3, &format!("getserversExt Xonotic 3{words}")));
        lists.concat().concat().escape_ascii().to_string()
    }),
    ("an unanswered challenge", "", |w| {
        w.heartbeat(at(1), "QuakeArena-1");
        w.gamespy_heartbeat(at(2), "ut", "");
        w.receive(HALF_LIFE, at(3), b"q");
        w.receive(DOOM3, at(4), b"\xff\xffheartbeat\0");
        let lists = (w.listed("getservers 68"), w.doom3_listed(NEWEST, "", 0));
        format!("{lists:?} {}", w.ask(HALF_LIFE, b"e\0\0\0").escape_ascii())
    }),
    ("a wrong challenge", "", |w| {
        w.heartbeat(at(1), "QuakeArena-1");
        w.info_response(at(1), "wrong", r"\protocol\68\clients\1\sv_maxclients\8");
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("a late answer", "", |w| {
        let challenge = w.heartbeat(at(1), "QuakeArena-1").unwrap();
        w.wait(2 * SECOND);
        w.info_response(at(1), &challenge, r"\protocol\68\clients\1\sv_maxclients\8");
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("an answer twice", "", |w| {
        let challenge = w.heartbeat(at(1), "QuakeArena-1").unwrap();
        w.info_response(at(1), &challenge, r"\protocol\68\clients\1\sv_maxclients\8");
        w.info_response(at(1), &challenge, r"\protocol\67\clients\1\sv_maxclients\8");
        format!("{:?} {:?}", w.listed("getservers 68"), w.listed("getservers 67"))
    }),
    ("another's challenge", "", |w| {
        let challenge = w.heartbeat(at(1), "QuakeArena-1").unwrap();
        w.info_response(at(2), &challenge, r"\protocol\68\clients\1\sv_maxclients\8");
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("challenges", "", |w| {
        let texts: Vec<_> = (0..100).map(|n| w.heartbeat(at(n), "DarkPlaces").unwrap()).collect();
        let length = texts.iter().all(|t| (9..=12).contains(&t.len()));
        let allowed = |b| (33..=126).contains(&b) && !b"\\/;\"%".contains(&b);
        let letters = texts.iter().all(|t| t.bytes().all(allowed));
        let numbers: Vec<i64> = texts.iter().filter_map(|t| t.parse().ok()).collect();
        let counts = numbers.windows(2).any(|pair| pair[1] == pair[0] + 1);
        let again = texts.iter().any(|t| texts.iter().filter(|u| *u == t).count() > 1);
        format!("length {length} letters {letters} counts {counts} again {again}")
    }),
    ("silence", "", |w| {
        w.quake3(at(1), 68, 1, 8);
        w.gamespy(at(2), "ut");
        let mut seen = Vec::new();
        for _ in 0..5 {
            w.wait(179 * SECOND);
            seen.push((w.listed("getservers 68"), w.master.servers()));
        }
        w.wait(5 * SECOND);
        format!("{seen:?} {:?}", w.listed("getservers 68"))
    }),
    ("two heartbeats at the end", "", |w| {
        w.quake3(at(1), 68, 1, 8);
        w.register(at(2), "DarkPlaces", &format!(r"{INFO}\gamename\Nexuiz"));
        for n in [1, 2] {
            let tag = if n == 1 { "QuakeArena-1" } else { "DarkPlaces" };
            assert_eq!(w.heartbeat(at(n), tag), w.heartbeat(at(n), tag), "one challenge");
        }
        w.wait(2 * SECOND);
        format!("{:?} {:?}", w.listed("getservers 68"), w.listed("getservers Nexuiz 3"))
    }),
    ("words of parting", "", |w| {
        w.register(at(1), "Wolfenstein-1", r"\protocol\60\clients\1\sv_maxclients\8");
        w.register(at(2), "EnemyTerritory-1", r"\protocol\84\clients\1\sv_maxclients\8");
        w.elite_force(at(3), r"\protocol\24\clients\1\sv_maxclients\8");
        w.receive(QUAKE2, at(4), &marked("heartbeat\n\\mapname\\q2dm1\n"));
        w.receive(QUAKEWORLD, at(5), b"a\n1\n0\n");
        w.half_life(at(6), "");
        w.gamespy(at(7), "ut");
        let before = w.master.servers();
        w.heartbeat(at(1), "WolfFlatline-1");
        w.heartbeat(at(2), "ETFlatline-1");
        w.receive(ELITE, at(3), &marked(r"\heartstop\27960\gamename\STEF1\"));
        w.receive(QUAKE2, at(4), &marked("shutdown"));
        w.receive(QUAKEWORLD, at(5), b"C\n");
        w.receive(HALF_LIFE, at(6), b"b\n");
        w.gamespy_heartbeat(at(7), "ut", r"\statechanged\");
        w.receive(GAMESPY, at(7), br"\gamename\ut\gamemode\exiting\final\\queryid\1.1");
        format!("{before} then {}", w.master.servers())
    }),
    ("a new state", "", |w| {
        w.quake3(at(1), 68, 8, 8);
        w.quake3(at(1), 68, 7, 8);
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("no places", "", |w| {
        w.quake3(at(1), 68, 0, 0);
        w.half_life(at(2), r"\players\0\max\0");
        w.doom3(at(3), NEWEST, r"si_maxPlayers\0\", 0);
        format!("{}", w.master.servers())
    }),
    ("missing keys", "", |w| {
        for (n, info) in [
            r"\clients\1\sv_maxclients\8\gamename\x",
            r"\protocol\3\sv_maxclients\8\gamename\x",
            r"\protocol\3\clients\1\gamename\x",
            INFO,
        ]
        .into_iter()
        .enumerate()
        {
            w.register(at(n as u16), "DarkPlaces", info);
        }
        format!("{}", w.master.servers())
    }),
    ("names of games", "", |w| {
        let long = "x".repeat(64);
        for (n, name) in ["two words", "4TheFun", "", long.as_str(), &long[1..]].iter().enumerate()
        {
            w.register(at(n as u16), "DarkPlaces", &format!(r"{INFO}\gamename\{name}"));
        }
        w.gamespy_heartbeat(at(9), "two words", "");
        format!("{} {}", w.master.servers(), w.master.counts().sent)
    }),
    ("an unknown tag", "", |w| format!("{}", w.heartbeat(at(1), "Unheard-1").is_some())),
    ("loopback", "", |w| {
        w.quake3(([127, 0, 0, 1], 27960).into(), 68, 1, 8);
        format!("{}", w.master.servers())
    }),
    ("register", "", |w| {
        format!("{}", w.packets(QUAKE3, "register\x01\x02\x03\x04\x6d\x38").len())
    }),
    ("an address with many servers", "max-per-address=4", |w| {
        (0..9).for_each(|n| w.quake3(([192, 0, 2, 1], 27960 + n).into(), 68, 1, 8));
        format!("{}", w.master.servers())
    }),
    ("a flood", "flood=1,flood-burst=10", |w| {
        let received = (0..50).filter(|_| !w.packets(QUAKE3, "getservers 68").is_empty()).count();
        format!("{received} {}", w.heartbeat(at(1), "QuakeArena-1").is_some())
    }),
    ("a long key", "", |w| {
        let info = format!(r"\{}\1\protocol\68\clients\1\sv_maxclients\8", "k".repeat(65));
        w.register(at(1), "QuakeArena-1", &info);
        format!("{} {}", w.master.servers(), w.master.has_crashed())
    }),
    ("the message of the day", "motd=Hello", |w| {
        w.ask("motd", &marked("getmotd \"\\challenge\\14985\\version\\Q3 1.32\"\n"))
            .escape_ascii()
            .to_string()
    }),
    ("an update", "update-files=a.pk3", |w| {
        w.ask("motd", &marked("getUpdateInfo \"ET 2.55\" \"linux-i386\"\n"))
            .escape_ascii()
            .to_string()
    }),
    ("keys of players", "", |w| {
        let asks = |w: &mut World, ip| {
            let question = marked(&format!("getIpAuthorize -16 {ip} baseq3 0 1"));
            w.ask("authorize", &question).escape_ascii().to_string()
        };
        w.ask("authorize", &marked("getKeyAuthorize 0 xxxxxxxxxxxxxxxx"));
        let shown = asks(w, client().ip());
        format!("{shown} {}", asks(w, at(1).ip()))
    }),
    ("is the master there", "", |w| {
        let received = [
            w.ask(QUAKEWORLD, b"k\0"),
            w.ask(QUAKE2, &marked("ping")),
            w.ask(HERETIC2, &marked("ping")),
        ];
        received.concat().escape_ascii().to_string()
    }),
    ("HexenWorld", "", |w| {
        w.receive(HEXENWORLD, at(1), b"a\n1\n0\n");
        w.ask(HEXENWORLD, b"c\n\0").escape_ascii().to_string()
    }),
    ("a list of Half-Life in pieces", "packet-size=100", |w| {
        (0..20).for_each(|n| w.half_life(at(n), r"\players\1\max\8"));
        let first = w.ask(HALF_LIFE, b"e\0\0\0");
        format!("{}", first.escape_ascii())
    }),
    ("GameSpy's proofs", "", |w| {
        w.gamespy_heartbeat(at(1), "ut", "").unwrap();
        w.receive(GAMESPY, at(1), br"\gamename\ut\validate\wrong\final\");
        let wrong = w.stream("ut", r"\gamename\ut\location\0\validate\wrong\final\");
        format!("{} {wrong}", w.master.servers())
    }),
    ("GameSpy's list", "", |w| {
        w.gamespy(at(1), "ut");
        w.gamespy(at(2), "mygame");
        w.stream("ut", r"\gamename\ut\location\0\validate\?\final\\list\\gamename\ut\final\")
    }),
    ("GameSpy's compressed list", "", |w| {
        w.gamespy(at(1), "ut");
        w.stream("ut", r"\gamename\ut\location\0\validate\?\final\\list\cmp\gamename\ut\final\")
    }),
    ("an old version of Doom 3", "", |w| {
        let check = |w: &mut World, minor: u8| {
            let check =
                [&b"\xff\xffversionCheck\0"[..], &[minor, 0, 1, 0], b"\0\0DOOM\0\0"].concat();
            w.ask(DOOM3, &check).len()
        };
        format!("{} {}", check(w, 0x21) > 0, check(w, 0x29) > 0)
    }),
    ("Doom 3's filter", "", |w| {
        for (n, password, players, rules) in [
            (1, 0, 0, "deathmatch"),
            (2, 0, 1, "Tourney"),
            (3, 1, 4, "Team DM"),
            (4, 0, 4, "Last Man"),
        ] {
            let info =
                format!(r"si_maxPlayers\4\si_usepass\{password}\si_gameType\{rules}\fs_game\\");
            w.doom3(at(n), NEWEST, &info, players);
        }
        w.doom3(at(5), 0x0001_0021, r"si_maxPlayers\4\", 1);
        let lists =
            [0, 1, 2, 4, 8, 0x10, 0x20, 0x30].map(|filter| w.doom3_listed(NEWEST, "", filter));
        format!("{lists:?} {:?}", w.doom3_listed(NEWEST, "d3xp", 0))
    }),
    ("from where answers come", "", |w| {
        let mut elsewhere = Vec::new();
        let service = crate::families::service(QUAKE3).unwrap();
        let master: &mut Master = &mut w.master;
        master.handle_datagram(0, &[service], client(), &marked("getservers 68"), &mut |reply| {
            elsewhere.push(reply.elsewhere);
        });
        format!("{elsewhere:?}")
    }),
];

/// These and those of every family.
pub fn all() -> impl Iterator<Item = &'static Probe> {
    let families = half_life_probes::PROBES.iter().chain(qr2_probes::PROBES);
    PROBES.iter().chain(boundary_probes::PROBES).chain(shared_probes::PROBES).chain(families)
}

/// The length and last bytes of each packet.
pub fn shapes(packets: &[Vec<u8>]) -> String {
    let shape = |packet: &Vec<u8>| {
        let end =
            packet.windows(4).rposition(|w| w == b"\\EOT").map_or(&b""[..], |at| &packet[at..]);
        format!("{} {}", packet.len(), end.escape_ascii())
    };
    packets.iter().map(shape).collect::<Vec<_>>().join(", ")
}

/// The result of a probe with a master with this defect, or without any.
pub fn outcome((_, settings, probe): &Probe, defect: Option<Defect>) -> String {
    probe(&mut World::new(settings, defect))
}
