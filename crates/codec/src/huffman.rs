//! Quake III's adaptive Huffman coder, as its `connect` is sent: two bytes big-endian with the
//! plain length, then bits, lowest first in each byte.
//!
//! One-pass FGK coding from a tree that holds only NYT ("not yet transmitted"). Both sides update
//! the same tree, so the code of each symbol depends on the earlier ones.
#![expect(
    clippy::indexing_slicing,
    reason = "nodes and ranks are numbered by the tree itself and stay below NODES; the input only \
              chooses branches and symbols, and a symbol is a byte"
)]

use super::coded::Coding;
use super::fault::{Fault, Want};
use super::pass::Walk;

/// The coder; it has no settings.
#[derive(Debug, Clone, Copy)]
pub struct Huffman;

impl Coding for Huffman {
    fn undo(&self, coded: &[u8], plain: &mut Vec<u8>) -> Result<(), Fault> {
        let fault = |at, want| Fault { at, layer: 0, want, found: None };
        let Some((length, bits)) = coded.split_first_chunk::<2>() else {
            return Err(fault(0, Want::Bytes(2)));
        };
        // A symbol takes at least a bit, so this bounds the allocation by the input.
        let length = usize::from(u16::from_be_bytes(*length));
        if length > 8 * bits.len() {
            return Err(fault(0, Want::Coded));
        }
        let mut tree = HuffmanTree::new();
        let mut bits = BitReader { bytes: bits, at: 0 };
        for _ in 0..length {
            let symbol = tree.read_symbol(&mut bits);
            tree.count(symbol);
            plain.push(symbol);
        }
        Ok(())
    }

    fn apply(&self, plain: &[u8], coded: &mut Vec<u8>) -> Walk {
        let Ok(length) = u16::try_from(plain.len()) else {
            let (at, layer, want) = (0, 0, Want::Coded);
            return Err(Fault { at, layer, want, found: None });
        };
        coded.extend_from_slice(&length.to_be_bytes());
        let mut tree = HuffmanTree::new();
        let start = coded.len();
        let mut count = 0;
        for &symbol in plain {
            tree.write(symbol, coded, start, &mut count);
            tree.count(symbol);
        }
        // The game rounds up with one more byte: (bits + 8) >> 3.
        coded.resize(start + (count + 8) / 8, 0);
        Ok(())
    }
}

/// Bits, lowest first; zeros after the end, as the game reads them.
struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn next(&mut self) -> bool {
        let byte = self.bytes.get(self.at / 8).copied().unwrap_or(0);
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        bit == 1
    }
}

const NODES: usize = 2 * 256 + 1;
const NONE: u16 = u16::MAX;

#[derive(Clone, Copy)]
struct HuffmanNode {
    weight: u32,
    parent: u16,
    /// Left and right; `NONE` in a leaf.
    child: [u16; 2],
    rank: u16,
    symbol: u8,
}

/// Nodes by number, and their order by rank; weights never fall as ranks rise.
struct HuffmanTree {
    nodes: [HuffmanNode; NODES],
    by_rank: [u16; NODES],
    leaf: [u16; 256],
    used: u16,
    root: u16,
    nyt: u16,
}

impl HuffmanTree {
    fn new() -> Self {
        let top = NODES - 1;
        let node =
            HuffmanNode { weight: 0, parent: NONE, child: [NONE; 2], rank: top as u16, symbol: 0 };
        let mut tree = Self {
            nodes: [node; NODES],
            by_rank: [NONE; NODES],
            leaf: [NONE; 256],
            used: 1,
            root: 0,
            nyt: 0,
        };
        tree.by_rank[top] = 0;
        tree
    }

    fn node(&self, n: u16) -> &HuffmanNode {
        &self.nodes[usize::from(n)]
    }

    fn node_mut(&mut self, n: u16) -> &mut HuffmanNode {
        &mut self.nodes[usize::from(n)]
    }

    fn read_symbol(&self, bits: &mut BitReader<'_>) -> u8 {
        let mut at = self.root;
        while self.node(at).child[0] != NONE {
            at = self.node(at).child[usize::from(bits.next())];
        }
        if at != self.nyt {
            return self.node(at).symbol;
        }
        (0..8).fold(0, |byte, _| byte << 1 | u8::from(bits.next()))
    }

    fn write(&self, symbol: u8, out: &mut Vec<u8>, start: usize, count: &mut usize) {
        let mut push = |bit: bool| {
            if count.is_multiple_of(8) {
                out.push(0);
            }
            out[start + *count / 8] |= u8::from(bit) << (*count % 8);
            *count += 1;
        };
        let leaf = self.leaf[usize::from(symbol)];
        let mut path = [false; NODES];
        let mut depth = 0;
        let mut at = if leaf == NONE { self.nyt } else { leaf };
        while self.node(at).parent != NONE {
            let parent = self.node(at).parent;
            path[depth] = self.node(parent).child[1] == at;
            depth += 1;
            at = parent;
        }
        path[..depth].iter().rev().for_each(|bit| push(*bit));
        if leaf == NONE {
            (0..8).rev().for_each(|i| push(symbol >> i & 1 == 1));
        }
    }

    /// Updates the tree with one more occurrence of `symbol`.
    fn count(&mut self, symbol: u8) {
        let leaf = self.leaf[usize::from(symbol)];
        let from = if leaf == NONE { self.split(symbol) } else { leaf };
        self.raise(from);
    }

    /// Replaces NYT by a node with a new leaf and NYT as its children; returns the parent of that
    /// node, whose weight is to be raised.
    fn split(&mut self, symbol: u8) -> u16 {
        let (old, leaf, inner) = (self.nyt, self.used, self.used + 1);
        self.used += 2;
        let HuffmanNode { parent, rank, .. } = *self.node(old);
        self.nodes[usize::from(inner)] =
            HuffmanNode { weight: 1, parent, child: [old, leaf], rank, symbol: 0 };
        self.nodes[usize::from(leaf)] =
            HuffmanNode { weight: 1, parent: inner, child: [NONE; 2], rank: rank - 1, symbol };
        self.node_mut(old).parent = inner;
        self.node_mut(old).rank = rank - 2;
        for (n, rank) in [(inner, rank), (leaf, rank - 1), (old, rank - 2)] {
            self.by_rank[usize::from(rank)] = n;
        }
        self.leaf[usize::from(symbol)] = leaf;
        if parent == NONE {
            self.root = inner;
        } else {
            let side = usize::from(self.node(parent).child[1] == old);
            self.node_mut(parent).child[side] = inner;
        }
        parent
    }

    /// Adds one to the weight of `n` and its ancestors, and keeps the order of ranks.
    fn raise(&mut self, mut n: u16) {
        let mut path = [NONE; NODES];
        let mut depth = 0;
        while n != NONE {
            let leader = self.leader(n);
            if leader != self.node(n).parent && leader != n {
                self.swap_places(n, leader);
            }
            self.swap_ranks(n, leader);
            self.node_mut(n).weight += 1;
            path[depth] = n;
            depth += 1;
            n = self.node(n).parent;
        }
        // A node that took its parent's rank returns it once the parent's weight has grown too.
        for n in path[..depth].iter().rev() {
            let HuffmanNode { parent, rank, .. } = *self.node(*n);
            if parent != NONE && self.node(parent).rank + 1 == rank {
                self.swap_ranks(*n, parent);
            }
        }
    }

    /// The highest ranked node of `n`'s weight.
    fn leader(&self, n: u16) -> u16 {
        let HuffmanNode { weight, rank, .. } = *self.node(n);
        let above = self.by_rank[usize::from(rank)..].iter();
        let same = above.take_while(|m| self.node(**m).weight == weight);
        same.last().copied().unwrap_or(n)
    }

    fn swap_ranks(&mut self, a: u16, b: u16) {
        let (ra, rb) = (self.node(a).rank, self.node(b).rank);
        self.node_mut(a).rank = rb;
        self.node_mut(b).rank = ra;
        self.by_rank.swap(usize::from(ra), usize::from(rb));
    }

    fn swap_places(&mut self, a: u16, b: u16) {
        let side = |t: &Self, n: u16| {
            let parent = t.node(n).parent;
            (parent, usize::from(t.node(parent).child[1] == n))
        };
        let ((pa, sa), (pb, sb)) = (side(self, a), side(self, b));
        self.node_mut(pa).child[sa] = b;
        self.node_mut(pb).child[sb] = a;
        self.node_mut(a).parent = pb;
        self.node_mut(b).parent = pa;
    }
}
