//! How a server registers with a master: the master checks on both of the server's ports, from a
//! socket of its own, whether packets from outside arrive.

use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{M2S, S2M};
use super::{PORT, command};
use codec::Endian::Big;
use protocol::{ExchangeKind, Refusal, Spec};

messages! {
    { port: u16, borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        command(p, letters)?;
        p.int(&PORT, Big, &mut self.port)
    }
    /// A server's heartbeat, with its port behind a router.
    Heartbeat = b"bea2", Spec::new(
        "bea2", &["011 mastersrv.cpp"], S2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffbea2\x20\x6f",
    ).id("heartbeat").exchange(ExchangeKind::Registration);
    /// The same of version 0.5.
    Heartbeat5 = b"beat", Spec::new(
        "beat", &["011 mastersrv.cpp"], S2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffbeat\x20\x6f",
    ).id("heartbeat-5").exchange(ExchangeKind::Registration);
}

messages! {
    { borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        command(p, letters)
    }
    /// A master checks whether a server can be reached; it comes from the port above its own.
    Check = b"fw??", Spec::new(
        "fwcheck", &["011 mastersrv.cpp"], M2S, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfffw??",
    ).id("check").answers(&["heartbeat", "heartbeat-5"]);
    /// A server has received the check.
    CheckResponse = b"fw!!", Spec::new(
        "fwresponse", &["011 mastersrv.cpp"], S2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfffw!!",
    ).id("check-response").answers(&["check"]);
    /// A master has listed the server.
    Listed = b"fwok", Spec::new(
        "fwok", &["011 mastersrv.cpp"], M2S, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfffwok",
    ).id("listed").answers(&["check-response", "heartbeat", "heartbeat-5"]);
    /// A master could not reach the server, and does not list it.
    NotListed = b"fwer", Spec::new(
        "fwer", &["011 mastersrv.cpp"], M2S, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfffwer",
    ).id("not-listed").answers(&["heartbeat", "heartbeat-5"]).refusal(Refusal::Always);
}
