//! A master's lists, and how many servers are on them. Those of version 0.5 have records of IPv4
//! addresses alone.

use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{C2M, M2C, SERVERS};
use super::{command, request};
use codec::{AddrForm, Addrs, Endian::Big, Field, FieldRole, PLAIN_BIG6, PLAIN_LITTLE};
use protocol::{ExchangeKind, Spec};

pub(super) static COUNT: Field =
    Field::number("count", "how many servers the master lists").role(FieldRole::Count);

messages! {
    { head: u8, borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        request(p, letters, &mut self.head)
    }
    /// A client requests the list.
    ListRequest = b"req2", Spec::new(
        "req2", &["011 protocol.rs"], C2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffreq2",
    ).id("list-request").exchange(ExchangeKind::List);
    /// A client of version 0.5 requests the list.
    ListRequest5 = b"reqt", Spec::new(
        "reqt", &["011 protocol.rs"], C2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffreqt",
    ).id("list-request-5").exchange(ExchangeKind::List);
    /// A client asks how many servers there are.
    CountRequest = b"cou2", Spec::new(
        "cou2", &["011 protocol.rs"], C2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffcou2",
    ).id("count-request");
    /// The same of version 0.5.
    CountRequest5 = b"coun", Spec::new(
        "coun", &["011 mastersrv.cpp"], C2M, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffcoun",
    ).id("count-request-5");
}

messages! {
    { servers: Addrs<'a> }
    |self, p, value: (&'static [u8], AddrForm)| {
        command(p, value.0)?;
        p.view(&SERVERS, value.1, &mut self.servers)
    }
    /// A list; an IPv4 address is the end of an IPv6 address.
    List = (b"lis2", PLAIN_BIG6), Spec::new(
        "lis2", &["011 protocol.rs"], M2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfflis2\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\x02\x0a\x20\x6f",
    ).id("list").answers(&["list-request"]);
    /// A list for clients of version 0.5; the ports have the least significant byte first.
    List5 = (b"list", PLAIN_LITTLE), Spec::new(
        "list", &["011 mastersrv.cpp"], M2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfflist\xc0\0\x02\x0a\x6f\x20",
    ).id("list-5").answers(&["list-request-5"]);
}

messages! {
    { count: u16, borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        command(p, letters)?;
        p.int(&COUNT, Big, &mut self.count)
    }
    /// How many servers a master lists.
    Count = b"siz2", Spec::new(
        "siz2", &["011 protocol.rs"], M2C, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffsiz2\0\x0c",
    ).id("count").answers(&["count-request"]);
    /// The same for clients of version 0.5.
    Count5 = b"size", Spec::new(
        "size", &["011 mastersrv.cpp"], M2C, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffsize\0\x0c",
    ).id("count-5").answers(&["count-request-5"]);
}
