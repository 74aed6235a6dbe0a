//! The cipher of lists: a stream cipher after Michael Paul Johnson's Sapphire II, in which the places
//! of two of its five indices are exchanged. Known from open-source programs.

/// A pack of all bytes, shuffled with a key, and five indices in it.
#[derive(Debug, Clone)]
pub struct Cipher {
    cards: [u8; 256],
    rotor: u8,
    ratchet: u8,
    avalanche: u8,
    last_plain: u8,
    last_coded: u8,
}

/// The key of the cipher: the client's challenge, changed by the master's and by a game's key. A game
/// without a key changes nothing.
pub fn session_key(game: &[u8], client: [u8; 8], master: &[u8]) -> [u8; 8] {
    let mut key = client;
    for ((i, byte), letter) in (0usize..).zip(master).zip(game.iter().cycle()) {
        let own = key.get(i % 8).copied().unwrap_or_default();
        if let Some(changed) = key.get_mut(i.wrapping_mul(usize::from(*letter)) % 8) {
            *changed ^= own ^ byte;
        }
    }
    key
}

impl Cipher {
    /// The cipher for a session key.
    pub fn new(key: [u8; 8]) -> Self {
        let mut cards: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut drawing = Drawing { sum: 0, letters: key.iter().enumerate().cycle() };
        for at in (1..=255u8).rev() {
            let other = drawing.next(&cards, at);
            cards.swap(at.into(), other.into());
        }
        let card = |at: u32| cards.get((at & 0xff) as usize).copied().unwrap_or_default();
        let (rotor, ratchet, avalanche) = (card(1), card(3), card(5));
        let (last_plain, last_coded) = (card(7), card(drawing.sum));
        Self { cards, rotor, ratchet, avalanche, last_plain, last_coded }
    }

    /// Deciphers the next bytes.
    pub fn decipher(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            let cipher = *byte;
            *byte ^= self.step();
            (self.last_plain, self.last_coded) = (*byte, cipher);
        }
    }

    /// Enciphers the next bytes.
    pub fn encipher(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            let plain = *byte;
            *byte ^= self.step();
            (self.last_plain, self.last_coded) = (plain, *byte);
        }
    }

    fn card(&self, at: u8) -> u8 {
        self.cards.get(usize::from(at)).copied().unwrap_or_default()
    }

    fn put(&mut self, at: u8, card: u8) {
        if let Some(place) = self.cards.get_mut(usize::from(at)) {
            *place = card;
        }
    }

    /// Moves the cards, and returns what is combined with the next byte.
    fn step(&mut self) -> u8 {
        self.ratchet = self.ratchet.wrapping_add(self.card(self.rotor));
        self.rotor = self.rotor.wrapping_add(1);
        let moved = self.card(self.last_coded);
        self.put(self.last_coded, self.card(self.ratchet));
        self.put(self.ratchet, self.card(self.last_plain));
        self.put(self.last_plain, self.card(self.rotor));
        self.put(self.rotor, moved);
        self.avalanche = self.avalanche.wrapping_add(self.card(moved));
        let three = [self.last_plain, self.ratchet, self.last_coded];
        let sum = three.into_iter().fold(0u8, |sum, at| sum.wrapping_add(self.card(at)));
        let two = self.card(self.avalanche).wrapping_add(self.card(self.rotor));
        self.card(self.card(sum)) ^ self.card(two)
    }
}

/// Draws cards by a key.
struct Drawing<L> {
    sum: u32,
    letters: L,
}

impl<'a, L: Iterator<Item = (usize, &'a u8)>> Drawing<L> {
    /// A number of at most `most`.
    fn next(&mut self, cards: &[u8; 256], most: u8) -> u8 {
        let most = u32::from(most);
        let mask = (most + 1).next_power_of_two() - 1;
        let mut tries = 0;
        loop {
            let card = cards.get((self.sum & 0xff) as usize).copied().unwrap_or_default();
            let (at, letter) = self.letters.next().unwrap_or((0, &0));
            self.sum = u32::from(card) + u32::from(*letter) + if at == 7 { 8 } else { 0 };
            tries += 1;
            let drawn = self.sum & mask;
            let drawn = if tries > 11 { drawn % most } else { drawn };
            if drawn <= most {
                return drawn as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_enciphered_is_deciphered() {
        let key = session_key(b"HA6zkS", *b"pWc8[V{]", b"\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c");
        let mut bytes = b"\xc6\x33\x64\x07 a text that is longer than the key".to_vec();
        let plain = bytes.clone();
        Cipher::new(key).encipher(&mut bytes);
        assert_ne!(bytes, plain);
        Cipher::new(key).decipher(&mut bytes);
        assert_eq!(bytes, plain);
    }

    #[test]
    fn any_key_gives_a_cipher() {
        for key in [[0; 8], [0xff; 8], *b"\0\x01\x02\x03\x04\x05\x06\x07"] {
            let mut bytes = [0; 1000];
            Cipher::new(key).encipher(&mut bytes);
            Cipher::new(key).decipher(&mut bytes);
            assert_eq!(bytes, [0; 1000]);
        }
        assert_eq!(session_key(b"", [1; 8], b"\x02"), [1; 8]);
    }
}
