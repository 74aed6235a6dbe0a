//! Servers and clients of this master; both connect and log in.

use std::net::{IpAddr, SocketAddr};

use super::MASTER;
use crate::{Done, Failure, TestContext, TestStream};
use simulate::ServerInfo;
use simulate::families::unreal2::frames::{
    self, CLIENT, ListFrames, ListedUnrealServer, MasterFrame, SERVER, UnrealFilter,
    VERDICT_APPROVED, VERDICT_VERIFIED, VERSION,
};

/// The number behind the approval of a client of UT2004.
pub const APPROVAL: u32 = 3;
/// The version of UT2003.
pub const OLD_VERSION: u32 = 2225;
/// The program that clients of UT2003 log in as.
pub const OLD_CLIENT: &str = "CLIENT";
/// The first port of the servers of cases, and how many there are.
const PORTS: u16 = 20_000;
const MOST_PORTS: i64 = 40_000;
/// The protocol numbers of a case.
const NUMBERS: i64 = 100;

/// Whoever has connected to the master, and has received its challenge.
pub struct UnrealConnection<'s> {
    pub stream: TestStream<'s>,
    pub challenge: Vec<u8>,
}

/// A server that was approved.
pub struct UnrealServer<'s> {
    pub stream: TestStream<'s>,
    pub port: u16,
    pub info: ServerInfo,
}

impl<'s> UnrealConnection<'s> {
    /// Connects, and receives the challenge.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let mut stream = ctx.stream(MASTER)?;
        let what = "the master to speak first, with a frame that holds a challenge";
        let challenge = recv(&mut stream, what, |frame| match frame {
            MasterFrame::Challenge(challenge) => Some(challenge),
            _ => None,
        })?;
        Ok(Self { stream, challenge })
    }

    /// Logs in; returns the verdict and the number behind it.
    pub fn log_in(
        &mut self,
        program: &str,
        version: u32,
    ) -> Result<(Vec<u8>, Option<u32>), Failure> {
        self.stream.send_bytes(&frames::login(program, version))?;
        self.recv_verdict("a verdict on the login")
    }

    /// Receives a verdict.
    pub fn recv_verdict(&mut self, what: &str) -> Result<(Vec<u8>, Option<u32>), Failure> {
        recv(&mut self.stream, what, |frame| match frame {
            MasterFrame::Verdict(verdict, number) => Some((verdict, number)),
            _ => None,
        })
    }

    /// A client that was approved: the setup of a case.
    pub fn approved(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        ctx.setup(|| {
            let mut client = Self::new(ctx)?;
            expect_verdict(VERDICT_APPROVED, &client.log_in(CLIENT, VERSION)?)?;
            Ok(client)
        })
    }

    /// A client that was verified, and may ask: the setup of a case.
    pub fn verified(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        ctx.setup(|| {
            let mut client = Self::approved(ctx)?;
            client.verify()?;
            Ok(client)
        })
    }

    /// Answers its approval, and is verified.
    pub fn verify(&mut self) -> Done {
        self.stream.send_bytes(&frames::approved_response())?;
        expect_verdict(VERDICT_VERIFIED, &self.recv_verdict("VERDICT_VERIFIED")?)
    }

    /// Receives a list until it has all servers that its first frame says.
    pub fn recv_list(&mut self) -> Result<UnrealList, Failure> {
        let what = "a frame with the number of servers, and a frame for each";
        self.stream.expect(what, |bytes| {
            let (length, list) = UnrealList::parse_front(bytes)?;
            (list.servers.len() >= list.count as usize).then_some((length, list))
        })
    }
}

/// A verdict is the expected one.
pub fn expect_verdict(expected: &[u8], (verdict, _): &(Vec<u8>, Option<u32>)) -> Done {
    if verdict == expected {
        return Ok(());
    }
    Err(Failure::new(render::quoted(expected, 32), render::quoted(verdict, 32)))
}

/// The servers that fit filters.
pub fn list(ctx: &TestContext<'_>, filters: &[UnrealFilter<'_>]) -> Result<UnrealList, Failure> {
    let mut client = UnrealConnection::verified(ctx)?;
    client.stream.send_bytes(&frames::list_request(filters))?;
    client.recv_list()
}

/// Receives one frame.
pub fn recv<T>(
    stream: &mut TestStream<'_>,
    what: &str,
    take: impl Fn(MasterFrame) -> Option<T>,
) -> Result<T, Failure> {
    stream.expect(what, |bytes| {
        let (frame, length) = MasterFrame::split_off(bytes)?;
        Some((length, take(frame)?))
    })
}

impl<'s> UnrealServer<'s> {
    /// A server that has logged in and said how it is connected; skipped if the target is on IPv6.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Self::of_version(ctx, SERVER, VERSION)
    }

    /// The same for another program and version.
    pub fn of_version(
        ctx: &'s TestContext<'_>,
        program: &str,
        version: u32,
    ) -> Result<Self, Failure> {
        if !ctx.is_over_ipv4() {
            return Err(Failure::skipped("the records of these lists hold IPv4 addresses only"));
        }
        let mut connection = UnrealConnection::new(ctx)?;
        expect_verdict(VERDICT_APPROVED, &connection.log_in(program, version)?)?;
        let mut stream = connection.stream;
        stream.send_bytes(&frames::uplink())?;
        let number = ctx.own_protocol() / NUMBERS % MOST_PORTS;
        let mut port = PORTS + u16::try_from(number).unwrap_or_default();
        let [high, low] = port.to_be_bytes();
        if high == low {
            // A swap of its bytes would not show.
            port -= 1;
        }
        Ok(Self { stream, port, info: frames::server_info() })
    }

    /// A listed server with other settings: the setup of a case.
    pub fn listed(ctx: &'s TestContext<'_>, settings: &[(&str, &str)]) -> Result<Self, Failure> {
        ctx.setup(|| {
            let mut server = Self::new(ctx)?;
            for (key, value) in settings {
                server.info = server.info.clone().with(key, value);
            }
            server.send_heartbeat()?;
            server.wait_listed(ctx)?;
            Ok(server)
        })
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&mut self) -> Done {
        self.stream.send_bytes(&frames::heartbeat(self.port, &self.info))
    }

    /// A client finds it in a list within the timeout.
    pub fn wait_listed(&self, ctx: &TestContext<'_>) -> Done {
        ctx.until(|| list(ctx, &[])?.expect_listed(self))
    }

    /// Where it plays: at its own address, and the port that its heartbeat has.
    pub fn address(&self) -> SocketAddr {
        let ip: IpAddr = self.stream.address().ip();
        SocketAddr::new(ip, self.port)
    }
}

/// A list that a client has received.
pub struct UnrealList {
    /// How many servers the first frame says.
    pub count: u32,
    pub servers: Vec<ListedUnrealServer>,
}

impl UnrealList {
    /// The list at the beginning, and the length of its frames.
    pub fn parse_front(bytes: &[u8]) -> Option<(usize, Self)> {
        let (length, ListFrames { count, servers }) = ListFrames::split_off(bytes)?;
        Some((length, Self { count, servers }))
    }

    /// A listed server.
    pub fn find(&self, server: &UnrealServer<'_>) -> Option<&ListedUnrealServer> {
        self.servers.iter().find(|listed| listed.address == server.address())
    }

    /// How often a server is listed.
    pub fn times(&self, server: &UnrealServer<'_>) -> usize {
        self.servers.iter().filter(|listed| listed.address == server.address()).count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &UnrealServer<'_>) -> Done {
        if self.find(server).is_some() {
            return Ok(());
        }
        let what = format!("a list that holds {}", server.address());
        Err(Failure::new(
            what,
            if self.has_swapped(server) {
                "one with its port or address backwards".to_owned()
            } else {
                format!("one of {} servers without it", self.servers.len())
            },
        ))
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &UnrealServer<'_>) -> Done {
        if self.find(server).is_none() {
            return Ok(());
        }
        let what = format!("a list without {}", server.address());
        Err(Failure::new(what, "one that holds it"))
    }

    /// Whether a server is listed with the bytes of its port, its address or both backwards.
    pub fn has_swapped(&self, server: &UnrealServer<'_>) -> bool {
        let (ip, port) = (server.address().ip(), server.port);
        let back = match ip {
            IpAddr::V4(ip) => {
                let [a, b, c, d] = ip.octets();
                IpAddr::from([d, c, b, a])
            }
            IpAddr::V6(_) => ip,
        };
        let other = [(ip, port.swap_bytes()), (back, port), (back, port.swap_bytes())];
        self.servers
            .iter()
            .any(|listed| other.contains(&(listed.address.ip(), listed.address.port())))
    }
}
