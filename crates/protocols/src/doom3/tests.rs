//! Invented messages: Quake 4's differences, and what depends on the protocol version.

use super::super::tests::{assert_decodes, decoded_values};
use super::PROTOCOL;

#[test]
fn quake_4_adds_a_clan_and_five_bytes() {
    let bytes = b"\xff\xffinfoResponse\0\x01\0\0\0\x45\0\x02\x80\
        gamename\0baseQUAKE4-1\0si_map\0mp/q4dm1\0\0\0\
        \x01\x30\0\x80\x3e\0\0Kane\0Rhino\0\
        \x02\x60\0\x80\x3e\0\0Strauss\0\0\
        \x20\x07\0\0\0\x01\x02\x03\x04\x05";
    assert_decodes(
        &PROTOCOL,
        bytes,
        "info-response",
        &[
            "challenge=1",
            "protocol=2147614789 (2.69, of another studio's game)",
            "gamename=baseQUAKE4-1",
            "si_map=mp/q4dm1",
            "id=1",
            "ping=48",
            "rate=16000",
            "name=Kane",
            "clan=Rhino",
            "id=2",
            "ping=96",
            "rate=16000",
            "name=Strauss",
            "clan=",
            "system mask=7 (Windows, Mac OS X, Linux)",
            r"trailer=\x01\x02\x03\x04\x05",
        ],
    );
}

#[test]
fn the_filter_byte_is_taken_apart() {
    for (filter, means) in [
        (0x00, "all servers"),
        (0x0a, "without a password, neither full nor empty"),
        (0x15, "with a password, not full, deathmatch"),
        (0x30, "team deathmatch"),
        (0x40, "and 0x40, not documented"),
    ] {
        let bytes = [b"\xff\xffgetServers\0\x28\0\x01\0d3xp\0".as_slice(), &[filter]].concat();
        let (id, values) = decoded_values(&PROTOCOL, &bytes);
        assert_eq!(id, "get-servers");
        assert_eq!(values[..2], ["protocol=65576 (1.40, Doom 3 1.3)", "fs_game=d3xp"]);
        assert_eq!(values[2], format!("filter={filter} ({means})"));
    }
}

#[test]
fn srv_auth_tells_of_the_expansion_since_1_37() {
    let address = b"\xc0\0\x02\x07\x12\x6c".as_slice();
    for (version, rest, last) in [
        (b"\x21\0\x01\0", b"\xff\xff\xff\xff".as_slice(), "client id=-1"),
        (b"\x25\0\x01\0", b"\xff\xff\xff\xff\x01", "expansion=1 (Resurrection of Evil)"),
        (b"\x24\0\x01\0", b"\xaf\x10\0\0\0", "guid="),
        (b"\x28\0\x01\0", b"\xaf\x10\0\0guid\0\0", "expansion=0 (Doom 3 alone)"),
    ] {
        let bytes = [b"\xff\xffsrvAuth\0", version.as_slice(), address, rest].concat();
        let (id, values) = decoded_values(&PROTOCOL, &bytes);
        assert_eq!(id, "srv-auth");
        assert_eq!(values[1..3], ["address=192.0.2.7", "port=27666"]);
        assert!(values.last().unwrap().starts_with(last), "{values:?}");
    }
}
