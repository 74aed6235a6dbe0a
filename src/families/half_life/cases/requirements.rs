//! The requirements of the documents for masters of Half-Life (document 001, section 10), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

pub(super) static REQUIREMENTS: &[Requirement] = requirements! {
    "half-life/q/asked", MUST, "001 10.1, 001 10.2" => "the master answers a q with an s";
    "half-life/q/each-time", MUST, "001 10.1" =>
        "the master sends an s on every q that it receives";
    "half-life/s/form", MUST, "001 10.1" =>
        "an s is FF FF FF FF, the letter, a line feed and a number of 32 bits, 10 bytes";
    "half-life/s/challenge-differs", SHOULD, "001 10.1" =>
        "a challenge cannot be guessed from those of other servers (no document says how it is \
         made)";
    "half-life/0/right-challenge", MUST, "001 10.3, 001 10.1" =>
        "a 0 with the challenge in decimal is the reply to an s, and its server is listed";
    "half-life/0/document", SHOULD, "001 10.3" =>
        "the document's server has protocol 46; anzz1/hlmaster lists 47 and 48 only";
    "half-life/0/unsigned", SHOULD, "001 10.1, 001 10.3" =>
        "the challenge is a number of 32 bits; Xash3D's servers write it without a sign";
    "half-life/0/none", MUST, "001 10.1, 001 10.3" =>
        "the 0 tells what the server is; without one the master lists nobody";
    "half-life/0/unasked", MUST, "001 10.3" =>
        "a 0 is the reply to an s; without an s it lists nobody";
    "half-life/0/no-challenge", MUST, "001 10.3, 001 10.1" =>
        "the reply has the challenge of the s that it answers";
    "half-life/0/foreign-challenge", MUST, "001 10.3, 001 10.1" =>
        "the reply has the challenge that this very server was sent";
    "half-life/0/replayed-challenge", INFO, "001 10.1" =>
        "whether a challenge counts a second time stands in no document";
    "half-life/0/stale-challenge", SHOULD, "001 10.1" =>
        "a challenge is valid for a while (no document says for how long)";
    "half-life/0/late-renewal", SHOULD, "001 10.1" =>
        "a challenge is valid for a while, for listed servers too (no document says for how long)";
    "half-life/0/kept", MUST, "001 10.2" =>
        "servers send q every 300 seconds, and are listed in between";
    "half-life/0/new-state", SHOULD, "001 10.3" =>
        "the reply to the last s is what holds (no document says so)";
    "half-life/0/no-places", INFO, "001 10.3" =>
        "whether a server without places is listed stands in no document";
    "half-life/b/leaves", SHOULD, "001 10" =>
        "b says that a server goes (observed: servers send it, no document has it)";
    "half-life/e/listed", INFO, "001 10" =>
        "quakestat asks with e and a cursor; no document has it";
    "half-life/1/answered", SHOULD, "001 10" =>
        "1 asks for the servers of a region behind one of them, and f is the answer (observed)";
    "half-life/1/gamedir", SHOULD, "001 10" =>
        "the filter's gamedir leaves only that modification's servers in (observed)";
    "half-life/1/empty-and-full", SHOULD, "001 10" =>
        "the filter's empty=1 leaves empty servers out, full=1 full ones, and without them all are \
         listed (observed)";
    "half-life/f/byte-order", SHOULD, "001 10" =>
        "addresses and ports are in network order (observed)";
    "half-life/f/whole-records", SHOULD, "001 10" =>
        "the list has a record of six bytes for each of them and one of zeros, and nothing else \
         (observed)";
    "half-life/f/no-doubles", SHOULD, "001 10" => "each server stands in the list once (observed)";
    "half-life/f/steady", SHOULD, "001 10" =>
        "a list holds the same servers each time while nothing changes (observed)";
    "half-life/f/complete", SHOULD, "001 10" => "the last record of a list is all zeros (observed)";
    "half-life/f/goes-on", SHOULD, "001 10" =>
        "a packet that does not complete the list ends with a server, and the request that names \
         it is answered with those behind it (observed)";
    "half-life/robust/cut-short", MUST, "001 10.1" =>
        "every q is answered, whatever was sent before";
    "half-life/robust/long-values", MUST, "001 10.1, 001 10.3" =>
        "every q is answered, whatever a server says of itself";
    "half-life/robust/many-heartbeats", SHOULD, "001 10.1, 001 10.2" =>
        "every q is answered; a flood from one address keeps no other server away";
    "half-life/s-from-clients", Err("no master has a part in it"), "001 10.1" =>
        "clients ask servers with s too";
};
