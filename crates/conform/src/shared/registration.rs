//! Cases of registration with a challenge: a server sends a heartbeat, the master challenges it,
//! and it is listed when it has answered.

use std::time::Duration;

use super::challenge_quality::{self, beyond, known_timeout};
use super::list_order;
use crate::client::ListClient;
use crate::server::{ChallengeOf, TestRole, TestServer};
use crate::{Done, Failure, TestContext};
use simulate::families::RegisteringServer;

/// Servers whose challenges are compared.
const MANY: usize = challenge_quality::SAMPLES;
/// Seconds without a message after which a server must still be listed.
pub const QUIET: u32 = 7;

/// A new server's heartbeat is answered.
pub fn heartbeat_answered<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    TestServer::<R>::new(ctx)?.is_challenged()
}

/// So is each further one.
pub fn each_heartbeat_answered<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let server = TestServer::<R>::new(ctx)?;
    (0..3).try_for_each(|_| server.register())
}

/// The request has this length.
pub fn request_has_length<R: TestRole>(ctx: &TestContext<'_>, name: &str, length: usize) -> Done {
    let datagram = TestServer::<R>::new(ctx)?.challenged()?.datagram;
    if datagram.bytes.len() == length {
        return Ok(());
    }
    let failure = Failure::new(format!("{name} of {length} bytes"), datagram.named());
    let end = datagram.bytes.len();
    Err(failure.within(&datagram, length.min(end)..end))
}

/// The challenges of many servers are unpredictable.
pub fn challenges_unpredictable<R: TestRole>(ctx: &TestContext<'_>) -> Done
where
    ChallengeOf<R>: ToString,
{
    let many = MANY.min(ctx.most_servers(R::SERVICE)?);
    let servers = (0..many).map(|_| TestServer::<R>::new(ctx)).collect::<Result<Vec<_>, _>>()?;
    let requests = servers.iter().map(TestServer::challenged);
    let requests = requests.collect::<Result<Vec<_>, _>>()?;
    let text = |challenge: &ChallengeOf<R>| challenge.to_string().into_bytes();
    let texts: Vec<_> = requests.iter().map(|one| (text(&one.challenge), &one.datagram)).collect();
    challenge_quality::cannot_be_guessed(&texts)
}

/// A server that registers is listed.
pub fn registers<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    registered(ctx, &TestServer::<R>::new(ctx)?)
}

/// This server registers and is listed.
pub fn registered<R: TestRole>(ctx: &TestContext<'_>, server: &TestServer<'_, R>) -> Done {
    server.register()?;
    is_listed(ctx, server)
}

/// A registered server is listed. Where the list has its bytes, but not as a record, the list is at
/// fault, which another case tests.
pub fn is_listed<R: TestRole>(ctx: &TestContext<'_>, server: &TestServer<'_, R>) -> Done {
    let client = ListClient::<R>::new(ctx)?;
    let Err(failure) = client.wait_listed(server, server.list()) else { return Ok(()) };
    let listed = client.request(server.list());
    let is_there = listed.is_ok_and(|listed| listed.find_block(server.address()).is_some());
    Err(if is_there { failure.in_setup() } else { failure })
}

/// A server that was sent a challenge above the range of signed numbers answers without a sign, and
/// is listed.
pub fn unsigned_challenge<R: TestRole<Server: RegisteringServer<Challenge = u32>>>(
    ctx: &TestContext<'_>,
) -> Done {
    let client = ListClient::<R>::new(ctx)?;
    for _ in 0..MANY {
        let server = TestServer::<R>::new(ctx)?;
        let challenge = server.challenged()?.challenge;
        if challenge > i32::MAX.cast_unsigned() {
            server.answer(&challenge)?;
            return client.wait_listed(&server, server.list()).map(drop);
        }
    }
    Err(Failure::skipped(format!("{MANY} challenges are all below 2147483648")))
}

/// A server that sends this after the master's request is not listed.
pub fn refused<R: TestRole>(
    ctx: &TestContext<'_>,
    send: impl FnOnce(&TestServer<'_, R>, &ChallengeOf<R>) -> Done,
) -> Done {
    let (server, client) = (TestServer::<R>::new(ctx)?, ListClient::<R>::new(ctx)?);
    let request = server.challenged()?;
    send(&server, &request.challenge)?;
    client.expect_unlisted(&server, server.list())
}

/// A server that does not answer the master's request is in no list, `anywhere` included.
pub fn unanswered<R: TestRole>(ctx: &TestContext<'_>, anywhere: R::List<'_>) -> Done {
    let (server, client) = (TestServer::<R>::new(ctx)?, ListClient::<R>::new(ctx)?);
    server.challenged()?;
    client.expect_unlisted(&server, server.list())?;
    if !ctx.is_wide() {
        // Another case may have used its endpoint as a server.
        return Ok(());
    }
    client.expect_unlisted(&server, anywhere)
}

/// A server that sent no heartbeat sends answers to these challenges, and is not listed.
pub fn unasked<R: TestRole>(ctx: &TestContext<'_>, challenges: &[ChallengeOf<R>]) -> Done {
    let (server, client) = (TestServer::<R>::new(ctx)?, ListClient::<R>::new(ctx)?);
    challenges.iter().try_for_each(|challenge| server.answer(challenge))?;
    client.expect_unlisted(&server, server.list())
}

/// A server that returns the challenge of another one is not listed.
pub fn foreign_challenge<R: TestRole>(ctx: &TestContext<'_>) -> Done
where
    ChallengeOf<R>: PartialEq,
{
    let other = TestServer::<R>::new(ctx)?;
    refused::<R>(ctx, |server, own| {
        let foreign = other.challenged()?.challenge;
        if *own == foreign {
            return Err(Failure::skipped("both servers were sent the same challenge"));
        }
        server.answer(&foreign)
    })
}

/// Reports whether a listed server's second answer to a challenge counts: changed by `change`, it
/// is in the list of `list` only if it does.
pub fn replayed_challenge<'s, R: TestRole>(
    ctx: &'s TestContext<'_>,
    change: impl FnOnce(TestServer<'s, R>) -> TestServer<'s, R>,
    list: impl FnOnce(&TestServer<'s, R>, &ListClient<'s, R>) -> Done,
) -> Done {
    let (server, client) = (TestServer::<R>::new(ctx)?, ListClient::<R>::new(ctx)?);
    let request = server.challenged()?;
    server.answer(&request.challenge)?;
    ctx.setup(|| client.wait_listed(&server, server.list()))?;
    let server = change(server);
    server.answer(&request.challenge)?;
    ctx.sync(R::SERVICE)?;
    let counts = list(&server, &client).is_err();
    ctx.report(if counts { "it counts" } else { "it does not count" })
}

/// A server that answers after the challenge's time is not listed.
pub fn stale_challenge<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let timeout = known_timeout(ctx)?;
    refused::<R>(ctx, |server, challenge| {
        ctx.wait(beyond(timeout));
        server.answer(challenge)
    })
}

/// The same for a listed server that `change` changes: `list` checks that it counts as before.
pub fn late_renewal<'s, R: TestRole>(
    ctx: &'s TestContext<'_>,
    change: impl FnOnce(TestServer<'s, R>) -> TestServer<'s, R>,
    list: impl FnOnce(&TestServer<'s, R>, &ListClient<'s, R>) -> Done,
) -> Done {
    let timeout = known_timeout(ctx)?;
    let (server, client) = TestServer::<R>::listed(ctx)?;
    let request = server.challenged()?;
    ctx.wait(beyond(timeout));
    let server = change(server);
    server.answer(&request.challenge)?;
    ctx.sync(R::SERVICE)?;
    list(&server, &client)
}

/// A server stays listed for [`QUIET`] seconds without a message.
pub fn kept<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let quiet = Duration::from_secs(QUIET.into());
    challenge_quality::keeps_longer(ctx, quiet)?;
    let (server, client) = TestServer::<R>::listed(ctx)?;
    ctx.wait(quiet);
    client.list(server.list())?.expect_listed(&server)
}

/// A server without a message for `server-timeout` is not listed any more.
pub fn forgotten<R: TestRole>(ctx: &TestContext<'_>) -> Done {
    let (server, client) = TestServer::<R>::listed(ctx)?;
    ctx.wait(ctx.time("server-timeout")?);
    client.wait_unlisted(&server, server.list())
}

/// Reports whether this server is listed when it has registered.
pub fn note_listed<R: TestRole>(ctx: &TestContext<'_>, server: &TestServer<'_, R>) -> Done {
    ctx.setup(|| server.register())?;
    let listed = ListClient::<R>::new(ctx)?.list(server.list())?.has(server);
    ctx.report(if listed { "it is listed" } else { "it is not listed" })
}

/// After these datagrams of a client, servers' heartbeats are answered as before.
pub fn survives<R: TestRole>(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    super::malformed::survives(ctx, R::SERVICE, datagrams, || heartbeat_answered::<R>(ctx))
}

/// A trait: whether two servers are sent the same challenge.
pub fn challenges_of_two<R: TestRole>(ctx: &TestContext<'_>) -> Result<String, Failure>
where
    ChallengeOf<R>: PartialEq,
{
    let challenge = || Ok::<_, Failure>(TestServer::<R>::new(ctx)?.challenged()?.challenge);
    Ok(if challenge()? == challenge()? { "the same" } else { "two" }.to_owned())
}

/// A trait: whether a server's second heartbeat is answered with the same challenge.
pub fn second_challenge<R: TestRole>(ctx: &TestContext<'_>) -> Result<String, Failure>
where
    ChallengeOf<R>: PartialEq,
{
    let server = TestServer::<R>::new(ctx)?;
    let same = server.challenged()?.challenge == server.challenged()?.challenge;
    Ok(if same { "the first again" } else { "a new one" }.to_owned())
}

/// A trait: whether a request of a client is answered.
pub fn is_answered(
    ctx: &TestContext<'_>,
    service: &'static str,
    request: &[u8],
) -> Result<String, Failure> {
    let answers = ctx.client(service)?.request_all(request)?;
    Ok(if answers.is_empty() { "nothing" } else { "an answer" }.to_owned())
}

/// A trait: the order of lists. `new` makes servers that only such a list has.
pub fn order_of_lists<'s, R: TestRole>(
    ctx: &'s TestContext<'_>,
    new: impl Fn() -> Result<TestServer<'s, R>, Failure>,
) -> Result<String, Failure> {
    let client = ListClient::<R>::new(ctx)?;
    let mut servers = Vec::new();
    for _ in 0..list_order::FEW {
        let server = new()?;
        server.register()?;
        client.wait_listed(&server, server.list())?;
        servers.push(server);
    }
    let Some(last) = servers.last() else { return Ok(String::new()) };
    let listed = |_| Ok(client.request(last.list())?.servers().map(|(one, ..)| one).collect());
    let lists = (0..list_order::LISTS).map(listed).collect::<Result<Vec<_>, Failure>>()?;
    let registered: Vec<_> = servers.iter().map(|server| server.end.address()).collect();
    list_order::order_of(&registered, &lists)
}
