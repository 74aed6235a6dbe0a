//! A master with an address of each family.

use std::fmt;

use super::{Consent, Target, TargetError};

/// One master by one address, or by an address of each family: IPv4 and IPv6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetPair {
    first: Target,
    also: Option<Target>,
}

impl TargetPair {
    /// A master that also has the address `also`, of the other family.
    ///
    /// # Errors
    /// Why nothing may be sent there.
    pub fn new(first: Target, also: Option<Target>) -> Result<Self, TargetError> {
        match &also {
            Some(other) if other.is_ipv6() == first.is_ipv6() => {
                Err(TargetError::OneFamily { first: first.at(0).ip(), also: other.at(0).ip() })
            }
            _ => Ok(Self { first, also }),
        }
    }

    /// The master named by `first`, and by `also` in the other family; each needs permission.
    ///
    /// # Errors
    /// Why nothing may be sent there.
    pub fn find(first: &str, also: Option<&str>, consent: Consent) -> Result<Self, TargetError> {
        let first = Target::find(first, consent)?;
        let also = also.map(|text| Target::find(text, consent)).transpose()?;
        Self::new(first, also)
    }

    /// The first address.
    pub fn first(&self) -> &Target {
        &self.first
    }

    /// The address of the other family, if any.
    pub fn also(&self) -> Option<&Target> {
        self.also.as_ref()
    }

    /// Its IPv6 or IPv4 address; `None` if it has none.
    pub fn of_family(&self, six: bool) -> Option<&Target> {
        self.iter().find(|target| target.is_ipv6() == six)
    }

    /// Its addresses, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &Target> {
        std::iter::once(&self.first).chain(&self.also)
    }

    /// The maximum packets per second, to both addresses together.
    pub fn limit(&self) -> Option<u32> {
        self.iter().filter_map(Target::limit).min()
    }

    /// Whether it is on this machine or in a private network, by all of its addresses.
    pub fn is_local(&self) -> bool {
        self.iter().all(Target::is_local)
    }

    /// Whether it is on this machine's loopback, by all of its addresses.
    pub fn is_loopback(&self) -> bool {
        self.iter().all(Target::is_loopback)
    }
}

impl From<Target> for TargetPair {
    fn from(first: Target) -> Self {
        Self { first, also: None }
    }
}

impl fmt::Display for TargetPair {
    /// `127.0.0.1:27950`, or `127.0.0.1:27950 and [::1]:27950`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.also {
            None => self.first.fmt(f),
            Some(also) => f.pad(&format!("{} and {also}", self.first)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LIMIT;

    #[test]
    fn a_pair_names_a_master_by_both_families() {
        let pair = |first, also| TargetPair::find(first, also, Consent::default());
        let both = pair("[::1]:27951", Some("127.0.0.1:27950")).unwrap();
        assert_eq!(both.to_string(), "[::1]:27951 and 127.0.0.1:27950");
        let at =
            |pair: &TargetPair, six| pair.of_family(six).map(|target| target.at(1).to_string());
        assert_eq!(at(&both, true).as_deref(), Some("[::1]:27951"));
        assert_eq!(at(&both, false).as_deref(), Some("127.0.0.1:27950"));
        let one = pair("127.0.0.1", None).unwrap();
        assert_eq!((at(&one, true), one.to_string().as_str()), (None, "127.0.0.1"));
        for (first, also, why) in [
            ("127.0.0.1:1", "127.0.0.2:1", "127.0.0.1 and 127.0.0.2 are addresses of one family"),
            ("::1", "fd00::1", "::1 and fd00::1 are addresses of one family"),
            // A mapped address counts as IPv4.
            ("127.0.0.1:1", "[::ffff:127.0.0.2]:1", "127.0.0.1 and 127.0.0.2 are"),
            // Permission for one address is no permission for another.
            ("127.0.0.1:1", "[2001:db8::1]:1", "2001:db8::1 is neither on this machine"),
            ("192.0.2.1:1", "[::1]:1", "192.0.2.1 is neither on this machine"),
        ] {
            let refused = pair(first, Some(also)).unwrap_err().to_string();
            assert!(refused.starts_with(why), "{first} {also}: {refused}");
        }
        let far = Consent { authorized: true, rate: None };
        let far = TargetPair::find("127.0.0.1:1", Some("[2001:db8::1]:1"), far).unwrap();
        assert_eq!((far.limit(), far.is_loopback()), (Some(LIMIT), false));
    }
}
