//! Cases of lists: byte order, servers that are listed twice, and lists that change.

use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{TestRole, TestServer};
use crate::{Done, Failure, TestContext};

/// How often a list is requested that has to stay the same.
const TIMES: usize = 6;

/// The port of a listed server is in the right byte order.
pub fn byte_order<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let (server, client) = (TestServer::<R>::new(ctx)?, ListClient::<R>::new(ctx)?);
    ctx.setup(|| server.register())?;
    let Err(failure) = client.wait_listed(&server, server.list()) else {
        return Ok(());
    };
    // Another case tests whether it is listed at all.
    let is_swapped = client.list(server.list())?.has_swapped(&server);
    Err(if is_swapped { failure } else { failure.in_setup() })
}

/// A server that registers twice is listed once.
pub fn once_each<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let (server, client) = TestServer::<R>::listed(ctx)?;
    ctx.setup(|| server.register())?;
    ctx.sync(R::SERVICE)?;
    client.list(server.list())?.expect_listed_once(&server)
}

/// These servers are in each list while nothing changes. Other clients' requests between those of
/// the client change nothing.
pub fn steady<R: TestRole>(
    ctx: &TestContext<'_>,
    servers: &[TestServer<'_, R>],
    list: R::List<'_>,
    request: impl Fn(&ListClient<'_, R>) -> Result<ReceivedList, Failure>,
) -> Done {
    let client = ListClient::<R>::new(ctx)?;
    let are_listed =
        |listed: &ReceivedList| servers.iter().try_for_each(|server| listed.expect_listed(server));
    ctx.setup(|| {
        servers.iter().try_for_each(TestServer::register)?;
        ctx.until(|| are_listed(&client.request(list)?))
    })?;
    let other = ListClient::<R>::new(ctx)?;
    for n in 0..TIMES {
        if n % 2 == 1 {
            other.send(list)?;
        }
        are_listed(&ctx.setup(|| request(&client))?)?;
    }
    Ok(())
}

/// Every packet of a list has servers.
pub fn expect_no_empty_packet(listed: &ReceivedList) -> Done {
    let mut packets = listed.packets.iter().zip(&listed.records);
    match packets.find(|(_, records)| records.servers.is_empty()) {
        Some((packet, _)) => Err(Failure::new("servers in every packet", "none").at(packet)),
        None => Ok(()),
    }
}
