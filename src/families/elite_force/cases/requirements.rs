//! The requirements of the documents for masters of Elite Force (document 001, section 4), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

const OF_SERVERS: &str = "it is about servers and clients, and no master hears of it";

pub(super) static REQUIREMENTS: &[Requirement] = requirements! {
    "elite-force/getservers/answered", MUST, "001 4.1.1, 001 4.1.2" =>
        "getservers, a protocol's number and options ask the master for a list";
    "elite-force/getservers/line-feed", SHOULD, "001 1.1.1" =>
        "the first request of the document ends in a line feed, those of Elite Force almost look \
         like it";
    "elite-force/getservers/unknown-word", SHOULD, "001 4.1.1" =>
        "options are optional, and what a master does not know does not silence it";
    "elite-force/getservers/protocol", MUST, "001 4.1.1, 001 1.1.1" =>
        "the number behind getservers is the protocol of the servers that are listed, 24 for \
         version 1.20";
    "elite-force/getservers/neither", MUST, "001 4.1.1, 001 1.1.1" =>
        "the options may be omitted, and then servers are listed that are neither";
    "elite-force/getservers/empty", MUST, "001 4.1.1" => "empty shows empty servers";
    "elite-force/getservers/full", MUST, "001 4.1.1" =>
        "full shows servers whose places are all taken";
    "elite-force/getservers/empty-and-full", MUST, "001 4.1.1" =>
        "the options say which servers are shown, and each adds to them";
    "elite-force/getservers/private-places", SHOULD, "001 4.1.1" =>
        "a server is full when all places but the private ones are taken";
    "elite-force/getservers/game-types", MUST, "001 4.1.1" =>
        "these words show servers that play so, and no others";
    "elite-force/getserversResponse/hex", MUST, "001 4.1.2" =>
        "behind the word and a blank stand a backslash and 12 hex digits for each server";
    "elite-force/getserversResponse/byte-order", MUST, "001 4.1.2" =>
        "the digits are those of address and port in network byte order";
    "elite-force/getserversResponse/end-mark", MUST, "001 4.1.2, 001 1.1.2" =>
        "each packet ends in a backslash and EOT";
    "elite-force/getserversResponse/once-each", MUST, "001 4.1.2" =>
        "a server is one record of the list";
    "elite-force/getserversResponse/whole-records", MUST, "001 4.1.2" =>
        "the list has a backslash and 12 hex digits for each of them, and nothing else before \
         \\EOT";
    "elite-force/getserversResponse/steady", SHOULD, "001 4.1.2" =>
        "a list holds the same servers each time while nothing changes";
    "elite-force/getserversResponse/all", MUST, "001 4.1.2, 001 1.1.2" =>
        "a list of many servers comes in as many packets as it needs";
    "elite-force/getserversResponse/packet-size", MUST, "001 4.1.2" =>
        "a packet has at most 97 servers and 1288 bytes";
    "elite-force/getserversResponse/no-empty-packet", MUST, "001 4.1.2, 001 1.1.2" =>
        "more packets are sent where there are more servers, not without any";
    "elite-force/heartbeat/asked", MUST, "001 4.2.9, 001 4.2.3" =>
        "the master asks a server for what it needs to answer clients";
    "elite-force/heartbeat/asked-each-time", MUST, "001 4.2.9, 001 4.2.3" =>
        "the master asks on every heartbeat";
    "elite-force/heartbeat/getstatus", SHOULD, "001 4.2.9, 001 4.2.3" =>
        "on every heartbeat the master sends getstatus";
    "elite-force/heartbeat/getchallenge", SHOULD, "001 4.2.9" =>
        "on every heartbeat the master sends getchallenge";
    "elite-force/heartbeat/names-port", MUST, "001 4.2.9" =>
        "the value of heartbeat is the port on which the server plays";
    "elite-force/heartbeat/other-game", SHOULD, "001 4.2.9" =>
        "a heartbeat names its game; a master of one game lists no server of another (no document \
         says so)";
    "elite-force/heartbeat/unanswered", MUST, "001 4.2.9" =>
        "the master asks a server for what it tells to clients; one that does not answer stands in \
         no list";
    "elite-force/heartbeat/new-state", MUST, "001 4.2.9" =>
        "the master gathers on every heartbeat what it needs to answer clients";
    "elite-force/timeout/kept", MUST, "001 4.2.9, 001 1.2.9" =>
        "heartbeats come every 300 seconds, and between them a server is listed";
    "elite-force/timeout/forgotten", SHOULD, "001 4.2.9, 001 1.2.9" =>
        "the master knows by heartbeats that a server is there";
    "elite-force/statusResponse/no-places", SHOULD, "004 3) infoResponse" =>
        "the number of places is not 0";
    "elite-force/statusResponse/places-missing", SHOULD, "001 4.1.1, 004 3) infoResponse" =>
        "whether a server is full is known by its places, and they have to be told";
    "elite-force/statusResponse/no-protocol", SHOULD, "001 4.1.1, 004 3) infoResponse" =>
        "servers are listed by their protocol, and one without stands in no list";
    "elite-force/heartstop/gone", MUST, "001 4.2.11" =>
        "heartstop is sent when a server shuts down";
    "elite-force/heartstop/nobody-else", MUST, "001 4.2.11" =>
        "heartstop tells of the server that sends it, on the port that it names";
    "elite-force/heartstop/back", MUST, "001 4.2.11, 001 4.2.9" =>
        "a heartbeat tells that a server is alive, also after a heartstop";
    "elite-force/challenge/wrong", SHOULD, "001 4.2.3, 001 4.2.4, 004 3) infoResponse" =>
        "the challenge in an answer shows that the server was asked";
    "elite-force/challenge/foreign", SHOULD, "001 4.2.3, 001 4.2.4, 004 3) infoResponse" =>
        "the challenge in an answer shows that this very server was asked";
    "elite-force/challenge/replayed", INFO, "001 4.2.3" =>
        "whether a challenge counts a second time stands in no document";
    "elite-force/challenge/stale", SHOULD, "001 4.2.3, 004 BEHAVIOUR" =>
        "a challenge is valid for a while (001 does not say for how long, 004 for a few seconds)";
    "elite-force/challenge/late-renewal", SHOULD, "001 4.2.3, 004 BEHAVIOUR" =>
        "a challenge is valid for a while, for listed servers too (001 does not say for how long)";
    "elite-force/challenge/any-case", SHOULD, "001 4.2.3, 001 4.2.4" =>
        "the answer has the challenge of the question, byte for byte";
    "elite-force/challenge/changes", SHOULD, "001 4.2.3, 004 2) getinfo" =>
        "a challenge cannot be guessed from those of other servers (no document says how it is \
         made)";
    "elite-force/motd/challenge", MUST, "001 4.1.5" =>
        "the challenge of the reply is that of the request";
    "elite-force/motd/text", MUST, "001 4.1.5" =>
        "the reply has the message as the value of motd, which is shown while the client loads";
    "elite-force/robust/stumps", MUST, "003 Appendix B" =>
        "malformed datagrams are to be expected; the master lists servers as before";
    "elite-force/robust/many-heartbeats", MUST, "003 Appendix B" =>
        "floods are to be expected; the master lists other servers as before";
    "elite-force/ports", Err("where the target listens is said on the command line"), "001 4" =>
        "servers play on UDP 27960, the master listens on UDP 27953, for messages of the day on \
         27951 and for keys on 27952";
    "elite-force/getKeyAuthorize", Err("nothing is said of an answer, nor of what becomes of the key"), "001 4.1.3" =>
        "a client sends getKeyAuthorize with its key";
    "elite-force/clients-and-servers", Err(OF_SERVERS), "001 4.2.1 to 4.2.8, 001 4.2.10" =>
        "clients ask servers with getinfo, getstatus, getchallenge and connect, and are answered";
};
