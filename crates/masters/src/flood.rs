//! Rate limit per address: a burst and packets per second, including those sent to it, so that a
//! flood from one address does not starve others, and so that long lists to a forged source address
//! are limited.

use std::net::{IpAddr, Ipv6Addr};

use super::table::TimedTable;
use simulate::Settings;

/// The maximum number of addresses that are tracked.
const ADDRESSES: usize = 65_536;

/// For each address with recent packets, the time at which its cost is paid off.
#[derive(Debug)]
pub(crate) struct Flood {
    costs: TimedTable<IpAddr, ()>,
    /// Nanoseconds that a packet costs; 0: no limit.
    packet: i64,
    /// How far into the future an address's cost may extend, in nanoseconds.
    burst: i64,
    loopback: bool,
}

impl Flood {
    pub fn new(settings: &Settings) -> Self {
        let packet = match settings.flood {
            0 => 0,
            flood => 1_000_000_000 / i64::from(flood),
        };
        let burst = packet.saturating_mul(settings.flood_burst.into());
        Self { costs: TimedTable::new(), packet, burst, loopback: settings.flood_loopback }
    }

    /// Whether a packet from this address is accepted; that costs a packet.
    pub fn admits(&mut self, now: i64, ip: IpAddr) -> bool {
        if self.is_free(ip) {
            return true;
        }
        while self.costs.pop_due(now).is_some() {}
        let ahead = self.costs.due(&network(ip)).unwrap_or(now) - now;
        let incoming = ahead < self.burst;
        if incoming {
            self.charge(now, ip, 1);
        }
        incoming
    }

    /// Charges packets to an address; its debt is limited.
    pub fn charge(&mut self, now: i64, ip: IpAddr, packets: usize) {
        if self.is_free(ip) || packets == 0 {
            return;
        }
        let cost = self.packet.saturating_mul(i64::try_from(packets).unwrap_or(i64::MAX));
        let key = network(ip);
        let due = self.costs.due(&key).unwrap_or(now).max(now).saturating_add(cost);
        let due = due.min(now.saturating_add(self.burst.saturating_mul(2)));
        if self.costs.get(&key).is_some() {
            return self.costs.renew(&key, due);
        }
        if self.costs.len() >= ADDRESSES {
            // The address whose cost is paid off first is dropped.
            self.costs.pop_first();
        }
        self.costs.insert(key, (), due);
    }

    fn is_free(&self, ip: IpAddr) -> bool {
        self.packet == 0 || ip.is_loopback() && !self.loopback
    }
}

/// The network of an address: an IPv6 user has 2^64 of them.
pub(crate) fn network(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn flood(settings: &str) -> Flood {
        let mut of = Settings::default();
        of.set_all(settings).unwrap();
        Flood::new(&of)
    }

    /// How many of a thousand packets at once are accepted.
    fn admitted(flood: &mut Flood, now: i64, ip: &str) -> usize {
        (0..1000).filter(|_| flood.admits(now, ip.parse().unwrap())).count()
    }

    #[test]
    fn each_address_has_its_burst_and_its_rate() {
        let mut flood = flood("flood=10,flood-burst=40");
        assert_eq!(admitted(&mut flood, 0, "192.0.2.1"), 40);
        assert_eq!(admitted(&mut flood, 0, "192.0.2.2"), 40);
        assert_eq!(admitted(&mut flood, SECOND, "192.0.2.1"), 10);
        assert_eq!(admitted(&mut flood, 9 * SECOND, "192.0.2.1"), 40);
        assert_eq!(admitted(&mut flood, 9 * SECOND, "127.0.0.1"), 1000);
        assert_eq!(admitted(&mut flood, 9 * SECOND, "2001:db8::1"), 40);
        assert_eq!(admitted(&mut flood, 9 * SECOND, "2001:db8::2"), 0, "the same network");
    }

    #[test]
    fn long_answers_count_and_debts_end() {
        let mut flood = flood("flood=10,flood-burst=40");
        let ip = "192.0.2.1".parse().unwrap();
        assert!(flood.admits(0, ip));
        flood.charge(0, ip, 1_000_000);
        assert_eq!(admitted(&mut flood, 3 * SECOND, "192.0.2.1"), 0);
        assert_eq!(admitted(&mut flood, 6 * SECOND, "192.0.2.1"), 20);
    }

    #[test]
    fn floods_may_be_allowed_and_loopback_bounded() {
        assert_eq!(admitted(&mut flood("flood=0"), 0, "192.0.2.1"), 1000);
        assert_eq!(admitted(&mut flood("flood-loopback=on,flood-burst=5"), 0, "127.0.0.1"), 5);
    }

    #[test]
    fn no_more_addresses_are_kept_than_there_is_room_for() {
        let mut flood = flood("flood=1");
        for n in 0..ADDRESSES as u32 + 1000 {
            assert!(flood.admits(0, std::net::Ipv4Addr::from_bits(0x0a00_0000 + n).into()));
        }
        assert_eq!(flood.costs.len(), ADDRESSES);
    }
}
