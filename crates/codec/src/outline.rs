//! Describing: every field of a message in every branch, from its grammar.
//!
//! The catalogue and the prefixes by which messages are recognised are made from it.

use super::field::Field;
use super::grammar::{GrammarBranch, GrammarStep};
use super::pass::Spelling;
use super::span::Group;

/// A message's literal beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefix {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// It ends in a word, so no word byte may follow.
    pub bounded: bool,
    /// It contains a word, so its letters may have any case.
    pub any_case: bool,
    /// Literals after the word: if they differ, the message is still possible, but less likely.
    pub hint: Vec<u8>,
}

/// One line of a message's description.
#[derive(Debug, Clone)]
pub struct OutlineLine {
    /// The number of branches around it.
    pub depth: usize,
    /// Its content.
    pub what: OutlinePart,
}

/// The content of a line.
#[derive(Debug, Clone)]
pub enum OutlinePart {
    /// These bytes.
    Literal(&'static Field, &'static [u8]),
    /// One of these spellings.
    OneOf(&'static Field, &'static [Spelling]),
    /// A value.
    Field(&'static Field),
    /// A composite, the group that it is, and the fields that it may hold.
    View(&'static Field, Group, Vec<&'static Field>),
    /// The following deeper lines depend on this condition.
    Branch(&'static str),
}

/// Every field of a message in every branch, and how it begins.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Every literal beginning.
    pub prefixes: Vec<Prefix>,
    /// The description, line by line.
    pub lines: Vec<OutlineLine>,
    depth: usize,
    state: PrefixState,
}

/// How much of the literal beginning has been collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PrefixState {
    Prefix,
    Hint,
    Past,
}

impl Outline {
    /// The outline of a message with this grammar.
    pub fn from_grammar(grammar: &[GrammarStep]) -> Self {
        let mut outline = Self {
            prefixes: vec![Prefix::default()],
            lines: Vec::new(),
            depth: 0,
            state: PrefixState::Prefix,
        };
        outline.steps(grammar);
        outline
    }

    /// Whether a field of this name may occur in the message.
    pub fn has(&self, name: &str) -> bool {
        self.lines.iter().any(|line| match &line.what {
            OutlinePart::Literal(field, _)
            | OutlinePart::OneOf(field, _)
            | OutlinePart::Field(field) => field.name == name,
            OutlinePart::View(_, _, inside) => inside.iter().any(|field| field.name == name),
            OutlinePart::Branch(_) => false,
        })
    }

    fn steps(&mut self, steps: &[GrammarStep]) {
        for step in steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &GrammarStep) {
        match step {
            GrammarStep::Literal(field, bytes) => {
                self.begin(bytes, false);
                self.push(OutlinePart::Literal(field, bytes));
            }
            GrammarStep::Word { field, word, bounded } => self.name(field, word, *bounded),
            GrammarStep::OneOf(field, of) => self.one_of(field, of),
            GrammarStep::Text(field, _)
            | GrammarStep::Terminated(field)
            | GrammarStep::Counted(field, _)
            | GrammarStep::Decimal(field)
            | GrammarStep::Packed(field)
            | GrammarStep::Bytes(field, ..) => self.field(field),
            GrammarStep::Composite { field, group, inside, .. } => {
                self.state = PrefixState::Past;
                self.push(OutlinePart::View(field, *group, inside.clone()));
            }
            GrammarStep::Optional(branch) | GrammarStep::More(branch) => self.branch(branch),
            GrammarStep::Choice(branches) => branches.iter().for_each(|branch| self.branch(branch)),
            GrammarStep::Led(field, lead, branch) => {
                self.one_of(field, *lead);
                self.branch(branch);
            }
            GrammarStep::Sized(field, _, steps) => {
                self.field(field);
                self.inside("counted by the size", steps);
            }
            GrammarStep::Coded(field, steps) => {
                self.field(field);
                self.inside("coded", steps);
            }
        }
    }

    fn push(&mut self, what: OutlinePart) {
        let depth = self.depth;
        self.lines.push(OutlineLine { depth, what });
    }

    fn field(&mut self, field: &'static Field) {
        self.state = PrefixState::Past;
        self.push(OutlinePart::Field(field));
    }

    fn branch(&mut self, branch: &GrammarBranch) {
        self.inside(branch.why, &branch.steps);
    }

    fn inside(&mut self, why: &'static str, steps: &[GrammarStep]) {
        self.state = PrefixState::Past;
        self.push(OutlinePart::Branch(why));
        self.depth += 1;
        self.steps(steps);
        self.depth -= 1;
    }

    fn begin(&mut self, bytes: &[u8], bounded: bool) {
        for prefix in &mut self.prefixes {
            match self.state {
                PrefixState::Prefix => {
                    prefix.bytes.extend_from_slice(bytes);
                    prefix.bounded = bounded;
                }
                PrefixState::Hint => prefix.hint.extend_from_slice(bytes),
                PrefixState::Past => {}
            }
        }
    }

    /// After the word with the message's name, literals are only hints.
    fn name(&mut self, field: &'static Field, word: &'static [u8], bounded: bool) {
        self.begin(word, bounded);
        if self.state == PrefixState::Prefix {
            self.prefixes.iter_mut().for_each(|prefix| prefix.any_case = true);
        }
        self.state = PrefixState::Hint;
        self.push(OutlinePart::Literal(field, word));
    }

    fn one_of(&mut self, field: &'static Field, of: &'static [Spelling]) {
        if self.state == PrefixState::Prefix {
            let old = std::mem::take(&mut self.prefixes);
            for spelling in of {
                self.prefixes.extend(old.iter().map(|p| Prefix {
                    bytes: [&p.bytes, spelling.bytes].concat(),
                    bounded: p.bounded && spelling.bytes.is_empty(),
                    any_case: p.any_case,
                    hint: Vec::new(),
                }));
            }
        }
        if self.state == PrefixState::Hint {
            self.state = PrefixState::Past;
        }
        self.push(OutlinePart::OneOf(field, of));
    }
}
