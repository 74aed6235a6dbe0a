//! Whether a list may name a server twice, without a table of its servers.

use crate::analysis::endpoint_key::EndpointKey;

/// How many bits of an endpoint's hash choose its place: a place for each server of the longest
/// list that is kept.
const BITS: u32 = 14;

/// Endpoints by their hashes; each list has its own number, so that nothing has to be removed.
pub(super) struct DoubleFilter {
    /// The upper bits of a hash, and the number of the list that it was in.
    places: Box<[(u32, u32)]>,
    list: u32,
}

impl Default for DoubleFilter {
    fn default() -> Self {
        Self { places: vec![(0, 0); 1 << BITS].into(), list: 0 }
    }
}

impl DoubleFilter {
    /// Whether one of the endpoints of a list may have come before in it. False only if none has.
    pub fn may_be_in(&mut self, endpoints: impl Iterator<Item = EndpointKey>) -> bool {
        self.list = self.list.wrapping_add(1);
        if self.list == 0 {
            self.places.fill((0, 0));
            self.list = 1;
        }
        let mask = self.places.len() - 1;
        for (count, end) in endpoints.enumerate() {
            // In a table that is half full, places are sought for too long.
            if count > mask / 2 {
                return true;
            }
            let hash = end.spread();
            let (mut at, part) = ((hash >> (64 - BITS)) as usize, (hash >> 16) as u32);
            loop {
                let Some(place) = self.places.get_mut(at) else {
                    return true;
                };
                if place.1 != self.list {
                    *place = (part, self.list);
                    break;
                }
                if place.0 == part {
                    return true;
                }
                at = (at + 1) & mask;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    #[test]
    fn doubles_are_never_missed_and_rarely_suspected() {
        let end = |n: u32| EndpointKey::from(SocketAddr::from((n.to_be_bytes(), 27_960)));
        let mut filter = DoubleFilter::default();
        for count in [0, 1, 112, 4_000] {
            assert!(!filter.may_be_in((0..count).map(end)), "{count} different ones");
            assert!(
                filter.may_be_in((0..=count).chain([count / 2]).map(end)),
                "{count}, one twice"
            );
        }
        assert!(filter.may_be_in((0..100_000).map(end)), "too many to tell");
        filter.list = u32::MAX;
        assert!(!filter.may_be_in((0..112).map(end)), "the numbers of lists begin again");
        assert!(filter.may_be_in([end(1), end(1)].into_iter()));
    }
}
