//! The requirements of the documents for masters of the Quake III family (documents 000, 001 and 004), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

const BETWEEN: &str = "it is between server and client, and no master hears it";
const NAMES: &str = "it is about names and addresses on the net, and not about messages";
const OF_CLIENTS: &str = "a client owes it; `check` looks at captures of clients";
const OF_SERVERS: &str = "a server owes it; `check` and `explain` look at captures of servers";

pub(super) static REQUIREMENTS: &[Requirement] = requirements! {
    "quake3/getservers/line-feed", MUST, "001 1.1.1" =>
        "a getservers with a protocol, filter words and a line feed is answered";
    "quake3/getservers/no-line-feed", MUST, "000 getservers, 004 4) getservers" =>
        "a getservers with a protocol and filter words is answered";
    "quake3/getservers/protocol", MUST, "001 1.1.1" =>
        "only servers of the requested protocol are listed";
    "quake3/getservers/neither", MUST, "001 1.1.1, 004 4) getservers" =>
        "without these words only servers that are neither empty nor full are listed";
    "quake3/getservers/empty", MUST, "001 1.1.1, 004 4) getservers" =>
        "the word empty adds servers without players, and no full ones";
    "quake3/getservers/full", MUST, "001 1.1.1, 004 4) getservers" =>
        "the word full adds servers without a free slot, and no empty ones";
    "quake3/getservers/empty-and-full", MUST, "001 1.1.1, 001 11.5" =>
        "with both words empty and full servers are listed too";
    "quake3/getservers/unknown-word", SHOULD, "dpmaster's, in no document" =>
        "a request with an unknown filter word is answered all the same";
    "quake3/getservers/demo", SHOULD, "001 1.1.1, 001 8.8" =>
        "the word demo adds demo servers, and takes none away";
    "quake3/getservers/ffa", SHOULD, "001 1.1.1" =>
        "the word ffa asks for servers where every player is on his own";
    "quake3/getservers/tourney", SHOULD, "001 1.1.1" =>
        "the word tourney asks for servers where one plays against one";
    "quake3/getservers/team", SHOULD, "001 1.1.1" => "the word team asks for servers with teams";
    "quake3/getservers/ctf", SHOULD, "001 1.1.1" =>
        "the word ctf asks for servers with capture the flag";
    "quake3/getservers/no-protocol", SHOULD, "000 getservers, 004 4) getservers" =>
        "a request has to hold a protocol; without one no server is listed, and the next request \
         is answered (that it is not answered at all is dpmaster's)";
    "quake3/getserversResponse/source", MUST, "001 1.1.2" =>
        "the answer comes from the address and port that was asked";
    "quake3/getserversResponse/records", MUST, "001 1.1.2, 000 getserversResponse, 004 5) getserversResponse" =>
        "a record is a backslash, four bytes of address and two of port, the most significant \
         first";
    "quake3/getserversResponse/backslash-in-address", MUST, "001 1.1.2, 000 getserversResponse" =>
        "records have a fixed length, whatever bytes they hold";
    "quake3/getserversResponse/doubles", MUST, "001 1.1.2" => "a list holds every server once";
    "quake3/getserversResponse/whole-records", MUST, "001 1.1.2, 000 getserversResponse, 004 5) getserversResponse" =>
        "between the command and the end mark there are records of seven bytes (over IPv6 of \
         nineteen), and nothing else";
    "quake3/getserversResponse/steady", MUST, "004 BEHAVIOUR" =>
        "a listed server is in every list until its time is over";
    "quake3/getserversResponse/kept", MUST, "001 1.2.9, 004 BEHAVIOUR" =>
        "a listed server stays in the list for minutes: its next heartbeat comes after 300 seconds";
    "quake3/getserversResponse/nobody", SHOULD, "001 1.1.2, 000 getserversResponse" =>
        "a list without servers is answered too, with its end mark (id's master and dpmaster do; \
         AlterWare's does not)";
    "quake3/getserversResponse/end-mark", MUST, "001 1.1.2, 000 getserversResponse, 004 5) getserversResponse" =>
        "a backslash and EOT end the list";
    "quake3/getserversResponse/split", MUST, "001 1.1.2, 000 getserversResponse" =>
        "the master sends several packets if there are too many servers for one";
    "quake3/getserversResponse/size", SHOULD, "000 getserversResponse" =>
        "no packet is larger than 1536 bytes, to avoid fragments";
    "quake3/getserversResponse/no-empty-packet", SHOULD, "001 1.1.2" =>
        "several packets are sent where the servers need them, and each holds some";
    "quake3/getserversResponse/packets", MUST, "001 1.1.2" =>
        "a packet holds 112 servers at most and 810 bytes, and ends in a backslash and EOT";
    "quake3/heartbeat/asked", MUST, "001 1.2.3, 001 1.2.9, 000 heartbeat, 004 BEHAVIOUR" =>
        "the master answers a heartbeat with getinfo or getstatus";
    "quake3/heartbeat/listed", MUST, "001 1.2.9, 000 heartbeat, 004 BEHAVIOUR" =>
        "a server that has answered is listed";
    "quake3/heartbeat/unanswered", MUST, "000 heartbeat, 004 BEHAVIOUR" =>
        "a server is not listed before it has answered";
    "quake3/heartbeat/unknown-tag", SHOULD, "000 heartbeat, and dpmaster's" =>
        "the tag of a heartbeat names the game; a master ignores tags that it does not know \
         (dpmaster does; 004 only says that this may come)";
    "quake3/heartbeat/full", MUST, "001 1.2.9, 000 heartbeat, 004 1) heartbeat" =>
        "servers send heartbeats when they become empty or full, and the master lists them by \
         their new state";
    "quake3/heartbeat/emptied", MUST, "000 heartbeat, 004 1) heartbeat" =>
        "a heartbeat is sent when a server becomes empty, and the master lists it by its new state";
    "quake3/heartbeat/shutdown", MUST, "001 1.2.9, 000 heartbeat" =>
        "a server that shuts down sends two heartbeats; the master detects it by the getinfo that \
         stays unanswered";
    "quake3/heartbeat/loopback", MUST, "000 getserversResponse" =>
        "clients pass over servers on loopback addresses; a master lists none";
    "quake3/infoResponse/no-gamename", MUST, "001 1.2.2, 004 3) infoResponse" =>
        "the key gamename is not needed from a Quake III server";
    "quake3/infoResponse/other-keys", MUST, "001 1.2.2" =>
        "servers of different versions send more or fewer keys";
    "quake3/getKeyAuthorize/no-answer", SHOULD, "001 1.1.3" =>
        "the authorize server does not reply";
    "quake3/getmotd/challenge", MUST, "001 1.1.4, 001 1.1.5" =>
        "the answer holds the challenge of the request";
    "quake3/getIpAuthorize/shown", SHOULD, "001 1.2.11, 001 1.2.12" =>
        "a client's address is authorized by a getKeyAuthorize with a valid key; the answer holds \
         the challenge";
    "quake3/getIpAuthorize/not-shown", MUST, "001 1.2.11, 001 8.4" =>
        "a client that has not shown a valid key is not authorized";
    "quake3/register/refused", MUST, "000 register" => "id's masters take no register";
    "quake3/getstatus/silent", INFO, "001 1.2.1, 001 1.2.3" =>
        "getinfo and getstatus are for servers";
    "quake3/robust/empty-datagram", MUST, "004 BEHAVIOUR" => "a master goes on whatever it is sent";
    "quake3/robust/many-heartbeats", MUST, "004 BEHAVIOUR" =>
        "a master is free from abuse, and answers the others";
    "quake3/robust/flood", SHOULD, "004 BEHAVIOUR" =>
        "a master answers nobody without bounds, for answers can be sent to others";
    "quake3/names", Err(NAMES), "001 1" =>
        "master, message of the day and authorize server have names and ports";
    "quake3/private-places", Err("a server counts them itself before it tells sv_maxclients"), "001 1.1.1" =>
        "private places count as taken when a server is full";
    "quake3/key", Err(OF_CLIENTS), "001 1.1.3" => "a key has 16 letters and digits";
    "quake3/getmotd", Err(OF_CLIENTS), "001 1.1.4" =>
        "getmotd holds version, renderer and challenge";
    "quake3/getinfo", Err(BETWEEN), "001 1.2.1" =>
        "a client asks a server with getinfo, which has no parameter";
    "quake3/statusResponse", Err(OF_SERVERS), "001 1.2.4" =>
        "statusResponse gives the challenge back, the server's settings and a line a player";
    "quake3/connect", Err(BETWEEN), "001 1.2.5 to 1.2.8" =>
        "clients get a challenge from a server and connect with it";
    "quake3/heartbeats", Err(OF_SERVERS), "001 1.2.9" =>
        "heartbeats are sent on every change of map, when players come and go, and every 300 \
         seconds";
    "quake3/print", Err("no document says when a master would"), "001 1.2.10" =>
        "a server or master has a client show a text with print";
    "quake3/ping", Err(BETWEEN), "001 1.2.13, 1.2.14" => "a server answers ping with disconnect";
    "dpmaster/getservers/game", MUST, "004 4) getservers" =>
        "a client names its game before the protocol, and gets that game's servers";
    "dpmaster/getservers/game-and-protocol", MUST, "004 4) getservers" =>
        "a request holds a protocol, and servers of that protocol are listed";
    "dpmaster/getservers/number-alone", SHOULD, "004 4) getservers" =>
        "all but Quake III's clients have to name their game; a number alone asks for Quake III's \
         servers";
    "dpmaster/getserversResponse/end-mark", MUST, "004 5) getserversResponse" =>
        "the list ends with EOT and three NUL; packets before the last have no end mark";
    "dpmaster/getserversResponse/size", SHOULD, "dpmaster's, in no document" =>
        "dpmaster's packets have 1400 bytes at most";
    "dpmaster/heartbeat/shutdown", SHOULD, "004 BEHAVIOUR" =>
        "two heartbeats at once do not take a server off the list";
    "dpmaster/heartbeat/asked", MUST, "004 2) getinfo, 004 BEHAVIOUR" =>
        "a heartbeat is answered by a getinfo with a challenge";
    "dpmaster/getinfo/characters", MUST, "004 2) getinfo" =>
        "a challenge has characters from 33 to 126, but not \\ / ; \" or %";
    "dpmaster/getinfo/length", SHOULD, "dpmaster's, in no document" =>
        "a challenge has 8 to 11 characters";
    "dpmaster/getinfo/fresh", MUST, "004 2) getinfo" =>
        "a challenge authenticates the infoResponse of one server, so another server gets another \
         challenge";
    "dpmaster/getinfo/unpredictable", MUST, "004 2) getinfo, 004 BEHAVIOUR" =>
        "an infoResponse is trusted for its challenge, so nobody can guess a challenge: it is not \
         constant, does not count or tell the time, and is not one of a few";
    "dpmaster/infoResponse/right", MUST, "004 3) infoResponse, 004 BEHAVIOUR" =>
        "a server whose infoResponse holds the right challenge is listed";
    "dpmaster/infoResponse/unanswered", MUST, "004 BEHAVIOUR" =>
        "until a server has answered, its address is sent to no client";
    "dpmaster/infoResponse/wrong", MUST, "004 3) infoResponse" =>
        "an infoResponse has to hold the challenge of the getinfo";
    "dpmaster/infoResponse/unasked", MUST, "004 3) infoResponse" =>
        "only an infoResponse that answers a getinfo counts";
    "dpmaster/infoResponse/foreign", MUST, "004 2) getinfo" =>
        "the challenge authenticates the answer of the server that it was sent to";
    "dpmaster/infoResponse/replayed", INFO, "dpmaster's, in no document" =>
        "no document says whether a challenge may be used twice; dpmaster takes it while it is \
         valid";
    "dpmaster/infoResponse/late", MUST, "004 BEHAVIOUR" =>
        "a server that has not answered in a couple of seconds is forgotten";
    "dpmaster/infoResponse/late-renewal", MUST, "004 BEHAVIOUR" =>
        "only a valid infoResponse counts, and a challenge is valid for a couple of seconds, \
         whether the server is listed or not";
    "dpmaster/infoResponse/not-prolonged", MUST, "004 BEHAVIOUR" =>
        "further heartbeats do not prolong the time in which a server has to answer";
    "dpmaster/timeout/kept-for-seconds", MUST, "004 BEHAVIOUR" =>
        "an infoResponse keeps a server listed for fifteen minutes";
    "dpmaster/timeout/forgotten", MUST, "004 BEHAVIOUR" =>
        "a server that sends no further answer is forgotten after fifteen minutes";
    "dpmaster/timeout/not-by-heartbeats", MUST, "004 BEHAVIOUR" =>
        "only another infoResponse with a valid challenge keeps a server listed for longer";
    "dpmaster/timeout/renewed", MUST, "004 BEHAVIOUR" =>
        "another infoResponse with a valid challenge keeps a server listed for longer";
    "dpmaster/infoResponse/protocol-missing", MUST, "004 3) infoResponse" =>
        "an infoResponse has to hold protocol";
    "dpmaster/infoResponse/sv-maxclients-missing", MUST, "004 3) infoResponse" =>
        "an infoResponse has to hold sv_maxclients";
    "dpmaster/infoResponse/clients-missing", MUST, "004 3) infoResponse" =>
        "an infoResponse has to hold clients";
    "dpmaster/infoResponse/gamename-missing", MUST, "004 3) infoResponse" =>
        "an infoResponse has to hold gamename, except for Quake III";
    "dpmaster/infoResponse/no-places", MUST, "004 3) infoResponse" => "sv_maxclients must not be 0";
    "dpmaster/infoResponse/no-numbers", INFO, "dpmaster's, in no document" =>
        "these values are numbers; no document says what becomes of others (dpmaster lists a \
         server whose value of clients is none, and no other)";
    "dpmaster/infoResponse/odd-protocols", INFO, "004 3) infoResponse" =>
        "no document says which numbers a protocol may have";
    "dpmaster/infoResponse/gamename-with-space", SHOULD, "dpmaster's; 004 4) getservers" =>
        "a blank ends the name in requests, so no name has one";
    "dpmaster/infoResponse/gamename-with-digit", INFO, "dpmaster's, in no document" =>
        "no document forbids it (dpmaster lists it)";
    "dpmaster/infoResponse/gamename-too-long", SHOULD, "dpmaster's, in no document" =>
        "a server is not listed by a name of more than 63 characters (dpmaster cuts it, and does \
         not answer a request for it)";
    "dpmaster/infoResponse/gamename-long", SHOULD, "dpmaster's, in no document" =>
        "a name has up to 63 characters";
    "dpmaster/limits/servers-of-an-address", SHOULD, "dpmaster's, in no document" =>
        "a master lists a limited number of servers of one address; dpmaster 32 by default";
    "dpmaster/getserversExt/game", SHOULD, "dpmaster's and ioquake3's, in no document" =>
        "a getserversExt is answered by a getserversExtResponse with the game's servers";
    "dpmaster/getserversExt/ipv4", SHOULD, "dpmaster's and ioquake3's, in no document" =>
        "the words ipv4 and ipv6 say which addresses are listed";
    "dpmaster/getserversExt/both-families", SHOULD, "dpmaster's and ioquake3's, in no document" =>
        "a record of an IPv6 address is a slash, sixteen bytes and the port";
    "dpmaster/getserversExt/no-game", INFO, "dpmaster's and ioquake3's, in no document" =>
        "no document says what that means (dpmaster does not answer)";
    "dpmaster/heartbeats", Err(OF_SERVERS), "004 1) heartbeat" =>
        "a server sends a heartbeat when it becomes empty or full, and every five to ten minutes";
    "dpmaster/tag", Err("the document says that this will change"), "004 1) heartbeat" =>
        "the tag is that of the protocol and not of the game, and is not checked for now";
    "q3master/getserversResponse/end-mark", MUST, "000 getserversResponse, 004 5) getserversResponse" =>
        "EOT and three NUL bytes follow the last backslash";
    "q3master/getserversResponse/old-end-mark", MUST, "000 getserversResponse" =>
        "for these protocols a backslash and a NUL end the packet";
    "q3master/register/no-response", MUST, "000 register" =>
        "the master that is told sends no response";
    "q3master/register/listed", MUST, "000 register" =>
        "a server can be registered at a master that it does not reach itself";
    "q3master/mark", Err("every case speaks so, and is answered so"), "000" =>
        "packets begin with four bytes FF, and all is UDP";
    "q3master/heartbeats", Err(OF_SERVERS), "000 heartbeat" =>
        "a server beats when it starts, stops, changes its map, and when its last player leaves";
    "q3master/several-packets", Err(OF_CLIENTS), "000 getserversResponse" =>
        "a client takes all packets that come in a while for one answer";
    "rtcw/getservers/listed", MUST, "001 8.8" =>
        "a request holds the protocol and the words empty, full and demo";
    "rtcw/getservers/empty-and-full", MUST, "001 8.8" =>
        "empty includes servers without players, full those that are full";
    "rtcw/heartbeat/listed", MUST, "001 8.1, 001 8.5, 000 heartbeat" =>
        "its heartbeats are Quake III's with the tag Wolfenstein-1; the infoResponse has the \
         challenge and the server's variables";
    "rtcw/heartbeat/unanswered", MUST, "000 heartbeat" =>
        "a server is not listed before it has answered";
    "rtcw/heartbeat/flatline", SHOULD, "001 8.1, 000 heartbeat" =>
        "servers send WolfFlatline-1 when they shut down, so that a master can take them off the \
         list (the documents do not say that it has to; dpmaster does not)";
    "rtcw/getmotd/challenge", MUST, "001 8.6, 001 8.7" =>
        "the answer holds the challenge and the message";
    "rtcw/getIpAuthorize/not-shown", MUST, "001 8.3, 001 8.4" =>
        "the answer is deny, with the reason INVALID_CDKEY";
    "rtcw/names", Err(NAMES), "001 8" =>
        "master, message of the day and authorize server have names and ports";
    "rtcw/challenge-number", Err("dpmaster lists such servers too, and its challenges are no numbers"), "001 8.2" =>
        "the challenge of a getinfo is a number of 32 bits, and need not be there";
    "enemy-territory/getservers/listed", MUST, "001 11.5, 001 11.6" =>
        "a request holds the protocol and the words full and empty, and is answered with records \
         and an end mark";
    "enemy-territory/heartbeat/listed", MUST, "000 heartbeat, 001 11.5, 001 11.7, 001 11.8" =>
        "its heartbeats have the tag EnemyTerritory-1; the infoResponse has the challenge and the \
         server's variables";
    "enemy-territory/heartbeat/flatline", SHOULD, "000 heartbeat" =>
        "servers send ETFlatline-1 when they shut down, so that a master can take them off the \
         list (the documents do not say that it has to; dpmaster does not)";
    "enemy-territory/getmotd/challenge", MUST, "001 11.3, 001 11.4" =>
        "the answer holds the challenge of the request";
    "enemy-territory/getUpdateInfo/answer", MUST, "001 11.1, 001 11.2" =>
        "a getUpdateInfo is answered by an updateResponse with a number";
    "enemy-territory/names", Err(NAMES), "001 11" =>
        "master, message of the day and update server have names and ports";
    "enemy-territory/connect", Err(BETWEEN), "001 11.9 to 11.11" =>
        "clients get a challenge from a server, or a text that it is full";
};
