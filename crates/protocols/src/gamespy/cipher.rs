//! The cipher of encryption type 2: Leviathan, a stream cipher whose words are the leaves of a binary
//! tree of height 16. GameSpy's programs skip the last byte of each sixteen words. Known from
//! open-source programs; David McGrew and Scott Fluhrer have published it.

/// The depth of the leaves.
const HEIGHT: usize = 16;
/// How many words are made at once, and how many of their bytes are used.
const WORDS: usize = 16;
const USED: usize = 4 * WORDS - 1;

/// A node of the tree: two words of state, and its number.
#[derive(Debug, Clone, Copy)]
struct TreeNode {
    x: u32,
    y: u32,
    number: u32,
}

/// The bytes of the cipher for one key, in order. They end with the leaves of the first tree, beyond
/// 250 KB.
#[derive(Debug)]
pub(super) struct Leviathan {
    table: [u32; 256],
    /// The right halves that are left, the next one last.
    left: Vec<TreeNode>,
    next: Option<TreeNode>,
    block: [u8; USED],
    used: usize,
}

impl Leviathan {
    /// The bytes for a key, which must not be empty.
    pub fn new(key: &[u8]) -> Self {
        let root = TreeNode { x: 0, y: 0, number: 1 };
        let (left, block) = (Vec::with_capacity(HEIGHT), [0; USED]);
        Self { table: table(key), left, next: Some(root), block, used: USED }
    }

    /// Enciphers or deciphers bytes.
    pub fn apply(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            if self.used == USED {
                self.fill();
            }
            *byte ^= self.block.get(self.used).copied().unwrap_or_default();
            self.used += 1;
        }
    }

    fn fill(&mut self) {
        let mut words = [0; 4 * WORDS];
        for word in words.chunks_exact_mut(4) {
            word.copy_from_slice(&self.leaf().to_le_bytes());
        }
        self.block.copy_from_slice(words.get(..USED).unwrap_or(&[0; USED]));
        self.used = 0;
    }

    /// The word of the next leaf.
    fn leaf(&mut self) -> u32 {
        let Some(mut node) = self.next else { return 0 };
        while node.number < 1 << HEIGHT {
            node.x = node.x.wrapping_add(node.number);
            node.y = node.y.wrapping_add(node.x);
            node.x = node.x.wrapping_add(node.y);
            self.left.push(node);
            node = self.first_half(node);
        }
        self.next = self.left.pop().map(|parent| self.second_half(parent));
        node.x ^ node.y
    }

    fn mixed(&self, word: u32) -> u32 {
        let low = (word & 0xff) as usize;
        word ^ self.table.get(low).copied().unwrap_or_default()
    }

    fn first_half(&self, TreeNode { x, y, number }: TreeNode) -> TreeNode {
        let y = self.mixed(self.mixed(y.rotate_right(8)).rotate_right(8));
        let x = self.mixed(self.mixed(x).rotate_left(8)).rotate_left(8);
        TreeNode { x, y, number: 2 * number }
    }

    fn second_half(&self, TreeNode { x, y, number }: TreeNode) -> TreeNode {
        let x = self.mixed(self.mixed((!x).rotate_right(8)).rotate_right(8));
        let y = self.mixed(self.mixed(y).rotate_left(8)).rotate_left(8);
        TreeNode { x, y, number: 2 * number + 1 }
    }
}

/// Four permutations of all bytes by the key, each in one byte of the words.
fn table(key: &[u8]) -> [u32; 256] {
    let mut table = [0u32; 256];
    for round in 0..4u8 {
        for (byte, word) in (0..).zip(&mut table) {
            *word = *word << 8 | byte;
        }
        let mut other = round;
        for _ in 0..2 {
            for (i, letter) in (0..256).zip(key.iter().cycle()) {
                let low = table.get(i).copied().unwrap_or_default() as u8;
                other = other.wrapping_add(low).wrapping_add(*letter);
                table.swap(i, usize::from(other));
            }
        }
    }
    for (byte, word) in (0..).zip(&mut table) {
        *word ^= byte;
    }
    table
}
