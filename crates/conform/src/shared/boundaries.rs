//! Cases of what every list has: addresses whose bytes look like something else, several servers of
//! one address, and answers that are missing now and then.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::client::ListClient;
use crate::list::{Addressed, ReceivedList};
use crate::server::{TestRole, TestServer};
use crate::{Done, Failure, TestContext, TestEndpoint};

/// Clients that ask for the same, and how often all of them ask together.
const CLIENTS: usize = 8;
const ASKS: usize = 256;
/// How many rounds of one client alone: a request that shows what the target has read comes between
/// two of them, so that an answer that is missing each second time is not always that one's.
const ROUNDS: usize = 7;
/// Servers of one address, whose ports differ in one byte, and in the other.
const BESIDE: usize = 3;
const ONE_MACHINE: &[([u8; 4], u16)] =
    &[([127, ANY, 5, 6], 0x6d6e), ([127, ANY, 5, 6], 0x6d6f), ([127, ANY, 5, 6], 0x6e6e)];
/// Addresses that differ in one byte, with one port.
pub const ONE_PORT: &[([u8; 4], u16)] =
    &[([127, ANY, 6, 7], 0x6d6e), ([127, ANY, 6, 8], 0x6d6e), ([127, ANY, 7, 7], 0x6d6e)];

/// The first byte that stands for [`TestContext::first_byte`].
const LOOPBACK: u8 = 127;
/// The second byte of [`ODD`] addresses stands for any, so that several runs have their own.
const ANY: u8 = 0;
/// How many are tried.
const TRIES: u8 = 40;

/// Addresses and ports of loopback: backslashes, end marks (`\\EOT`, `EOT` and NUL), zeros, line
/// feeds, slashes, blanks, the first bytes of datagrams (FF), and both sides of 128 and 32768.
pub const ODD: &[([u8; 4], u16)] = &[
    ([127, ANY, 92, 92], 0x5c5c),
    ([127, ANY, 92, 69], 0x4f54),
    ([127, ANY, 69, 79], 0x5400),
    ([127, ANY, 0, 1], 0x0800),
    ([127, ANY, 13, 10], 0x0a0d),
    ([127, ANY, 47, 47], 0x2f2f),
    ([127, ANY, 32, 32], 0x2020),
    ([127, ANY, 255, 255], 0xffff),
    ([127, ANY, 127, 255], 0x7fff),
    ([127, ANY, 128, 128], 0x8000),
];
/// Addresses of other networks, with bytes above 127.
pub const HIGH: &[([u8; 4], u16)] = &[
    ([10, 255, 254, 253], 27_961),
    ([128, 0, 0, 1], 0x8001),
    ([172, 16, 92, 69], 0x4f54),
    ([192, 168, 0, 255], 27_960),
    ([200, 92, 69, 79], 0x5400),
    ([223, 255, 255, 254], 0xfffe),
];

/// A server at each of these addresses, as far as this machine has it.
pub fn servers_at<'s>(
    ctx: &'s TestContext<'_>,
    service: &str,
    addresses: &[([u8; 4], u16)],
) -> Result<Vec<TestEndpoint<'s>>, Failure> {
    if !ctx.is_over_ipv4() || !ctx.is_on_loopback() {
        let why = "these servers have IPv4 addresses of this machine, which reach no other target";
        return Err(Failure::skipped(why));
    }
    let address = |(ip, port): &([u8; 4], u16)| SocketAddr::from((Ipv4Addr::from(*ip), *port));
    let mut ends = Vec::new();
    for ([first, second, third, fourth], port) in addresses {
        let first = if *first == LOOPBACK { ctx.first_byte() } else { *first };
        let seconds = if *second == ANY { ctx.own_bytes(TRIES) } else { vec![*second] };
        for second in seconds {
            let at = address(&([first, second, *third, *fourth], *port));
            if let Some(end) = ctx.server_on(service, at)? {
                ends.push(end);
                break;
            }
        }
    }
    if ends.is_empty() {
        let first = addresses.first().map(address);
        let first = first.map(|at| at.ip().to_string()).unwrap_or_default();
        let why = format!(
            "this machine has none of the addresses {first} and so on; --namespace has them"
        );
        return Err(Failure::skipped(why));
    }
    Ok(ends)
}

/// A server that registers and is listed, of any family.
pub trait BoundaryServer<'s>: Addressed + Sized {
    /// The service to which it registers.
    const SERVICE: &'static str;
    /// Whether the target makes its list every few seconds alone.
    const IS_LISTED_LATE: bool = false;

    /// A server at this endpoint.
    fn at(end: TestEndpoint<'s>) -> Self;

    /// Its endpoint.
    fn end(&self) -> &TestEndpoint<'s>;

    /// Sends a heartbeat, and answers what the target asks.
    fn register(&self) -> Done;

    /// All of these do so; at the same time, where the target takes its time to ask.
    fn register_all(servers: &[Self]) -> Done {
        servers.iter().try_for_each(Self::register)
    }

    /// Repeats a list request until the server is listed; it is listed once.
    fn wait_listed_once(&self) -> Done;
}

impl<'s, R: TestRole> BoundaryServer<'s> for TestServer<'s, R> {
    const SERVICE: &'static str = R::SERVICE;

    fn at(end: TestEndpoint<'s>) -> Self {
        Self::at(end)
    }

    fn end(&self) -> &TestEndpoint<'s> {
        &self.end
    }

    fn register(&self) -> Done {
        self.register()
    }

    fn wait_listed_once(&self) -> Done {
        let client = ListClient::<R>::new(self.end.ctx())?;
        client.wait_listed(self, self.list())?.expect_listed_once(self)
    }
}

/// Servers at these addresses are listed, each once.
pub fn listed_at<'s, S: BoundaryServer<'s>>(
    ctx: &'s TestContext<'_>,
    addresses: &[([u8; 4], u16)],
) -> Done {
    let servers: Vec<S> = servers_at(ctx, S::SERVICE, addresses)?.into_iter().map(S::at).collect();
    // A master that makes a new list every few seconds has all of them on the next one.
    ctx.setup(|| S::register_all(&servers))?;
    servers.iter().try_for_each(|server| {
        server.wait_listed_once().map_err(|failure| with_bytes(failure, server.address()))
    })
}

/// The failure, with the bytes of the address that are looked for.
pub fn with_bytes(failure: Failure, address: SocketAddr) -> Failure {
    let IpAddr::V4(ip) = address.ip() else { return failure };
    let [a, b, c, d] = ip.octets();
    let [high, low] = address.port().to_be_bytes();
    let bytes = format!("{a:02x} {b:02x} {c:02x} {d:02x} {high:02x} {low:02x}");
    Failure { expected: format!("{} (the bytes {bytes})", failure.expected), ..failure }
}

/// Several servers of one address are listed, each by its port, and stay listed when one of them
/// registers again.
pub fn of_one_machine<'s, S: BoundaryServer<'s>>(ctx: &'s TestContext<'_>) -> Done {
    let mut servers: Vec<S> = match servers_at(ctx, S::SERVICE, ONE_MACHINE) {
        Ok(ends) if ctx.is_wide() => ends.into_iter().map(S::at).collect(),
        _ => vec![S::at(ctx.server(S::SERVICE)?)],
    };
    for _ in servers.len()..BESIDE {
        let Some(first) = servers.first() else { return Ok(()) };
        let server = S::at(ctx.server_beside(S::SERVICE, first.end())?);
        servers.push(server);
    }
    match servers.split_first() {
        // The first has to register anywhere; that the others do too is what the case is about.
        Some((first, others)) if ctx.is_wide() && !S::IS_LISTED_LATE => {
            ctx.setup(|| first.register())?;
            S::register_all(others).map_err(|failure| Failure {
                expected: format!("{} ({BESIDE} servers of one address)", failure.expected),
                ..failure
            })?;
        }
        // Where all servers share an address, other cases may have registered as many as it may have.
        _ => ctx.setup(|| S::register_all(&servers))?,
    }
    if !S::IS_LISTED_LATE {
        servers.iter().try_for_each(S::wait_listed_once)?;
    }
    if let Some(first) = servers.first() {
        ctx.setup(|| first.register())?;
    }
    ctx.sync(S::SERVICE)?;
    servers.iter().try_for_each(S::wait_listed_once)
}

/// Every one of many requests is answered, although none is sent twice; `read` finds the servers of
/// an answer, which have to be the same each time, as far as they are of `servers`.
pub fn answered_each_time<A: Addressed>(
    ctx: &TestContext<'_>,
    service: &str,
    request: &[u8],
    servers: &[A],
    read: impl Fn(&[u8]) -> Option<simulate::PacketRecords>,
) -> Done {
    let clients = if ctx.is_wide() { CLIENTS } else { 1 };
    let clients = (0..clients).map(|_| ctx.client(service)).collect::<Result<Vec<_>, _>>()?;
    let what = format!("an answer to each of {ASKS} requests");
    let ends: Vec<_> = clients.iter().collect();
    for n in 0..ASKS / clients.len() {
        if n % ROUNDS == 0 {
            ctx.sync(service)?;
        }
        for (nth, packets) in TestEndpoint::request_each_once(&ends, &what, request)? {
            let Some(client) = clients.get(nth) else { break };
            let listed = ReceivedList::from_packets(client, packets, &read)?;
            let missing = servers.iter().find(|server| !listed.has(server));
            if let Some(server) = missing {
                let failure = listed.without(server);
                let asked = n * clients.len() + nth + 1;
                let came = format!("{} for request {asked} of {ASKS}", failure.came);
                return Err(Failure { came, ..failure });
            }
        }
    }
    Ok(())
}

/// The same for the list of a few servers that have registered.
pub fn list_answered_each_time<R: TestRole>(
    ctx: &TestContext<'_>,
    servers: &[TestServer<'_, R>],
    list: R::List<'_>,
) -> Done {
    let client = ListClient::<R>::new(ctx)?;
    ctx.setup(|| {
        servers.iter().try_for_each(TestServer::register)?;
        servers.iter().try_for_each(|server| client.wait_listed(server, list).map(drop))
    })?;
    let request = client.encode(list);
    answered_each_time(ctx, R::SERVICE, &request, servers, R::read_list_packet)
}

/// The same for the list of one server.
pub fn one_listed_each_time<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let server = TestServer::<R>::new(ctx)?;
    let list = server.list();
    list_answered_each_time(ctx, std::slice::from_ref(&server), list)
}

/// The rows of these cases for a family whose servers are of a type; `section` begins the ids of its
/// cases of lists, of which two have the requirements. The case of many requests needs a request that
/// is one datagram, and says what runs it.
macro_rules! boundary_cases {
    ($section:literal; $order:literal, $once:literal; $server:ty, $listed:expr $(; $each_time:expr)?) => {{
        use $crate::shared::boundaries;

        static BOUNDARIES: &[$crate::Case] = &[
            $crate::Case {
                id: concat!($section, "odd-addresses"),
                title: "servers register whose addresses and ports look like separators and end \
                        marks",
                requires: concat!($section, $order),
                run: |ctx| boundaries::listed_at::<$server>(ctx, boundaries::ODD),
                ..$listed
            },
            $crate::Case {
                id: concat!($section, "high-addresses"),
                title: "servers register whose addresses have bytes above 127",
                requires: concat!($section, $order),
                run: |ctx| boundaries::listed_at::<$server>(ctx, boundaries::HIGH),
                ..$listed
            },
            $crate::Case {
                id: concat!($section, "one-port"),
                title: "servers of one port register whose addresses differ in one byte",
                requires: concat!($section, $once),
                run: |ctx| boundaries::listed_at::<$server>(ctx, boundaries::ONE_PORT),
                ..$listed
            },
            $crate::Case {
                id: concat!($section, "one-machine"),
                title: "three servers of one address register, and one of them again",
                requires: concat!($section, $once),
                run: |ctx| boundaries::of_one_machine::<$server>(ctx),
                ..$listed
            },
            $($crate::Case {
                id: concat!($section, "each-time"),
                title: "clients ask many times for a list with a server, and send no request twice",
                requires: concat!($section, "steady"),
                exclusive: true,
                run: $each_time,
                ..$listed
            },)?
        ];
        BOUNDARIES
    }};
}
pub(crate) use boundary_cases;
