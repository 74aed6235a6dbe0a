//! Secrets that were shown by earlier versions: under keys that only other games use, in a
//! console's response, in a message that lacks its number.

use super::{THEN, address};
use crate::story::{Format, Link, Story};

/// Their paths under `captures/`, and their stories.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("cases/secrets-of-families.pcap", of_families()),
        ("cases/secrets-in-print.pcap", in_print()),
        ("cases/secrets-out-of-place.pcap", out_of_place()),
        ("unreal-tournament/password.pcap", datagrams_of(&[(UNREAL, CLIENT, GAMESPY)])),
        ("quake3/key-without-number.pcap", datagrams_of(&[(CLIENT, AUTHORIZE, KEY)])),
    ]
}

const CLIENT: &str = "198.51.100.7:40000";
const UNREAL: &str = "192.0.2.10:7778";
const AUTHORIZE: &str = "203.0.113.1:27952";
const GAMESPY: &[u8] = b"\\gamename\\ut\\password\\HUNTER2\\queryid\\1.1\\final\\";
const KEY: &[u8] = b"\xff\xff\xff\xffgetKeyAuthorize 1234567890123456";

fn datagrams_of(datagrams: &[(&str, &str, &[u8])]) -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, THEN);
    for (from, to, payload) in datagrams {
        story.after(1_000_000).send(address(from), address(to), payload);
    }
    story
}

/// Several keys, in every notation of pairs; the last of each says only that there is a password.
fn of_families() -> Story {
    let (half_life, its_master) = ("192.0.2.10:27015", "203.0.113.1:27010");
    let (doom3, id_master) = ("192.0.2.10:27666", "203.0.113.1:27650");
    let (quake3, master) = ("192.0.2.10:27960", "203.0.113.1:27950");
    datagrams_of(&[
        (half_life, its_master, b"q"),
        (its_master, half_life, b"\xff\xff\xff\xffs\n90\0\0"),
        (
            half_life,
            its_master,
            b"0\n\\protocol\\46\\challenge\\12345\\players\\1\\max\\8\\gamedir\\valve\\map\\x\
            \\rcon_password\\HUNTER2\\sv_password\\HUNTER3\\cl_guid\\HUNTER4\\password\\1\n",
        ),
        (doom3, id_master, b"\xff\xffheartbeat\0"),
        (id_master, doom3, b"\xff\xffgetInfo\0\x07\0\0\0"),
        (
            doom3,
            id_master,
            b"\xff\xffinfoResponse\0\x07\0\0\0\x28\0\x01\0si_map\0x\0net_rcon\0HUNTER5\0\
            si_cdkey\0HUNTER6\0g_passwd\0HUNTER7\0g_password\0true\0\0\0\x20\0\0\0\0",
        ),
        (
            "192.0.2.10:27910",
            "203.0.113.1:27900",
            b"\xff\xff\xff\xffheartbeat\n\\mapname\\q2dm1\\rcon_password\\HUNTER8\
            \\cl_guid\\HUNTER9\\x_rcon\\HUNTERA\\cdkey\\HUNTERB\\author\\somebody\n",
        ),
        (quake3, master, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n"),
        (master, quake3, b"\xff\xff\xff\xffgetinfo abc"),
        (
            quake3,
            master,
            b"\xff\xff\xff\xffinfoResponse\n\\challenge\\abc\\protocol\\68\
            \\rcon_password\\HUNTERC\\sv_authToken\\HUNTERD\\mod_author\\somebody",
        ),
    ])
}

/// Consoles' responses to questions for a password, in each game's form; and sentences about
/// passwords that have none.
fn in_print() -> Story {
    let (quake3, quake2, quakeworld) = ("192.0.2.10:27960", "192.0.2.11:27910", "192.0.2.12:27500");
    datagrams_of(&[
        (CLIENT, quake3, b"\xff\xff\xff\xffrcon HUNTER2 rconpassword"),
        (
            quake3,
            CLIENT,
            b"\xff\xff\xff\xffprint\n\"rconpassword\" is:\"HUNTER2^7\" default:\"^7\"\n",
        ),
        (quake3, CLIENT, b"\xff\xff\xff\xffprint\nrconpassword is:\"HUNTER2^7\" default:\"\"\n"),
        (quake3, CLIENT, b"\xff\xff\xff\xffprint\nBad rconpassword.\n"),
        (quake2, CLIENT, b"\xff\xff\xff\xffprint\n\"rcon_password\" is \"HUNTER2\"\n"),
        (quakeworld, CLIENT, b"\xff\xff\xff\xffn\"rcon_password\" is \"HUNTER2\"\n\0"),
        (CLIENT, quakeworld, b"\xff\xff\xff\xffrcon HUNTER2 rcon_password HUNTER3\n"),
    ])
}

/// Secrets outside of keys and values: in the records of a list, after a challenge, in words.
fn out_of_place() -> Story {
    let (half_life, its_master) = ("192.0.2.10:27015", "203.0.113.1:27010");
    let (quake3, master) = ("192.0.2.11:27960", "203.0.113.1:27950");
    datagrams_of(&[
        (half_life, its_master, b"q"),
        (its_master, half_life, b"\xff\xff\xff\xffs\n1234\\password\\HUNTER2"),
        (quake3, master, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n"),
        (master, quake3, b"\xff\xff\xff\xffgetinfo A\\rcon_password\\HUNTER3"),
        (CLIENT, master, b"\xff\xff\xff\xffgetservers 68 empty full"),
        (master, CLIENT, b"\xff\xff\xff\xffgetserversResponse\\rcon_password\\HUNTER4"),
        (CLIENT, quake3, b"\xff\xff\xff\xffgetchallenge set rconpassword \"HUNTER5\""),
    ])
}
