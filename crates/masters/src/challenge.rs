//! The challenges sent to servers: correct ones, and those of masters with a defect.

use super::defect::Defect;
use super::state::MasterState;

/// The form of challenges in a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeForm {
    /// 9 to 11 characters; dpmaster's have 8 to 11.
    Text,
    /// A number of 31 bits, in decimal.
    Number,
    /// A number of 32 bits without a sign, in decimal.
    Unsigned,
    /// Six letters and digits.
    Word,
}

/// Where the values of the defect `time-challenge` begin, in milliseconds.
const EPOCH: i64 = 0x19a_0000_0000;
/// All challenges of the defect `few-challenges`.
const FEW: [u32; 8] = [
    412_937_105,
    1_873_220_614,
    990_715_386,
    1_264_508_737,
    731_846_092,
    1_505_993_281,
    268_190_443,
    2_041_377_958,
];

impl MasterState {
    /// A new challenge; `None` if the system has no random bytes.
    pub fn challenge(&mut self, form: ChallengeForm) -> Option<Vec<u8>> {
        if let Some(guessable) = self.guessable_challenge(form) {
            return Some(guessable.into_bytes());
        }
        match form {
            ChallengeForm::Number => self.random.number().map(|n| n.to_string().into_bytes()),
            ChallengeForm::Unsigned => self.random.unsigned().map(|n| n.to_string().into_bytes()),
            ChallengeForm::Word => self.random.word(6),
            ChallengeForm::Text if self.has(Defect::ShortChallenge) => self.random.text(4),
            ChallengeForm::Text if self.has(Defect::ForbiddenCharacters) => {
                self.random.text(8).map(|text| [text.as_slice(), b"%"].concat())
            }
            ChallengeForm::Text => {
                let more = self.random.below(3)?;
                self.random.text(9 + usize::from(more))
            }
        }
    }

    /// The challenge of a master with predictable challenges.
    fn guessable_challenge(&mut self, form: ChallengeForm) -> Option<String> {
        let is_word = form == ChallengeForm::Word;
        if self.has(Defect::ConstantChallenge) {
            return Some(if is_word { "123456" } else { "123456789" }.to_owned());
        }
        if self.has(Defect::PredictableChallenge) {
            let n = self.next_guessable();
            return Some(if is_word { format!("{n:06}") } else { (100_000_000 + n).to_string() });
        }
        if self.has(Defect::CountingChallenge) {
            let n = self.next_guessable() - 1;
            return Some(match form {
                ChallengeForm::Text => format!("chal{}", 1000 + n),
                ChallengeForm::Word => format!("ch{:04}", (1000 + n) % 10_000),
                // A fixed prefix of bits.
                ChallengeForm::Number | ChallengeForm::Unsigned => (0x4300_0000 + n).to_string(),
            });
        }
        if self.has(Defect::TimeChallenge) {
            let time = EPOCH.saturating_add(self.now / 1_000_000);
            return Some(match form {
                ChallengeForm::Text => format!("{time:011x}"),
                ChallengeForm::Word => format!("{:06x}", time & 0xff_ffff),
                ChallengeForm::Number | ChallengeForm::Unsigned => (time & 0x7fff_ffff).to_string(),
            });
        }
        if self.has(Defect::FewChallenges) {
            let number = *FEW.get(usize::from(self.random.below(FEW.len() as u16)?))?;
            return Some(if is_word {
                format!("{:06}", number % 1_000_000)
            } else {
                number.to_string()
            });
        }
        None
    }

    /// Counts up, from 1.
    fn next_guessable(&mut self) -> u32 {
        self.guessable = self.guessable % 900_000 + 1;
        self.guessable
    }
}
