//! `fragshark conform --server`: the target is a game server, or the simulated ones in memory.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::{anyhow, bail};

use super::target_args::{ConformTarget, TargetArgs};
use conform::servers::{SERVERS, TestedServer, keep_within_limits};
use conform::{Assumed, Profile, TargetEnv};
use query::{AnswerEnd, QueryClient, QuestionLimits, ServerInterview, TrafficRecorder};
use simulate::{MemoryNetwork, Network, ServerDefects, SimulatedServers, Target, TargetPair};

/// How long a server of each kind is waited for, where the kind is not known.
const TIME_OF_MANY: Duration = Duration::from_millis(500);

/// The first port of simulated servers.
const FIRST_PORT: u16 = 30_000;

/// The servers to test; without a target the simulated ones, which need no network.
pub(super) fn targets(at: &TargetArgs) -> anyhow::Result<Vec<ConformTarget>> {
    if at.target.is_empty() {
        return Ok(vec![ConformTarget { env: simulated(at)?, _running: None }]);
    }
    let target = |text: &String| {
        let target = TargetPair::find(text, None, at.consent())?.first().clone();
        let services = SERVERS.iter().map(TestedServer::service);
        let mut env = TargetEnv::new(target, services, Assumed::default())?;
        keep_within_limits(&mut env);
        env.timeout = at.timeout;
        Ok(ConformTarget { env, _running: None })
    };
    at.target.iter().map(target).collect()
}

/// The simulated servers of all kinds; kinds share documented ports, so these have others.
fn simulated(at: &TargetArgs) -> anyhow::Result<TargetEnv> {
    let (mut all, mut addresses) = (Vec::new(), Vec::new());
    for (server, port) in SERVERS.iter().zip(FIRST_PORT..) {
        all.push(server.simulated(port, ServerDefects::default()));
        addresses.push((server.service(), SocketAddr::from(([127, 0, 0, 1], port))));
    }
    let network = Network::Memory(MemoryNetwork::new(SimulatedServers(all)));
    let name = "the simulated servers";
    let mut env = TargetEnv::named_on_network(name, network, addresses, Assumed::default())?;
    keep_within_limits(&mut env);
    env.timeout = at.timeout;
    Ok(env)
}

/// Whether the target answers what clients ask: those of the named kind, or of any.
pub(super) fn answers(at: &TargetArgs) -> bool {
    let Some(profile) = &at.profile else { return identified(at).is_ok() };
    let Ok(profile) = profile.of_servers() else { return true };
    let named =
        |server: &&TestedServer| server.suite.profiles.iter().any(|of| of.name == profile.name);
    let Some(server) = SERVERS.iter().find(named) else { return true };
    let target = at.target.first().and_then(|text| TargetPair::find(text, None, at.consent()).ok());
    target.is_none_or(|target| is_answered(target.first(), server, TIME_OF_MANY).unwrap_or(false))
}

/// The kind of the target, by what it answers; none where the simulated servers are tested.
pub(super) fn identified(at: &TargetArgs) -> anyhow::Result<Option<&'static Profile>> {
    let text = match at.target.as_slice() {
        [] => return Ok(None),
        [only] => only,
        _ => bail!("several servers need --profile"),
    };
    let target = TargetPair::find(text, None, at.consent())?.first().clone();
    let (port, timeout) = (target.port(), at.timeout.min(TIME_OF_MANY));
    let (likely, others): (Vec<_>, Vec<_>) =
        SERVERS.iter().partition(|server| port.is_none_or(|port| port == server.kind.port()));
    // Without a port, each kind is asked at its own; then there are no others.
    for servers in [likely, others] {
        if let Some(server) = first_answered(&target, &servers, timeout)? {
            return Ok(server.suite.profiles.first());
        }
    }
    let names: Vec<_> = SERVERS.iter().flat_map(|server| server.suite.profiles).collect();
    let names: Vec<_> = names.iter().map(|profile| profile.name).collect();
    Err(anyhow!(
        "{text} does not answer what clients of any game ask; --profile says what it is: {}",
        names.join(", ")
    ))
}

/// The first of these kinds that the target answers. All are asked at once, unless there is a limit.
fn first_answered<'s>(
    target: &Target,
    servers: &[&'s TestedServer],
    timeout: Duration,
) -> anyhow::Result<Option<&'s TestedServer>> {
    let is_it = |server: &TestedServer| is_answered(target, server, timeout);
    let answered: Vec<anyhow::Result<bool>> = if target.limit().is_some() {
        servers.iter().map(|server| is_it(server)).collect()
    } else {
        thread::scope(|scope| {
            let asked: Vec<_> =
                servers.iter().map(|server| scope.spawn(move || is_it(server))).collect();
            let joined = asked.into_iter().map(thread::ScopedJoinHandle::join);
            joined.map(|one| one.unwrap_or_else(|_| Err(anyhow!("a thread ended badly")))).collect()
        })
    };
    for (server, is_answered) in servers.iter().zip(answered) {
        if is_answered? {
            return Ok(Some(server));
        }
    }
    Ok(None)
}

/// Whether the target answers the question for the state of this kind of server.
fn is_answered(target: &Target, server: &TestedServer, timeout: Duration) -> anyhow::Result<bool> {
    let port = target.port().unwrap_or_else(|| server.kind.port());
    let recorder = TrafficRecorder::new()?;
    let mut client = QueryClient::open(&target.with_port(port), &recorder)?;
    let limits = QuestionLimits { timeout, repeats: 0 };
    let mut interview = ServerInterview::new(server.kind.questions, &[], limits);
    client.lead(&mut interview)?;
    let outcome = interview.into_outcome();
    let end = outcome.state().and_then(|answer| answer.end);
    if end == Some(AnswerEnd::Unreachable) && target.port().is_some() {
        bail!("{}: nothing listens there", target.name());
    }
    Ok(end.is_some_and(AnswerEnd::is_answer))
}
