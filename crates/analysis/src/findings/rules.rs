//! The rules, in the order of `docs/reference/findings.md`.

use crate::finding::Rule;
use crate::finding::Severity::{Error, Note, Warning};

macro_rules! rules {
    ($($name:ident: $id:literal, $severity:ident, $section:literal, $requirement:literal, $impact:literal;)+) => {
        $(pub(super) static $name: Rule = Rule {
            id: $id,
            severity: $severity,
            section: $section,
            requirement: $requirement,
            impact: $impact,
        };)+

        /// Every rule.
        pub static RULES: &[&Rule] = &[$(&$name),+];
    };
}

rules! {
    FAULTY: "message.faulty", Warning, "",
        "a message is written as its section describes",
        "whoever receives it leaves it out, or reads something else";
    DEPARTS: "message.nonstandard", Note, "",
        "a message is spelled as its section describes",
        "programs of today take it; one that goes by the document may not";
    END_MISSING: "list.end-missing", Warning, "001 1.1.2",
        "the last packet of a list says that the list is complete",
        "a client cannot tell a whole list from one whose last packet was lost";
    END_BARE: "list.end-bare", Note, "000 getserversResponse",
        "the end of a list is written out: EOT, or a NUL for protocols 43 and 45",
        "a backslash alone may as well begin a record that was cut off";
    END_EARLY: "list.end-early", Note, "004 5) getserversResponse",
        "only the last packet of a list says that it is complete",
        "clients that believe the mark do not wait for the other packets; id's master marks every packet, and clients of its games know";
    OVER_810: "packet.over-810", Note, "001 1.1.2",
        "a list packet of id's master holds at most 112 servers in 810 bytes",
        "clients of the first versions of Quake III may not take more";
    OVER_1400: "packet.over-1400", Warning, "003 Replies (Server Info)",
        "a packet has at most 1400 bytes",
        "some routers do not let larger packets through";
    OVER_1536: "packet.over-1536", Error, "000 getserversResponse",
        "a list packet has at most 1536 bytes",
        "it is fragmented on the way, and lost with any of its fragments";
    ENTRY_SHORT: "list.entry-short", Warning, "004 5) getserversResponse",
        "every record of a list has four bytes of address and two of port",
        "a client that steps by six bytes reads the rest of the list wrong";
    ENTRY_DOUBLED: "list.entry-doubled", Warning, "004 5) getserversResponse",
        "every server stands in a list once",
        "it is asked and shown twice, and takes the place of another one";
    PORT_ZERO: "list.port-zero", Warning, "004 5) getserversResponse",
        "every server of a list has a port",
        "nobody can ask it";
    ADDRESS_LOCAL: "list.address-local", Warning, "000 getserversResponse",
        "a client is told addresses that it can reach",
        "loopback and private addresses mean something else to whoever is outside of that network; Quake III ignores packets that hold nothing else";
    UNVERIFIED: "list.unverified", Warning, "004 BEHAVIOUR",
        "a server is listed when it has answered its master's challenge",
        "anybody can have anything listed";
    UNPROVEN: "list.unproven", Warning, "004 BEHAVIOUR",
        "a server is not listed for an answer that its master has to refuse",
        "the master believes anybody, or lists servers that nobody can use";
    OTHER_PROTOCOL: "list.protocol-other", Warning, "004 4) getservers",
        "a list has servers of the protocol that it is asked for",
        "the client cannot play there";
    PORT_SWAPPED: "list.port-swapped", Error, "004 5) getserversResponse",
        "ports are listed in the byte order of their protocol",
        "nobody can ask the server: its port is another one";
    CHALLENGE_MISSING: "challenge.missing", Warning, "004 3) infoResponse",
        "a server's answer to its master brings the challenge back",
        "the master does not list the server";
    CHALLENGE_CHANGED: "challenge.changed", Warning, "004 3) infoResponse",
        "the challenge that a server brings back is the one that it was sent",
        "the master does not list the server";
    CHALLENGE_FORBIDDEN: "challenge.forbidden", Warning, "004 2) getinfo",
        "a challenge has printable characters, none of them \\ / ; \" or %",
        "servers cut it off there, or bring back another one";
    CHALLENGE_REPEATED: "challenge.repeated", Warning, "004 2) getinfo",
        "every server is sent a challenge of its own",
        "whoever has seen one can register other people's servers";
    KEY_MISSING: "info.key-missing", Warning, "004 3) infoResponse",
        "a server's answer to its master names protocol, sv_maxclients and clients, and of games that name themselves the gamename",
        "the master does not list the server, or lists it to the wrong clients";
    NO_PLACES: "info.no-places", Warning, "004 3) infoResponse",
        "sv_maxclients is not 0",
        "the master does not list the server";
    OVERFULL: "info.overfull", Warning, "004 3) infoResponse",
        "no more clients are on a server than may be",
        "masters and browsers count it wrong as full or free";
    HEARTBEAT_LATE: "heartbeat.late", Note, "001 1.2.9",
        "a server sends heartbeats in the interval of its game: every 300 seconds, Unreal Tournament and query and reporting 2 every 60",
        "masters with short memories forget it in between";
    HEARTBEAT_RARE: "heartbeat.rare", Warning, "004 1) heartbeat",
        "a master gets a heartbeat every five to ten minutes",
        "it forgets the server";
    HEARTBEAT_FREQUENT: "heartbeat.frequent", Note, "001 1.2.9",
        "heartbeats are sent every 300 seconds, and when something changes",
        "a master that protects itself from floods may not hear the server any more";
    MASTER_UNREACHABLE: "master.unreachable", Warning, "001 1.2.9",
        "a master is there where heartbeats and requests are sent",
        "servers are not listed, and clients find none";
    HEARTBEAT_UNANSWERED: "heartbeat.unanswered", Warning, "004 2) getinfo",
        "a master asks the server back from which a heartbeat came",
        "the server is not listed: the master does not know its game, got no heartbeat, or its question did not arrive";
    CHALLENGE_UNANSWERED: "challenge.unanswered", Warning, "004 3) infoResponse",
        "a server answers what its master asks",
        "the master does not list the server";
    REFUSED: "registration.refused", Warning, "004 BEHAVIOUR",
        "a master takes the registration of a server",
        "the master does not list the server";
    VALUE_CHANGED: "registration.value-changed", Warning, "001 10.1",
        "a master brings back what the server's heartbeat had",
        "the server takes the message for a forged one and does not answer: it is not listed";
    UNLISTED: "registration.unlisted", Warning, "004 BEHAVIOUR",
        "a master lists a server that has answered its challenge",
        "clients do not find the server";
    LIST_UNANSWERED: "list.unanswered", Warning, "004 4) getservers",
        "a master answers requests for lists, also where it knows no server",
        "the client shows no servers";
    SERVER_UNREACHABLE: "server.unreachable", Warning, "004 BEHAVIOUR",
        "a listed server is there where it is listed",
        "nobody can play there: it is gone, or a firewall or address translation blocks it";
    QUERY_UNANSWERED: "query.unanswered", Note, "001 1.2.1",
        "a server answers what it is asked",
        "players do not see it: it is gone, a firewall blocks it, or it limits how often it answers";
    FRAGMENTS_LOST: "answer.fragments-lost", Warning, "003 Replies (Server Info)",
        "a datagram arrives with all of its fragments",
        "the receiver gets nothing of it: a firewall or a router on the way drops fragments";
    SPLIT_DAMAGED: "answer.checksum-wrong", Warning, "006 A2S_RULES",
        "the joined parts of an answer have its length and its checksum",
        "the receiver throws it away";
    CHALLENGE_ENDLESS: "challenge.endless", Warning, "006 A2S_PLAYER",
        "a server answers a request that brings its challenge back",
        "clients ask again and again, and show nothing";
    OTHER_PORT: "answer.other-port", Warning, "001 1.2.1",
        "an answer comes from the port that was asked",
        "firewalls and address translation on the way drop it";
    PART_MISSING: "answer.part-missing", Warning, "003 Replies (Server Info)",
        "every part of an answer is numbered from 1, and all of them come",
        "rules or players that stood in it are not shown";
    VALIDATE_WRONG: "validate.wrong", Warning, "003 Security",
        "a validate is what the game's key makes of the challenge",
        "the master does not list the server, or gives the client no list";
}
