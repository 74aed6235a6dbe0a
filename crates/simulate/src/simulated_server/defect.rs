//! Faults of a simulated server that can be switched on: they test that the cases for servers find
//! each of them.

macro_rules! server_defects {
    ($($defect:ident $name:literal $breaks:literal;)+) => {
        /// An intentional fault of a simulated server.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ServerDefect { $(#[doc = $breaks] $defect),+ }

        /// Every defect with its name in tables, and what it breaks.
        pub static SERVER_DEFECTS: &[(ServerDefect, &str, &str)] =
            &[$((ServerDefect::$defect, $name, $breaks)),+];
    };
}

server_defects! {
    OtherPort "other-port" "answers come from another port than the one that was asked";
    Damaged "damaged" "answers end in the middle";
    NoNames "no-names" "answers have neither the server's name nor the map";
    NoPlaces "no-places" "answers say that the server has no places for players";
    TooManyPlayers "too-many-players" "answers have more players than places";
    NoSettings "no-settings" "the questions for players and settings are not answered";
    LongName "long-name" "the server's name has 20000 bytes";
    WrongChallenge "wrong-challenge" "answers bring back another challenge than the question had";
    FirstChallenge "first-challenge" "all answers bring back the challenge of the first question";
    LettersAlone "letters-alone" "challenges come back without their punctuation marks";
    MadeUpChallenge "made-up-challenge" "answers to questions without a challenge have one";
    AnyProof "any-proof" "any challenge of the server is accepted";
    SharedProof "shared-proof" "all clients are given the same challenge";
    NoProof "no-proof" "questions without the server's challenge are answered at once";
    LongProof "long-proof" "what gives the server's challenge is longer than the question";
    ShortRequests "short-requests" "requests for a token without padding are answered";
    AnswersUnknown "answers-unknown" "datagrams that are no message of the protocol are answered";
    AnswersMalformed "answers-malformed" "requests that are cut short are answered";
    AnswersAnswers "answers-answers" "answers of servers are answered";
    EndsOnMalformed "ends-on-malformed" "a request that is cut short ends the server";
    EndsOnLong "ends-on-long" "a datagram of more than 1400 bytes ends the server";
    EndsOnTrailing "ends-on-trailing" "other bytes after a question end the server";
    EndsOnNegative "ends-on-negative" "a negative number in a question ends the server";
    AnswersOnce "answers-once" "an address gets three answers";
    AnswersTwice "answers-twice" "every answer is sent twice";
    NameVaries "name-varies" "the server's name is another in every answer";
    SilentToMasters "silent-to-masters" "what only masters ask is not answered";
    NoRateLimit "no-rate-limit" "an address is answered however often it asks";
    FloodSilencesAll "flood-silences-all" "after a flood from one address nobody is answered for 30 seconds";
    NeverForgives "never-forgives" "an address that has asked too often is not answered for 30 seconds";
    LostPart "lost-part" "of an answer in several datagrams the second is missing";
    DoubledPart "doubled-part" "of an answer in several datagrams the first comes twice";
}

/// A set of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServerDefects(u64);

impl ServerDefect {
    /// The defect of this name.
    pub fn named(name: &str) -> Option<Self> {
        SERVER_DEFECTS.iter().find(|(_, known, _)| *known == name).map(|(defect, ..)| *defect)
    }
}

impl ServerDefects {
    /// The same set with one more.
    #[must_use]
    pub fn with(self, defect: ServerDefect) -> Self {
        Self(self.0 | 1 << defect as u32)
    }

    /// Whether a defect is in the set.
    pub fn has(self, defect: ServerDefect) -> bool {
        self.0 & 1 << defect as u32 != 0
    }
}

impl FromIterator<ServerDefect> for ServerDefects {
    fn from_iter<I: IntoIterator<Item = ServerDefect>>(defects: I) -> Self {
        defects.into_iter().fold(Self::default(), Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_defect_has_a_bit_and_a_name_of_its_own() {
        assert!(SERVER_DEFECTS.len() <= u64::BITS as usize);
        for (defect, name, _) in SERVER_DEFECTS {
            assert_eq!(ServerDefect::named(name), Some(*defect));
            assert!(ServerDefects::default().with(*defect).has(*defect));
        }
    }
}
