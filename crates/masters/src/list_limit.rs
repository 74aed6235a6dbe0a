//! Rate limit of all lists together: a burst in bytes and bytes per second.
//!
//! A request is small, its source can be forged, and the list goes to that address.
//! [`Flood`](super::flood::Flood) limits what one address gets; this limits the total.

use std::net::IpAddr;

use simulate::Settings;

const SECOND: i64 = 1_000_000_000;

/// A token bucket, stored as the time at which it is full again.
#[derive(Debug)]
pub(crate) struct ListLimit {
    /// Bytes per second; 0: no limit.
    rate: i64,
    /// Nanoseconds that an empty bucket needs.
    burst: i64,
    full_at: i64,
    loopback: bool,
}

impl ListLimit {
    pub fn new(settings: &Settings) -> Self {
        let mut limit = Self {
            rate: settings.list_rate.into(),
            burst: 0,
            full_at: 0,
            loopback: settings.flood_loopback,
        };
        limit.burst = limit.cost(settings.list_burst.into());
        limit
    }

    /// Whether a list may be sent to `ip`. One that exceeds the rest of the bucket may be sent too:
    /// the next ones wait for it.
    pub fn allows(&self, now: i64, ip: IpAddr) -> bool {
        self.is_free(ip) || self.full_at.saturating_sub(now) < self.burst
    }

    /// Charges bytes of lists sent to `ip`.
    pub fn charge(&mut self, now: i64, ip: IpAddr, bytes: usize) {
        if !self.is_free(ip) {
            let cost = self.cost(i64::try_from(bytes).unwrap_or(i64::MAX));
            self.full_at = self.full_at.max(now).saturating_add(cost);
        }
    }

    fn cost(&self, bytes: i64) -> i64 {
        bytes.saturating_mul(SECOND).checked_div(self.rate).unwrap_or(0)
    }

    fn is_free(&self, ip: IpAddr) -> bool {
        self.rate == 0 || ip.is_loopback() && !self.loopback
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(settings: &str) -> ListLimit {
        let mut of = Settings::default();
        of.set_all(settings).unwrap();
        ListLimit::new(&of)
    }

    /// How many of a thousand lists of 1,000 bytes are sent at once, each to another address.
    fn sent(limit: &mut ListLimit, now: i64) -> usize {
        let addresses = (0..1000u32).map(|n| IpAddr::from((0x0a00_0000 + n).to_be_bytes()));
        let mut sent = 0;
        for ip in addresses.filter(|ip| limit.allows(now, *ip)).collect::<Vec<_>>() {
            if limit.allows(now, ip) {
                limit.charge(now, ip, 1000);
                sent += 1;
            }
        }
        sent
    }

    #[test]
    fn all_addresses_share_a_burst_and_a_rate() {
        let mut limit = limit("list-rate=10000,list-burst=50000");
        assert_eq!(sent(&mut limit, 0), 50);
        assert_eq!(sent(&mut limit, SECOND), 10);
        assert_eq!(sent(&mut limit, 100 * SECOND), 50, "no more than the burst is saved up");
        let loopback = IpAddr::from([127, 0, 0, 1]);
        assert!(limit.allows(100 * SECOND, loopback));
    }

    #[test]
    fn a_long_list_is_sent_whole_and_waited_for() {
        let mut limit = limit("list-rate=10000,list-burst=50000");
        let ip = IpAddr::from([192, 0, 2, 1]);
        assert!(limit.allows(0, ip));
        limit.charge(0, ip, 150_000);
        assert!(!limit.allows(10 * SECOND, ip) && limit.allows(11 * SECOND, ip));
    }

    #[test]
    fn it_may_be_turned_off_and_turned_on_for_loopback() {
        assert_eq!(sent(&mut limit("list-rate=0"), 0), 1000);
        let mut limit = limit("list-burst=1000,flood-loopback=on");
        let loopback = IpAddr::from([127, 0, 0, 1]);
        limit.charge(0, loopback, 1000);
        assert!(!limit.allows(0, loopback));
    }
}
