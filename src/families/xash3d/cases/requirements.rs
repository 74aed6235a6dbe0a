//! The requirements of the documents for masters of Xash3D (document 001, section 10, and FWGS/xash3d-master), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

/// The source of a requirement that no document has.
const OBSERVED: &str = "xash3d-master's, in no document";

pub(super) static REQUIREMENTS: &[Requirement] = requirements! {
    "xash3d/q/asked", MUST, "001 10.1, 001 10.2" => "the master answers a q with an s";
    "xash3d/q/each-time", MUST, "001 10.1" => "the master sends an s on every q that it receives";
    "xash3d/q/without-challenge", SHOULD, OBSERVED =>
        "q FF without a challenge is answered by an s with the master's challenge alone";
    "xash3d/s/server-challenge", SHOULD, OBSERVED =>
        "the s ends with the server's own challenge; the engine ignores any other s";
    "xash3d/s/form", SHOULD, OBSERVED =>
        "an s is FF FF FF FF, the letter, a line feed and two numbers of 32 bits, 14 bytes";
    "xash3d/s/challenge-differs", SHOULD, OBSERVED =>
        "a challenge cannot be guessed from those of other servers (no document says how it is \
         made)";
    "xash3d/0/right-challenge", MUST, "001 10.3, 001 10.1" =>
        "a 0 with the challenge in decimal is the reply to an s, and its server is listed";
    "xash3d/0/unsigned", MUST, "001 10.1, 001 10.3" =>
        "the challenge is a number of 32 bits; servers write it without a sign";
    "xash3d/0/line-feed", SHOULD, "001 10.3" =>
        "the document's 0 ends in a line feed, that of Xash3D's servers does not; both are taken";
    "xash3d/0/none", MUST, "001 10.1, 001 10.3" =>
        "the 0 tells what the server is; without one the master lists nobody";
    "xash3d/0/unasked", MUST, "001 10.3" =>
        "a 0 is the reply to an s; without an s it lists nobody";
    "xash3d/0/no-challenge", MUST, "001 10.3, 001 10.1" =>
        "the reply has the challenge of the s that it answers";
    "xash3d/0/foreign-challenge", MUST, "001 10.3, 001 10.1" =>
        "the reply has the challenge that this very server was sent";
    "xash3d/0/replayed-challenge", INFO, OBSERVED =>
        "whether a challenge counts a second time stands in no document";
    "xash3d/0/stale-challenge", SHOULD, OBSERVED =>
        "a challenge is valid for a while: 10 seconds in 0.2, up to 120 in later versions";
    "xash3d/0/late-renewal", SHOULD, OBSERVED =>
        "a challenge is valid for a while, for listed servers too";
    "xash3d/0/kept", MUST, "001 10.2" =>
        "servers send q every 300 seconds, and are listed in between";
    "xash3d/0/forgotten", SHOULD, OBSERVED =>
        "a server that sends no q is listed no more: after 300 seconds by default";
    "xash3d/0/new-state", SHOULD, OBSERVED => "the reply to the last s is what holds";
    "xash3d/b/leaves", INFO, OBSERVED =>
        "xash3d-master knows b and ignores it; other masters take the server off";
    "xash3d/1/gamedir", SHOULD, OBSERVED =>
        "the filter's gamedir leaves only that modification's servers in";
    "xash3d/1/final-nul", SHOULD, OBSERVED =>
        "the engine sends no NUL behind the filter, other clients do; both are answered";
    "xash3d/1/empty-list", INFO, OBSERVED =>
        "xash3d-master 0.2 says nothing, later versions send a list of zeros alone";
    "xash3d/1/old-client", INFO, OBSERVED =>
        "a client under the configured version is sent a made-up server, whose map and title ask \
         for an update";
    "xash3d/f/key", SHOULD, OBSERVED =>
        "each packet of a list begins with 7F, the key of its request in four bytes, \
         little-endian, and 08";
    "xash3d/f/no-key", SHOULD, OBSERVED =>
        "a list that is asked for without a key begins with its records";
    "xash3d/f/family", SHOULD, OBSERVED =>
        "over IPv4 a record is 4 bytes of address and 2 of port, over IPv6 16 and 2";
    "xash3d/f/byte-order", SHOULD, OBSERVED => "addresses and ports are in network order";
    "xash3d/f/whole-records", SHOULD, OBSERVED =>
        "the list is a record for each of them and one of zeros, and nothing else";
    "xash3d/f/zero-record", SHOULD, OBSERVED =>
        "the last record of each packet is all zeros, and no other is";
    "xash3d/f/no-doubles", SHOULD, OBSERVED => "each server stands in the list once";
    "xash3d/f/steady", SHOULD, OBSERVED =>
        "a list holds the same servers each time while nothing changes";
    "xash3d/f/several-packets", SHOULD, OBSERVED =>
        "a list of many servers comes in as many packets as it needs, 512 bytes each";
    "xash3d/robust/cut-short", MUST, "001 10.1" => "every q is answered, whatever was sent before";
    "xash3d/robust/long-values", MUST, "001 10.1, 001 10.3" =>
        "every q is answered, whatever a server says of itself";
    "xash3d/robust/many-heartbeats", SHOULD, "001 10.1, 001 10.2" =>
        "every q is answered; a flood from one address keeps no other server away";
};
