//! The requirements of the documents for masters of GameSpy and Unreal Tournament (documents 003, and 001, section 5), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

pub(super) static REQUIREMENTS: &[Requirement] = requirements! {
    "gamespy/heartbeat/asked", MUST, "003 Heartbeat, 003 Security" =>
        "the first heartbeat is answered, within a few seconds, with a basic query";
    "gamespy/heartbeat/query-port", MUST, "003 Heartbeat, 001 5.1" =>
        "the query goes to the port that the heartbeat names, for there the server answers";
    "gamespy/heartbeat/state-changed", MUST, "003 Heartbeat" =>
        "a heartbeat may say that the state has changed; the first one is treated so, whichever it \
         is";
    "gamespy/heartbeat/asked-again", MUST, "003 Heartbeat" =>
        "the master asks a server for its new state, as it did after the first heartbeat";
    "gamespy/heartbeat/exiting", MUST, "003 Heartbeat, 003 Appendix D" =>
        "a server whose gamemode is exiting is taken off the list";
    "gamespy/heartbeat/exiting-in-parts", SHOULD, "003 Replies (Server Info), 003 Heartbeat" =>
        "an answer may have several parts, and all of them count";
    "gamespy/heartbeat/silent", MUST, "003 Heartbeat, 003 Appendix D" =>
        "a server that is queried and does not answer is taken off the list";
    "gamespy/heartbeat/comes-back", MUST, "003 Heartbeat" =>
        "a server is off the list until another heartbeat is received";
    "gamespy/heartbeat/no-gamename", SHOULD, "003 Heartbeat" =>
        "the game's name is needed, for by it the master knows how to ask";
    "gamespy/heartbeat/blank-in-name", SHOULD, "003 Replies (Server Info)" =>
        "the game's name is one word without blanks";
    "gamespy/heartbeat/no-port", SHOULD, "003 Heartbeat" =>
        "the port is a number from 1025 to 65535";
    "gamespy/heartbeat/heretic2", MUST, "001 2.1.2, 003 Heartbeat" =>
        "Heretic 2 announces itself to GameSpy's master too";
    "gamespy/timeout/kept", MUST, "003 Appendix D" =>
        "a server is not removed long before the time is over";
    "gamespy/timeout/forgotten", MUST, "003 Appendix D" =>
        "a server that neither sends heartbeats nor answers is removed after some 12 minutes";
    "gamespy/secure/form", MUST, "003 Security" =>
        "the query has secure and a text behind it, which the server answers with the game's key";
    "gamespy/secure/characters", MUST, "003 Security, 003 Replies (Server Info)" =>
        "the challenge is text that prints, and has no backslash, for that parts keys and values";
    "gamespy/secure/challenge-differs", MUST, "003 Security, 003 Appendix B" =>
        "the challenge is random: it neither repeats nor counts up nor comes from a small set, so \
         that nobody can answer who did not receive the query";
    "gamespy/secure/no-longer-than-heartbeat", MUST, "003 Appendix B" =>
        "queries are no larger than the heartbeats that they answer, so that nobody can flood \
         others with them";
    "gamespy/echo/form", SHOULD, "003 Security" =>
        "where a game has no key, the query has echo and a text behind it";
    "gamespy/secure/right-proof", MUST, "003 Heartbeat, 003 Security" =>
        "a server that answers rightly is added to the list";
    "gamespy/secure/none", MUST, "003 Security, 003 Appendix B" =>
        "a server that does not answer rightly is not added to the list";
    "gamespy/secure/other-key", MUST, "003 Security, 003 Heartbeat" =>
        "the proof is made with the key of the game that the heartbeat names";
    "gamespy/secure/case-of-proof", MUST, "003 Security" =>
        "a proof is compared with case, as the text is that it is made of";
    "gamespy/secure/echoed", MUST, "003 Security" => "an echo is no proof where a game has a key";
    "gamespy/secure/unasked", MUST, "003 Appendix B" => "an answer without a query is none";
    "gamespy/secure/foreign-challenge", MUST, "003 Appendix B" =>
        "an answer is to the server's own challenge, so that nobody can answer who did not receive \
         it";
    "gamespy/secure/replayed", MUST, "003 Appendix B, 003 Heartbeat" =>
        "an answer is to the query that was asked, and counts once";
    "gamespy/secure/asked-anew", MUST, "003 Appendix B, 003 Heartbeat" =>
        "each query has a challenge of its own, so that an answer cannot be used again";
    "gamespy/secure/stale-challenge", SHOULD, "003 Heartbeat, 003 Appendix B" =>
        "an answer counts for a short while";
    "gamespy/secure/late-renewal", SHOULD, "003 Appendix B, 003 Appendix D" =>
        "an answer that comes too late does not keep a server on the list (inferred: 003 tells of \
         answers in time only)";
    "gamespy/secure/case-of-keys", SHOULD, "003 Appendix D" =>
        "the names of reserved keys are compared with case";
    "gamespy/secure/proof-last", MUST, "003 Appendix B" =>
        "validate may stand at the end of the answer, behind queryid, as in one of the document's \
         examples; in the other it stands before final";
    "gamespy/secure/two-parts", MUST, "003 Replies (Server Info)" =>
        "an answer may have as many packets as are needed, each numbered, the last marked";
    "gamespy/secure/disordered-parts", MUST, "003 Replies (Server Info)" =>
        "the packets of an answer may arrive in any order";
    "gamespy/echo/right", SHOULD, "003 Security" =>
        "where a game has no key, a server that sends the text back is validated";
    "gamespy/validate/master-speaks-first", MUST, "001 5.6" =>
        "the master speaks first: basic, secure and a challenge";
    "gamespy/validate/challenge-differs", SHOULD, "001 5.6, 003 Security" =>
        "the challenge is random: it neither repeats nor counts up nor comes from a small set, so \
         that no answer can be used again";
    "gamespy/validate/right-proof", MUST, "001 5.6" =>
        "the client sends its game's name and validate, then list, and receives the list";
    "gamespy/validate/no-proof", SHOULD, "001 5.6, 003 Security" =>
        "the list is for clients that prove themselves (inferred: the document shows no other)";
    "gamespy/validate/other-key", SHOULD, "001 5.6, 003 Security" =>
        "the proof is made with the key of the game that is named beside it";
    "gamespy/validate/case-of-proof", SHOULD, "001 5.6, 003 Security" =>
        "a proof is compared with case, as the text is that it is made of";
    "gamespy/validate/foreign-challenge", SHOULD, "001 5.6, 003 Security" =>
        "a challenge belongs to the connection on which it came";
    "gamespy/validate/single-bytes", MUST, "001 5.6" =>
        "TCP has no messages: a request is complete when its bytes are there, however they are cut";
    "gamespy/validate/does-not-wait-long", SHOULD, "001 5.6" =>
        "whoever is slow keeps nobody else from the list, and is served too";
    "gamespy/list/text", MUST, "001 5.6" =>
        "for each server stands ip and its address and port, and final behind the last";
    "gamespy/list/empty", MUST, "001 5.6" => "a list ends in final, an empty one too";
    "gamespy/list/other-game", MUST, "001 5.6" =>
        "the list holds the servers of the game that the request names";
    "gamespy/list/case-of-game", SHOULD, "003 Replies (Server Info)" =>
        "the names of games are compared with case";
    "gamespy/list/no-doubles", SHOULD, "001 5.6" => "each server stands in the list once";
    "gamespy/list/compressed", SHOULD, "001 5.6" =>
        "a list with cmp has an address and a port in network order for each server, and final \
         behind them (observed of 333networks and OpenSpy, in no document)";
    "gamespy/list/whole-records", SHOULD, "001 5.6" =>
        "a list with cmp has six bytes a server, and no more (observed of 333networks and OpenSpy, \
         in no document)";
    "gamespy/list/each-time", MUST, "003 Heartbeat, 003 Appendix D" =>
        "a server that is listed is in each list until it leaves or its time is over";
    "gamespy/list/stays", MUST, "003 Appendix D" =>
        "a server that is silent is removed after some 12 minutes, and not after seconds";
    "gamespy/list/end", INFO, "001 5.6" =>
        "whether the connection ends behind the list stands in no document";
    "gamespy/robust/cut-short", MUST, "003 Appendix B" =>
        "heartbeats are answered, whatever was said before";
    "gamespy/robust/long-values", MUST, "003 Appendix B, 003 Replies (Server Info)" =>
        "heartbeats are answered, whatever a server says of itself";
    "gamespy/robust/many-heartbeats", SHOULD, "003 Appendix B" =>
        "who says too much keeps nobody else from being datagram";
    "gamespy/robust/foreign-words", MUST, "003 Appendix B, 001 5.6" =>
        "lists are given, whatever other clients say";
    "gamespy/heartbeat-interval", Err("servers keep to it, no master can"), "003 Heartbeat" =>
        "servers send a heartbeat every five minutes, and when their game's mode changes";
    "gamespy/network", Err("how masters tell each other stands in no document"), "003 GameMaster Overview" =>
        "a network of masters shares what servers told one of them";
    "gamespy/queries", Err("servers do; no master answers queries"), "003 Queries" =>
        "servers answer basic, info, rules, players, status and echo";
    "gamespy/clients", Err("no master has a part in it"), "003 Launching, 003 Installation Notification, 003 Appendix A" =>
        "clients are launched, notice what is installed, and know locations";
    "gamespy/bandwidth", Err("it says that there is no defence"), "003 Appendix B" =>
        "a flood succeeds where its sender has more bandwidth than the master";
    "unreal-tournament/heartbeat/epic", MUST, "001 5.1" =>
        "the heartbeat has the port, gamename and gamever, and comes from another port";
    "unreal-tournament/heartbeat/gamespy", MUST, "001 5.1" =>
        "the heartbeat has the port and gamename, and comes from another port";
    "unreal-tournament/list/in-order", MUST, "001 5.6" =>
        "the master's challenge, the client's validate, its list request, and the list";
    "unreal-tournament/heartbeat-interval", Err("servers wait so long; 003 says five minutes"), "001 5.1" =>
        "60 seconds lie between two heartbeats";
    "unreal-tournament/queries", Err("no master has a part in it"), "001 5.2, 001 5.3, 001 5.4" =>
        "servers answer info, status and REPORTQUERY";
    "unreal-tournament/http", Err("only requests are documented, what has to come back is not"), "001 5.5" =>
        "clients fetch the message of the day and lists of masters over HTTP";
};
