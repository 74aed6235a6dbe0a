//! For other masters: Q3Master (document 000), dpmaster (document 004).

use super::{OF_CLIENTS, OF_SERVERS};
use crate::conform::Sentence;
use crate::protocols::quake3::{DARKPLACES, Q3MASTER};

pub static Q3MASTER_SAYS: &[Sentence] = &[
    Sentence::not(
        &Q3MASTER,
        "000",
        "packets begin with four bytes FF, and all is UDP",
        "every case speaks so, and is answered so",
    ),
    Sentence::not(
        &Q3MASTER,
        "000 heartbeat",
        "a server beats when it starts, stops, changes its map, and when its last player leaves",
        OF_SERVERS,
    ),
    Sentence::by(
        &Q3MASTER,
        "000 heartbeat",
        "the master asks with getinfo after it has received a heartbeat",
        &["quake3/heartbeat/asked"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 heartbeat",
        "so it learns the server's protocol and its state",
        &["quake3/heartbeat/full", "quake3/heartbeat/emptied"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 getservers",
        "a query is a protocol, which has to be there, and options, which need not",
        &[
            "quake3/getservers/no-line-feed",
            "quake3/getservers/no-protocol",
            "quake3/getservers/unknown-word",
        ],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 getserversResponse",
        "a record is a backslash, four bytes of address and two of port, high byte first",
        &["quake3/getserversResponse/records"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 getserversResponse",
        "for protocol 48 and later a backslash, EOT and three NUL end a packet",
        &["q3master/getserversResponse/end-mark"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 getserversResponse",
        "for protocols 43 and 45 a backslash and a NUL end it",
        &["q3master/getserversResponse/old-end-mark"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 getserversResponse",
        "several packets may be sent, of the same form",
        &["quake3/getserversResponse/split"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 getserversResponse",
        "a packet should not be larger than 1536 bytes",
        &["quake3/getserversResponse/size"],
    ),
    Sentence::not(
        &Q3MASTER,
        "000 getserversResponse",
        "a client takes all packets that come in a while for one answer",
        OF_CLIENTS,
    ),
    Sentence::by(
        &Q3MASTER,
        "000 register",
        "a master registers one server at another, which need not be reachable for it",
        &["q3master/register/listed"],
    ),
    Sentence::by(
        &Q3MASTER,
        "000 register",
        "the master that is told sends no response",
        &["q3master/register/no-response"],
    ),
];

pub static DARKPLACES_SAYS: &[Sentence] = &[
    Sentence::not(
        &DARKPLACES,
        "004 1) heartbeat",
        "a server sends a heartbeat when it becomes empty or full, and every five to ten minutes",
        OF_SERVERS,
    ),
    Sentence::by(
        &DARKPLACES,
        "004 1) heartbeat",
        "a server says with a heartbeat that it wants to be listed",
        &["dpmaster/heartbeat/asked", "quake3/heartbeat/full", "quake3/heartbeat/emptied"],
    ),
    Sentence::not(
        &DARKPLACES,
        "004 1) heartbeat",
        "the tag is that of the protocol and not of the game, and is not checked for now",
        "the document says that this will change",
    ),
    Sentence::by(
        &DARKPLACES,
        "004 2) getinfo",
        "a getinfo with a challenge follows a heartbeat",
        &["dpmaster/heartbeat/asked"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 2) getinfo",
        "a challenge has characters from 33 to 126, but five",
        &["dpmaster/getinfo/characters"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 2) getinfo",
        "the challenge authenticates the answer",
        &[
            "dpmaster/getinfo/fresh",
            "dpmaster/getinfo/unpredictable",
            "dpmaster/infoResponse/foreign",
        ],
    ),
    Sentence::by(
        &DARKPLACES,
        "dpmaster",
        "a challenge has 8 to 11 characters",
        &["dpmaster/getinfo/length"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 3) infoResponse",
        "an infoResponse holds the challenge of the getinfo",
        &[
            "dpmaster/infoResponse/right",
            "dpmaster/infoResponse/wrong",
            "dpmaster/infoResponse/other-case",
            "dpmaster/infoResponse/none",
            "dpmaster/infoResponse/unasked",
        ],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 3) infoResponse",
        "it holds sv_maxclients, protocol and clients",
        &[
            "dpmaster/infoResponse/protocol-missing",
            "dpmaster/infoResponse/sv-maxclients-missing",
            "dpmaster/infoResponse/clients-missing",
        ],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 3) infoResponse",
        "sv_maxclients is not 0",
        &["dpmaster/infoResponse/no-places"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 3) infoResponse",
        "but for Quake III it holds gamename",
        &["dpmaster/infoResponse/gamename-missing", "quake3/infoResponse/no-gamename"],
    ),
    Sentence::by(
        &DARKPLACES,
        "dpmaster",
        "a name has up to 63 characters and no blank",
        &[
            "dpmaster/infoResponse/gamename-long",
            "dpmaster/infoResponse/gamename-too-long",
            "dpmaster/infoResponse/gamename-with-space",
        ],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 4) getservers",
        "a request holds a protocol",
        &["dpmaster/getservers/game-and-protocol", "quake3/getservers/no-protocol"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 4) getservers",
        "empty and full say that such servers are wanted too",
        &["quake3/getservers/neither", "quake3/getservers/empty", "quake3/getservers/full"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 4) getservers",
        "but for Quake III the client names its game in front of the protocol",
        &["dpmaster/getservers/game", "dpmaster/getservers/number-alone"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 5) getserversResponse",
        "records are four bytes and two, big-endian, behind a backslash",
        &["quake3/getserversResponse/records"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 5) getserversResponse",
        "the list ends with EOT and three NUL",
        &["dpmaster/getserversResponse/end-mark", "q3master/getserversResponse/end-mark"],
    ),
    Sentence::by(
        &DARKPLACES,
        "dpmaster",
        "a packet has 1400 bytes at most",
        &["dpmaster/getserversResponse/size"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "a heartbeat is answered by a getinfo, and the server is kept for a couple of seconds",
        &["dpmaster/infoResponse/late", "dpmaster/infoResponse/late-renewal"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "further heartbeats do not prolong that time",
        &["dpmaster/infoResponse/not-prolonged"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "meanwhile its address is sent to no client",
        &["dpmaster/infoResponse/unanswered"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "a valid infoResponse keeps a server listed for 15 minutes",
        &[
            "dpmaster/timeout/kept",
            "dpmaster/timeout/kept-for-seconds",
            "quake3/getserversResponse/steady",
        ],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "only another valid infoResponse renews that time",
        &["dpmaster/timeout/renewed", "dpmaster/timeout/not-by-heartbeats"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "then the server is forgotten",
        &["dpmaster/timeout/forgotten"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "two heartbeats of a server that closes are not taken into account",
        &["dpmaster/heartbeat/shutdown"],
    ),
    Sentence::by(
        &DARKPLACES,
        "004 BEHAVIOUR",
        "the master shall be free from major abuse",
        &["quake3/robust/*", "dpmaster/limits/*"],
    ),
    Sentence::by(
        &DARKPLACES,
        "dpmaster, ioquake3",
        "getserversExt asks for a game's servers of both families of addresses",
        &["dpmaster/getserversExt/*"],
    ),
];
