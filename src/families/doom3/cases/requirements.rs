//! The requirements of the documents for masters of Doom 3 (documents 001, section 9, and 002), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

pub(super) static REQUIREMENTS: &[Requirement] = requirements! {
    "doom3/getServers/first-document", MUST, "001 9.1" =>
        "the list is asked for with getServers, a protocol of four bytes and a filter";
    "doom3/getServers/second-document", MUST, "002 Querying the master server, 001 9.1" =>
        "the game's versions 1.0, 1.1, 1.2 and 1.3 ask so, with the protocols 1.33, 1.35, 1.39 and \
         1.40; the last byte, 0x0A, is the filter";
    "doom3/getServers/protocol", MUST, "001 9.1, 002 Querying the master server" =>
        "the list holds servers of the protocol that the request names, and no others";
    "doom3/getServers/nobody", SHOULD, "001 9.1" =>
        "getServers asks for the list, and is answered where that is empty too";
    "doom3/getServers/no-filter", MUST, "001 9.1" =>
        "a filter of zero leaves all servers in, empty and full ones and those with a password too";
    "doom3/getServers/password", MUST, "001 9.1" =>
        "the filter 1 leaves servers with a password in, 2 those without";
    "doom3/getServers/not-full", MUST, "001 9.1" => "the filter 4 leaves full servers out";
    "doom3/getServers/neither-full-nor-empty", MUST, "001 9.1" =>
        "the filter 8 leaves full and empty servers out";
    "doom3/getServers/game-types", MUST, "001 9.1" =>
        "the filters 0x10, 0x20 and 0x30 leave only servers with these rules in";
    "doom3/getServers/filters-together", MUST, "001 9.1" =>
        "the low bits of the filter are about servers, the high ones about rules, and both hold";
    "doom3/getServers/fs-game", SHOULD, "001 9.1" =>
        "the text in front of the filter is the modification whose servers are wanted; the \
         document takes its NUL for a delimiter";
    "doom3/getServers/capitals", INFO, "001 9.1" =>
        "the released game compares commands without case; no document says so";
    "doom3/getServers/another-game", INFO, "001 9.1" =>
        "Quake 4 marks its protocols so; no document says so";
    "doom3/versionCheck/old-client", MUST, "001 9.2, 001 9.6" =>
        "a versionCheck is answered with a newVersion";
    "doom3/versionCheck/old-server", MUST, "001 9.2, 001 9.6" =>
        "servers ask as clients do, and are answered too";
    "doom3/versionCheck/newest", INFO, "001 9.6" =>
        "whether a program that is up to date is answered stands in no document";
    "doom3/newVersion/form", SHOULD, "001 9.6" =>
        "a newVersion holds a text for the player and where the update lies";
    "doom3/srvAuth/at-challenge", MUST, "001 9.8, 001 9.9" =>
        "a srvAuth is answered with an auth that names the client: its id and address";
    "doom3/srvAuth/later-version", INFO, "001 9.8" =>
        "from protocol 1.37 on a srvAuth has a byte more; no document says so";
    "doom3/auth/words", INFO, "001 9.9" =>
        "in the examples the client waits at first, and is let in when it has told its id";
    "doom3/servers/form", MUST, "001 9.3, 002 Querying the master server" =>
        "behind the command's NUL stand records of six bytes to the packet's end, without a count, \
         delimiters or an end mark";
    "doom3/servers/byte-order", MUST, "002 Querying the master server" =>
        "addresses are in network order, ports little-endian: the bytes 12 6C are 27666 (the first \
         document says network order, and its own example disproves it)";
    "doom3/servers/no-doubles", SHOULD, "001 9.3" =>
        "the list has a pair of address and port for a server, and so each server once";
    "doom3/servers/steady", SHOULD, "001 9.3" =>
        "a list holds the same servers each time while nothing changes";
    "doom3/servers/one-packet", MUST, "001 9.3" =>
        "a list is one packet, whose length has no limit";
    "doom3/heartbeat/asked", MUST, "001 9.7" =>
        "the master answers a heartbeat with a getInfo to the server that sent it";
    "doom3/heartbeat/each-time", MUST, "001 9.7" =>
        "the master sends a getInfo each time that it receives a heartbeat";
    "doom3/getInfo/form", MUST, "001 9.4" =>
        "behind getInfo and NUL stands a challenge of four bytes, and nothing else";
    "doom3/getInfo/challenge-differs", SHOULD, "001 9.4" =>
        "a challenge cannot be guessed from those of other servers (no document says how it is \
         made)";
    "doom3/infoResponse/right-challenge", MUST, "001 9.5, 001 9.7" =>
        "an infoResponse has the challenge, the protocol, settings and players; the server that \
         sends it is listed";
    "doom3/infoResponse/none", MUST, "001 9.7, 001 9.4" =>
        "the infoResponse tells the server's protocol and settings; without one it stands in no \
         list";
    "doom3/infoResponse/unasked", MUST, "001 9.5" =>
        "an infoResponse has the challenge of a getInfo; without a getInfo it lists nobody";
    "doom3/infoResponse/wrong-challenge", MUST, "001 9.5" =>
        "the infoResponse has the challenge of the getInfo that it answers";
    "doom3/infoResponse/foreign-challenge", MUST, "001 9.5" =>
        "the infoResponse has the challenge that this very server was sent";
    "doom3/infoResponse/replayed-challenge", INFO, "001 9.5" =>
        "whether a challenge counts a second time stands in no document";
    "doom3/infoResponse/stale-challenge", SHOULD, "001 9.5" =>
        "a challenge is valid for a while (no document says for how long)";
    "doom3/infoResponse/late-renewal", SHOULD, "001 9.5" =>
        "a challenge is valid for a while, for listed servers too (no document says for how long)";
    "doom3/infoResponse/kept", SHOULD, "001 9.7" =>
        "a server that answered is listed until its next heartbeat is due (no document says when; \
         those of other games come every 300 seconds)";
    "doom3/infoResponse/new-state", MUST, "001 9.5, 001 9.7" =>
        "the infoResponse to the last getInfo is what holds";
    "doom3/infoResponse/no-places", INFO, "001 9.5" =>
        "whether a server without places is listed stands in no document";
    "doom3/robust/cut-short", MUST, "001 9.1" => "getServers is answered, whatever was sent before";
    "doom3/robust/long-values", MUST, "001 9.1, 001 9.5" =>
        "getServers is answered, whatever a server says of itself";
    "doom3/robust/many-heartbeats", SHOULD, "001 9.1, 001 9.7" =>
        "getServers is answered; a flood from one address keeps no other client away";
    "doom3/client-challenge", Err("no master has a part in it"), "001 9.10, 001 9.11" =>
        "a client asks a server for a challenge, and the server answers";
    "doom3/login", Err("how one logs in stands in no document"), "002 ET:QW version" =>
        "the masters of Enemy Territory: Quake Wars answer only players who have logged in";
    "doom3/server-feed", Err("the page is fetched over HTTP from hosts that are gone"), "002 Server Feed" =>
        "the servers of Enemy Territory: Quake Wars are lines of a page, an address and a port \
         each";
};
