//! Where an endpoint came before in a list: a table that is reused, so that no list needs its own.

use crate::endpoint_key::EndpointKey;

/// How many places there are at least.
const PLACES: usize = 256;

/// The endpoints of one list by their hashes; each list has its own number, so that nothing has to
/// be removed.
#[derive(Default)]
pub(super) struct SeenEndpoints {
    places: Vec<SeenPlace>,
    /// How many bits of a hash choose its place in the current list: at least half of the places
    /// stay free.
    bits: u32,
    list: u32,
}

/// The last position of an endpoint.
#[derive(Clone, Copy, Default)]
struct SeenPlace {
    /// The lower bits of its hash.
    hash: u32,
    /// The number of the list.
    list: u32,
    position: u32,
}

impl SeenEndpoints {
    /// Begins a list with up to `count` endpoints.
    pub fn begin(&mut self, count: usize) {
        let places = (2 * count).next_power_of_two().max(PLACES);
        if self.places.len() < places {
            self.places.resize(places, SeenPlace::default());
        }
        self.bits = places.trailing_zeros();
        self.list = self.list.wrapping_add(1);
        if self.list == 0 {
            self.places.fill(SeenPlace::default());
            self.list = 1;
        }
    }

    /// Sets the last position of an endpoint, and returns the one before. `is_at` says whether the
    /// same endpoint is at a position. Nothing is kept beyond the announced count.
    pub fn replace(
        &mut self,
        end: EndpointKey,
        position: u32,
        is_at: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let spread = end.spread();
        let (hash, first) = ((spread >> 8) as u32, (spread >> (64 - self.bits)) as usize);
        let mask = (1 << self.bits) - 1;
        for step in 0..=mask {
            let place = self.places.get_mut((first + step) & mask)?;
            let is_free = place.list != self.list;
            if is_free || place.hash == hash && is_at(place.position) {
                let before = place.position;
                *place = SeenPlace { hash, list: self.list, position };
                return (!is_free).then_some(before);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    /// Where each endpoint was before in its list.
    fn before(seen: &mut SeenEndpoints, ends: &[u32]) -> Vec<Option<u32>> {
        seen.begin(ends.len());
        let key = |n: u32| EndpointKey::from(SocketAddr::from((n.to_be_bytes(), 27_960)));
        let is = |end: u32| move |at: u32| ends[at as usize] == end;
        (0..).zip(ends).map(|(at, end)| seen.replace(key(*end), at, is(*end))).collect()
    }

    #[test]
    fn the_last_position_of_each_endpoint_is_known() {
        let mut seen = SeenEndpoints::default();
        assert_eq!(before(&mut seen, &[7, 8, 7, 7]), [None, None, Some(0), Some(2)]);
        for count in [0, 1, 112, 16_384] {
            let all: Vec<_> = (0..count).collect();
            assert_eq!(before(&mut seen, &all), vec![None; count as usize]);
            let twice: Vec<_> = all.iter().chain(&all).copied().collect();
            let positions = all.iter().map(|_| None).chain(all.iter().map(|at| Some(*at)));
            assert_eq!(before(&mut seen, &twice), positions.collect::<Vec<_>>());
        }
        seen.list = u32::MAX;
        assert_eq!(before(&mut seen, &[7, 8]), [None; 2], "the numbers of lists begin again");
    }
}
