//! The requirements of the documents for masters of QuakeWorld and HexenWorld (document 001, sections 6 and 7), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

const OF_SERVERS: &str = "it is about servers and clients; no master is sent it";
const TOLD: &str = "where the target listens is given on the command line";

/// The requirements for a game under its name, with its sections of the document.
macro_rules! of_game {
    ($game:literal, $must:ident, $too:literal) => {
        requirements! {
            concat!($game, "c/answered"), $must, concat!("001 6.3, 001 6.4", $too) =>
                "c asks the master for the list, and d is the reply";
            concat!($game, "c/from-a-server"), SHOULD, concat!("001 6.3", $too) =>
                "c asks the master for the list; the document has clients alone ask";
            concat!($game, "d/mark"), $must, concat!("001 6.4", $too) =>
                "the reply begins with bytes FF, a d and a line feed: four FF from QuakeWorld's masters, \
                 five from HexenWorld's";
            concat!($game, "d/whole-records"), $must, concat!("001 6.4", $too) =>
                "servers are blocks of 6 bytes with nothing between them";
            concat!($game, "d/byte-order"), $must, concat!("001 6.4", $too) =>
                "a block is 4 bytes of the address and 2 of the port, both in network byte order as in the \
                 hexdump";
            concat!($game, "d/all"), $must, concat!("001 6.4", $too) => "the servers are in the list";
            concat!($game, "d/once-each"), $must, concat!("001 6.4", $too) =>
                "each server is one block of the list";
            concat!($game, "d/unchanged"), $must, concat!("001 6.4", $too) =>
                "the servers are in each list";
            concat!($game, "d/other-games"), SHOULD, concat!("001 6.8", $too) =>
                "the list has servers that clients of the game can play on; in no document, true of \
                 QuakeForge's master";
            concat!($game, "k/no-heartbeat"), INFO, concat!("001 6.6, 001 6.8", $too) =>
                "it is not said whether a ping lists a server; uHexen2's and QuakeForge's masters of \
                 HexenWorld list it";
            concat!($game, "l/unanswered"), SHOULD, concat!("001 6.7", $too) =>
                "l is a reply: two programs that answer it never stop; in no document";
            concat!($game, "a/registers"), $must, concat!("001 6.8, 001 6.4", $too) =>
                "a is the heartbeat, and the servers are in the list";
            concat!($game, "a/without-ping"), INFO, concat!("001 6.6, 001 6.8", $too) =>
                "it is not said whether the ping or a heartbeat lists a server";
            concat!($game, "a/any-numbers"), SHOULD, concat!("001 6.8, the released sources", $too) =>
                "the document does not know what the numbers mean; servers count heartbeats and players, \
                 and no server should be missing for them";
            concat!($game, "a/again"), $must, concat!("001 6.8", $too) =>
                "each heartbeat tells of the same server";
            concat!($game, "a/reply"), INFO, concat!("001 6.8", $too) =>
                "the document does not say whether a heartbeat is answered";
            concat!($game, "a/kept"), $must, concat!("001 6.8, 300 seconds from the released sources", $too) =>
                "a heartbeat lists a server, and no server sends one every few seconds: all released ones \
                 do every 300 seconds";
            concat!($game, "timeout/kept"), SHOULD, concat!("001 6.8, 300 seconds from the released sources", $too) =>
                "servers send a heartbeat every 300 seconds";
            concat!($game, "timeout/renewed"), $must, concat!("001 6.8", $too) =>
                "each heartbeat tells that the server is still there";
            concat!($game, "timeout/forgotten"), SHOULD, concat!("001 6.8", $too) =>
                "heartbeats tell that a server is there; one that sends none for long should not be listed";
            concat!($game, "C/gone"), $must, concat!("001 6.9", $too) =>
                "C tells the master that the server shuts down";
            concat!($game, "C/nobody-else"), $must, concat!("001 6.9", $too) =>
                "C tells of the server that sends it, and of no other";
            concat!($game, "C/back"), $must, concat!("001 6.9, 001 6.8", $too) =>
                "a heartbeat tells that the server is there";
            concat!($game, "C/no-request"), $must, concat!("001 6.9, 001 6.3", $too) =>
                "c asks for the list; C tells that a server shuts down";
            concat!($game, "robust/stumps"), MUST, "003 Appendix B" =>
                "a master survives what hackers send";
            concat!($game, "robust/many-heartbeats"), MUST, "003 Appendix B" =>
                "a master survives what hackers send, floods too";
        }
    };
}

pub(super) static QUAKEWORLD: &[Requirement] = of_game!("quakeworld/", MUST, "");
pub(super) static QUAKEWORLD_ALONE: &[Requirement] = requirements! {
    "quakeworld/k/acknowledged", MUST, "001 6.6, 001 6.7" => "l is the reply to k";
    "quakeworld/k/again", INFO, "001 6.6" => "the document does not say how often a server sends k";
    "quakeworld/ports", Err(TOLD), "001 6" =>
        "the master listens on UDP 27000, servers play on UDP 27500";
    "quakeworld/status", Err(OF_SERVERS), "001 6.1, 001 6.2" =>
        "clients ask servers for their status, and n is the reply";
    "quakeworld/masters-ping", Err("it is not said when, and no master need do it; our servers reply where one does"), "001 6.5" =>
        "a master pings servers";
};
pub(super) static HEXENWORLD: &[Requirement] =
    of_game!("hexenworld/", SHOULD, ", 001 7, uHexen2's and QuakeForge's masters");
pub(super) static HEXENWORLD_ALONE: &[Requirement] = requirements! {
    "hexenworld/k/acknowledged", INFO, "001 6.6, 001 6.7, 001 7, uHexen2's and QuakeForge's masters" =>
        "QuakeWorld's masters reply with l; uHexen2's and QuakeForge's masters of HexenWorld do \
         not reply";
    "hexenworld/ports", Err(TOLD), "001 7" =>
        "the master listens on UDP 26900, servers play on UDP 26950";
};
