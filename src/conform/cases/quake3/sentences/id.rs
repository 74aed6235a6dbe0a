//! id's own games: Quake III, Return to Castle Wolfenstein, Enemy Territory (documents 000, 001).

use super::{BETWEEN, NAMES, OF_CLIENTS, OF_SERVERS};
use crate::conform::Sentence;
use crate::protocols::quake3::{ENEMY_TERRITORY, QUAKE3, RTCW};

pub static QUAKE3_SAYS: &[Sentence] = &[
    Sentence::not(
        &QUAKE3,
        "001 1",
        "master, message of the day and authorize server have names and ports",
        NAMES,
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.1",
        "a client asks with getservers, a protocol, words and a line feed",
        &["quake3/getservers/line-feed"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.1",
        "the list holds only servers of the protocol that was asked for",
        &["quake3/getservers/protocol", "quake3/getservers/odd-protocols"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.1",
        "without words the list holds servers that are neither empty nor full",
        &["quake3/getservers/neither"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.1",
        "empty adds servers without players, full those without a place",
        &["quake3/getservers/empty", "quake3/getservers/full", "quake3/getservers/empty-and-full"],
    ),
    Sentence::not(
        &QUAKE3,
        "001 1.1.1",
        "private places count as taken when a server is full",
        "a server counts them itself before it tells sv_maxclients",
    ),
    Sentence::by(&QUAKE3, "001 1.1.1", "demo adds demo servers", &["quake3/getservers/demo"]),
    Sentence::by(
        &QUAKE3,
        "001 1.1.1",
        "ffa, tourney, team and ctf ask for servers of these rules",
        &[
            "quake3/getservers/ffa",
            "quake3/getservers/tourney",
            "quake3/getservers/team",
            "quake3/getservers/ctf",
        ],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.2",
        "a getserversResponse answers a getservers",
        &[
            "quake3/getserversResponse/source",
            "quake3/getserversResponse/nobody",
            "quake3/getserversResponse/kept",
        ],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.2",
        "servers stand there in six bytes, address and port, behind a backslash each",
        &[
            "quake3/getserversResponse/records",
            "quake3/getserversResponse/whole-records",
            "quake3/getserversResponse/backslash-in-address",
            "quake3/getserversResponse/doubles",
        ],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.2",
        "a backslash and EOT mark the end of the packet",
        &["quake3/getserversResponse/end-mark", "quake3/getserversResponse/packets"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.2",
        "several packets are sent if there are too many servers for one",
        &["quake3/getserversResponse/split", "quake3/getserversResponse/no-empty-packet"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.2",
        "a packet holds 112 servers at most, and 810 bytes",
        &["quake3/getserversResponse/packets"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.3",
        "the authorize server does not reply to a getKeyAuthorize",
        &["quake3/getKeyAuthorize/no-answer"],
    ),
    Sentence::not(&QUAKE3, "001 1.1.3", "a key has 16 letters and digits", OF_CLIENTS),
    Sentence::not(
        &QUAKE3,
        "001 1.1.4",
        "getmotd holds version, renderer and challenge",
        OF_CLIENTS,
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.1.5",
        "motd holds the challenge of the getmotd and the message",
        &["quake3/getmotd/challenge"],
    ),
    Sentence::not(
        &QUAKE3,
        "001 1.2.1",
        "a client asks a server with getinfo, which has no parameter",
        BETWEEN,
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.2.2",
        "infoResponse holds a few variables, which differ from version to version, and no gamename",
        &["quake3/infoResponse/no-gamename", "quake3/infoResponse/other-keys"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.2.3",
        "the master sends getstatus, with a challenge, after every heartbeat",
        &["quake3/heartbeat/asked"],
    ),
    Sentence::not(
        &QUAKE3,
        "001 1.2.4",
        "statusResponse gives the challenge back, the server's settings and a line a player",
        OF_SERVERS,
    ),
    Sentence::not(
        &QUAKE3,
        "001 1.2.5 to 1.2.8",
        "clients get a challenge from a server and connect with it",
        BETWEEN,
    ),
    Sentence::not(
        &QUAKE3,
        "001 1.2.9",
        "heartbeats are sent on every change of map, when players come and go, and every 300 seconds",
        OF_SERVERS,
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.2.9",
        "a server that shuts down sends two heartbeats in quick succession",
        &["quake3/heartbeat/shutdown"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.2.9",
        "after every heartbeat the master gathers what it needs to know of the server",
        &["quake3/heartbeat/full", "quake3/heartbeat/emptied"],
    ),
    Sentence::not(
        &QUAKE3,
        "001 1.2.10",
        "a server or master has a client show a text with print",
        "no document says when a master would",
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.2.11",
        "a server asks whether a client's address has shown a valid key",
        &["quake3/getIpAuthorize/shown", "quake3/getIpAuthorize/not-shown"],
    ),
    Sentence::by(
        &QUAKE3,
        "001 1.2.12",
        "ipAuthorize holds the challenge of the getIpAuthorize, and a verdict",
        &["quake3/getIpAuthorize/shown"],
    ),
    Sentence::not(&QUAKE3, "001 1.2.13, 1.2.14", "a server answers ping with disconnect", BETWEEN),
    Sentence::by(
        &QUAKE3,
        "000 heartbeat",
        "heartbeats tell by their tag which game beats, of three that are known",
        &["quake3/heartbeat/unknown-tag"],
    ),
    Sentence::by(
        &QUAKE3,
        "000 heartbeat",
        "the master asks after each heartbeat, and a server that does not answer is gone",
        &[
            "quake3/heartbeat/asked",
            "quake3/heartbeat/listed",
            "quake3/heartbeat/unanswered",
            "quake3/heartbeat/shutdown",
        ],
    ),
    Sentence::by(
        &QUAKE3,
        "000 register",
        "id's masters take no register",
        &["quake3/register/refused"],
    ),
    Sentence::by(
        &QUAKE3,
        "000 getserversResponse",
        "for protocols 43 and 45 a backslash and a NUL end a packet",
        &["q3master/getserversResponse/old-end-mark"],
    ),
    Sentence::by(
        &QUAKE3,
        "000 getserversResponse",
        "clients pass over servers on loopback addresses",
        &["quake3/heartbeat/loopback"],
    ),
];

pub static RTCW_SAYS: &[Sentence] = &[
    Sentence::not(
        &RTCW,
        "001 8",
        "master, message of the day and authorize server have names and ports",
        NAMES,
    ),
    Sentence::by(
        &RTCW,
        "001 8.1",
        "heartbeats are Quake III's with the tag Wolfenstein-1",
        &["rtcw/heartbeat/listed", "rtcw/heartbeat/unanswered"],
    ),
    Sentence::by(
        &RTCW,
        "001 8.1, 000 heartbeat",
        "WolfFlatline-1 is sent when a server shuts down",
        &["rtcw/heartbeat/flatline"],
    ),
    Sentence::not(
        &RTCW,
        "001 8.2",
        "the challenge of a getinfo is a number of 32 bits, and need not be there",
        "dpmaster lists such servers too, and its challenges are no numbers",
    ),
    Sentence::by(
        &RTCW,
        "001 8.3",
        "a server asks with getIpAuthorize whether a client has shown a key",
        &["rtcw/getIpAuthorize/not-shown"],
    ),
    Sentence::by(
        &RTCW,
        "001 8.4",
        "ipAuthorize holds the challenge and deny, where it has not",
        &["rtcw/getIpAuthorize/not-shown"],
    ),
    Sentence::by(
        &RTCW,
        "001 8.5",
        "infoResponse holds the challenge and the server's variables",
        &["rtcw/heartbeat/listed"],
    ),
    Sentence::by(
        &RTCW,
        "001 8.6, 8.7",
        "motd holds the challenge of the getmotd and the message",
        &["rtcw/getmotd/challenge"],
    ),
    Sentence::by(
        &RTCW,
        "001 8.8",
        "getservers holds the protocol, and words that add empty, full and demo servers",
        &["rtcw/getservers/*"],
    ),
];

pub static ENEMY_TERRITORY_SAYS: &[Sentence] = &[
    Sentence::not(
        &ENEMY_TERRITORY,
        "001 11",
        "master, message of the day and update server have names and ports",
        NAMES,
    ),
    Sentence::by(
        &ENEMY_TERRITORY,
        "000 heartbeat",
        "heartbeats have the tag EnemyTerritory-1",
        &["enemy-territory/heartbeat/listed"],
    ),
    Sentence::by(
        &ENEMY_TERRITORY,
        "000 heartbeat",
        "ETFlatline-1 is sent when a server shuts down",
        &["enemy-territory/heartbeat/flatline"],
    ),
    Sentence::by(
        &ENEMY_TERRITORY,
        "001 11.1, 11.2",
        "an updateResponse with a number answers a getUpdateInfo",
        &["enemy-territory/getUpdateInfo/answer"],
    ),
    Sentence::by(
        &ENEMY_TERRITORY,
        "001 11.3, 11.4",
        "motd holds the challenge of the getmotd and the message",
        &["enemy-territory/getmotd/challenge"],
    ),
    Sentence::by(
        &ENEMY_TERRITORY,
        "001 11.5, 11.6",
        "getservers holds a protocol, full and empty; the list is one of records and EOT",
        &["enemy-territory/getservers/listed"],
    ),
    Sentence::by(
        &ENEMY_TERRITORY,
        "001 11.7, 11.8",
        "infoResponse holds the challenge of the getinfo and the server's variables",
        &["enemy-territory/heartbeat/listed"],
    ),
    Sentence::not(
        &ENEMY_TERRITORY,
        "001 11.9 to 11.11",
        "clients get a challenge from a server, or a text that it is full",
        BETWEEN,
    ),
];
