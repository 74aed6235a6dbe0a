//! How often a server is asked: never more than it answers, so that silence is no limit.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::Duration;

use super::env::TargetEnv;
use simulate::{AnswerCounter, AnswerLimits};

/// Stands for the address that all endpoints share, whichever that is.
const SHARED: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

impl TargetEnv {
    /// From now on, asks a service a little less than it answers by these limits.
    pub fn keep_within(&mut self, service: &'static str, limits: AnswerLimits) {
        let mut counter = AnswerCounter::of_client(limits);
        // An earlier run may have just used all answers, those to all addresses together and those to the
        // address that its endpoints shared with ours.
        counter.use_all(Duration::ZERO, SHARED);
        self.answers_of_servers.push((service, Mutex::new(counter)));
    }

    /// Waits until a server may give one more answer to an address of ours.
    pub(super) fn wait_for_answer(&self, service: &str, from: IpAddr) {
        let from = self.counted(from);
        while let Some(Err(wait)) = self.count(service, |counter, now| counter.take(now, from)) {
            self.network.sleep(wait);
        }
    }

    /// Waits until a server may give as many answers as it ever does at once, to an address of ours.
    pub(super) fn wait_for_all_answers(&self, service: &str, from: IpAddr) {
        let from = self.counted(from);
        if let Some(wait) = self.count(service, |counter, now| counter.until_all(now, from)) {
            self.network.sleep(wait);
        }
    }

    /// A server has given all answers that it may give, to an address of ours and in total.
    pub(super) fn use_all_answers(&self, service: &str, from: IpAddr) {
        let from = self.counted(from);
        self.count(service, |counter, now| counter.use_all(now, from));
    }

    /// The address whose answers are counted.
    fn counted(&self, from: IpAddr) -> IpAddr {
        if self.is_wide() { from } else { SHARED }
    }

    /// Counts answers of a service, if it has limits.
    fn count<T>(
        &self,
        service: &str,
        count: impl FnOnce(&mut AnswerCounter, Duration) -> T,
    ) -> Option<T> {
        let mut counters = self.answers_of_servers.iter();
        let (_, counter) = counters.find(|(of, _)| *of == service)?;
        let now = self.network.now().duration_since(self.begun);
        counter.lock().ok().map(|mut counter| count(&mut counter, now))
    }
}
