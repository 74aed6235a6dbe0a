//! The names and numbers by which servers of the Quake III family are known, and which requests get
//! a response.

use super::world::*;

const INFO: &str = r"\clients\1\sv_maxclients\8";
const BOTH: &str = "ipv4 ipv6";

fn six(n: u16) -> std::net::SocketAddr {
    format!("[2001:db8::{n}]:27960").parse().unwrap()
}

/// Each server by its tag, its protocol and its other values.
fn world() -> World {
    let mut w = World::new("", None);
    for (n, tag, protocol, more) in [
        (1, "QuakeArena-1", 68, ""),
        (2, "QuakeArena-1", 68, r"\gamename\q3urt43"),
        (3, "DarkPlaces", 68, r"\gamename\Quake3Arena"),
        (4, "DarkPlaces", 68, r"\gamename\Nexuiz"),
        (5, "DarkPlaces", 71, r"\gamename\Quake3Arena"),
        (6, "Wolfenstein-1", 60, ""),
        (7, "EnemyTerritory-1", 84, ""),
        (8, "QuakeArena-1", 26, r"\gamename\basejka"),
        (9, "QuakeArena-1", 84, ""),
        (10, "COD-4", 6, r"\gamename\Call of Duty 4"),
        (11, "Unvanquished", 86, r"\gamename\unv"),
        (12, "DarkPlaces", 3, r"\gamename\4TheFun"),
        (13, "DarkPlaces", 3, r"\gamename\7"),
    ] {
        w.register(at(n), tag, &format!(r"\protocol\{protocol}{INFO}{more}"));
    }
    assert_eq!(w.master.servers(), 13);
    w
}

#[test]
fn numbers_and_names_list_the_servers_of_their_games() {
    let mut w = world();
    for (request, listed) in [
        ("68", &[1, 2, 3][..]),
        ("Quake3Arena 68", &[1, 2, 3]),
        ("q3urt43 68", &[2]),
        ("Nexuiz 68", &[4]),
        ("71", &[5]),
        ("60", &[6]),
        ("wolfmp 60", &[6]),
        ("84", &[7]),
        ("et 84", &[7]),
        ("26", &[8]),
        ("Quake3Arena 84", &[9]),
        ("6", &[10]),
        ("86", &[11]),
        ("UNVANQUISHED 86", &[11]),
        ("unv 86", &[11]),
        ("3", &[]),
        ("4TheFun 3", &[12]),
        ("-1", &[]),
    ] {
        assert_eq!(w.listed(&format!("getservers {request}")), listed, "{request}");
    }
}

#[test]
fn extended_lists_have_servers_of_both_families_by_their_games_name() {
    let mut w = World::new("", None);
    for (tag, game, protocol) in
        [("QuakeArena-1", "Quake3Arena", 68), ("Wolfenstein-1", "wolfmp", 60)]
    {
        for from in [at(1), six(1)] {
            w.register(from, tag, &format!(r"\protocol\{protocol}{INFO}"));
        }
        for (words, length) in [(BOTH, 7 + 19), ("", 7 + 19), ("ipv4", 7), ("ipv6", 19)] {
            let list = w.ask(QUAKE3, &marked(&format!("getserversExt {game} {protocol} {words}")));
            let list = list.strip_prefix(b"\xff\xff\xff\xffgetserversExtResponse").unwrap();
            assert_eq!(list.len(), length + 7, "{game} {words}");
        }
    }
}

#[test]
fn requests_without_a_protocol_or_game_are_not_answered() {
    let mut w = world();
    for request in [
        "getservers",
        "getservers ",
        "getservers 68x",
        "getservers 4TheFun",
        "getservers x empty full",
        "getservers 68x empty full",
        "getservers Nexuiz 68x",
        "getservers Nexuiz 3,",
        "getserversExt",
        "getserversExt 68",
        "getserversExt 68 ipv4 ipv6",
        "getserversExt 68 empty full ipv4 ipv6",
        "getserversExt Quake3Arena",
        "getserversExt Quake3Arena ipv4 ipv6",
        "getserversExt Quake3Arena 68x",
    ] {
        assert_eq!(w.packets(QUAKE3, request), [[0u8; 0]; 0], "{request}");
    }
    // A name may be a number, if one always comes first.
    let list = w.ask(QUAKE3, &marked("getserversExt 7 3 empty ipv4"));
    assert!(list.windows(5).any(|w| w == [b'\\', 192, 0, 2, 13]), "{}", list.escape_ascii());
}

#[test]
fn tags_identify_servers_that_shut_down() {
    let mut w = world();
    for (n, tag) in
        [(6, "WolfFlatline-1"), (7, "ETFlatline-1"), (10, "flatline"), (11, "Unvanquished-dead")]
    {
        let before = w.master.servers();
        assert_eq!(w.heartbeat(at(n), tag), None, "{tag}");
        assert_eq!(w.master.servers(), before - 1, "{tag}");
    }
}

/// Whether each server is challenged, is listed, and whether a request for it gets a response.
#[test]
fn a_game_policy_rejects_servers_and_requests() {
    for (policy, quake3, nexuiz) in [
        ("", true, true),
        ("accept Quake3Arena", true, false),
        ("accept quake3arena", false, false),
        ("accept Nexuiz other", false, true),
        ("reject Nexuiz", true, false),
        ("reject Quake3Arena", false, true),
    ] {
        let mut w = World::new(&format!("game-policy={policy}"), None);
        assert_eq!(w.heartbeat(at(1), "QuakeArena-1").is_some(), quake3, "{policy}");
        // Only its response names its game.
        assert!(w.heartbeat(at(2), "DarkPlaces").is_some());
        w.register(at(1), "QuakeArena-1", &format!(r"\protocol\68{INFO}"));
        w.register(at(2), "DarkPlaces", &format!(r"\protocol\3{INFO}\gamename\Nexuiz"));
        w.register(at(3), "DarkPlaces", &format!(r"\protocol\68{INFO}\gamename\Quake3Arena"));
        let servers = 2 * usize::from(quake3) + usize::from(nexuiz);
        assert_eq!(w.master.servers(), servers, "{policy}");
        for (request, is_answered) in [
            ("getservers 68", quake3),
            ("getservers Quake3Arena 68", quake3),
            ("getserversExt Quake3Arena 68", quake3),
            ("getservers Nexuiz 3", nexuiz),
            ("getserversExt Nexuiz 3", nexuiz),
        ] {
            let answered = !w.packets(QUAKE3, request).is_empty();
            assert_eq!(answered, is_answered, "{policy}: {request}");
        }
    }
}
