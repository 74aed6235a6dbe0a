//! Which kind of master a target is: from its port, else by asking.

use std::io;
use std::time::Duration;

use serde::Serialize;

use super::list_request::ListRequester;
use crate::families::{ListSelection, WatchMessages, watched};
use crate::simulate::{AddressPool, Pacer, Target};

/// How long each kind of request may take to be answered.
const PATIENCE: Duration = Duration::from_secs(1);

/// How the kind of a master is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KindSource {
    /// The user named the profile.
    Profile,
    /// Masters of no other kind have this port.
    Port,
    /// It answered a request of this kind.
    Asked,
}

/// The kinds that a port and an answer can tell.
fn candidates(port: Option<u16>) -> Vec<&'static WatchMessages> {
    let all = || watched().filter(|kind| !kind.is_variant);
    let of_port: Vec<_> = all().filter(|kind| Some(kind.port) == port).collect();
    if of_port.is_empty() { all().collect() } else { of_port }
}

/// The kind of a target; `None` if the port does not tell and it answers no request.
///
/// A target that has to be asked gets one request for a list of each kind, one after the other,
/// until it answers.
///
/// # Errors
/// If the target cannot be reached from here.
pub fn kind_of(
    target: &Target,
    selection: &ListSelection,
    timeout: Duration,
) -> io::Result<Option<(&'static WatchMessages, KindSource)>> {
    let candidates = candidates(target.port());
    if let [only] = candidates.as_slice() {
        return Ok(Some((*only, KindSource::Port)));
    }
    let (pacer, timeout) = (target.limit().map(Pacer::new), timeout.min(PATIENCE));
    let mut pool = AddressPool::near(target.clone())?;
    let host = pool.host()?;
    for kind in candidates {
        if kind.ipv4_only && target.is_ipv6() {
            continue;
        }
        let socket = pool.socket(host, 0)?;
        let master = target.at(kind.port);
        let pacer = pacer.as_ref();
        let requester = ListRequester { socket: &socket, kind, selection, master, timeout, pacer };
        if requester.request()?.is_some() {
            return Ok(Some((kind, KindSource::Asked)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_one_kind_need_no_question() {
        for (port, count) in
            [(27950, 1), (27900, 1), (27650, 1), (27010, 2), (1, candidates(None).len())]
        {
            assert_eq!(candidates(Some(port)).len(), count, "{port}");
        }
        assert!(candidates(None).len() > 5);
    }
}
