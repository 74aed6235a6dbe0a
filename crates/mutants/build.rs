//! Writes the sources of `masters` with a switch at each place where a fault may be: a mutant.
//!
//! All modules become one file. `crate::mutation::is_on(N)` is whether mutant N is tried;
//! `MUTANTS` lists all. Not changed are tests, macros, constants (but their uses), what runs outside
//! of the network in memory, and what belongs to intentional faults or to operators.

#[path = "build/code.rs"]
mod code;
#[path = "build/sources.rs"]
mod sources;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use quote::{ToTokens as _, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, BinOp, Block, Expr, ExprBinary, ImplItemFn, ItemFn, ItemMod, Lit, LitByteStr,
    LitInt, Pat, Stmt, parse_quote,
};

use code::{has_let, is_without_defect, needs_defect, shown, tokens};
use sources::ModuleSources;

/// Files that are not changed: sockets and threads, recordings, tables for documents, intentional
/// faults.
const LEFT_OUT: &[&str] = &[
    "connections.rs",
    "connection_session.rs",
    "defect.rs",
    "state/faults.rs",
    "memory.rs",
    "open_sockets.rs",
    "page.rs",
    "record.rs",
    "recorded.rs",
    "running.rs",
    "sockets.rs",
];
/// Functions that are not changed, by their files: they are about intentional faults, tell
/// operators, or are called outside of the network in memory only.
const LEFT_OUT_FUNCTIONS: &[(&str, &str)] = &[
    ("challenge.rs", "guessable_challenge"),
    ("challenge.rs", "next_guessable"),
    ("families/mod.rs", "service"),
    ("lib.rs", "misbehave"),
    ("lib.rs", "take_recorded"),
    ("list.rs", "broken"),
    ("registry.rs", "games"),
    ("registry.rs", "of_address"),
    ("registry.rs", "renew"),
    ("service.rs", "eq"),
    ("service.rs", "from"),
    ("state.rs", "note"),
    ("state.rs", "report_removed"),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../masters/src");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut sources = ModuleSources::new(&root);
    let mut file = sources.read(&root.join("lib.rs"), &root);
    let mut mutator = Mutator {
        limits: sources.limits,
        mutants: Vec::new(),
        path: "lib.rs".to_owned(),
        function: String::new(),
    };
    mutator.visit_file_mut(&mut file);
    let rows = mutator.mutants.iter().map(|Mutant { file, function, code, change }| {
        quote! { (#file, #function, #code, #change) }
    });
    let mutants = quote! {
        /// Each mutant: its file, its function, the code, and the change.
        pub static MUTANTS: &[(&str, &str, &str, &str)] = &[#(#rows),*];
    };
    let text = format!("{}\n{mutants}\n", file.to_token_stream());
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("masters.rs"), text).expect("the output folder can be written");
}

/// One fault.
struct Mutant {
    file: String,
    function: String,
    code: String,
    change: String,
}

/// Adds switches.
struct Mutator {
    limits: BTreeSet<String>,
    mutants: Vec<Mutant>,
    path: String,
    function: String,
}

impl Mutator {
    /// The switch of a new mutant.
    fn switch(&mut self, code: &str, change: impl Into<String>) -> Expr {
        let number = u32::try_from(self.mutants.len()).expect("there are fewer mutants");
        let (file, function) = (self.path.clone(), self.function.clone());
        self.mutants.push(Mutant { file, function, code: shown(code), change: change.into() });
        parse_quote!(crate::mutation::is_on(#number))
    }

    /// A function, unless it is left out.
    fn function(&mut self, name: &str, is_const: bool, block: &mut Block) {
        if is_const || LEFT_OUT_FUNCTIONS.contains(&(self.path.as_str(), name)) {
            return;
        }
        let outer = std::mem::replace(&mut self.function, name.to_owned());
        visit_mut::visit_block_mut(self, block);
        self.statements(block);
        self.function = outer;
    }

    /// Statements that are left out.
    fn statements(&mut self, block: &mut Block) {
        for statement in &mut block.stmts {
            let Stmt::Expr(expression, Some(_)) = statement else { continue };
            let is_call = matches!(expression, Expr::MethodCall(_) | Expr::Call(_));
            let is_set = matches!(expression, Expr::Assign(_))
                || matches!(expression, Expr::Binary(of) if is_assignment(&of.op));
            let code = tokens(expression);
            if (!is_call && !is_set) || is_untouched(&code) || code.contains("mutation") {
                continue;
            }
            let on = self.switch(&code, "left out");
            *statement = parse_quote!(if !#on { #expression; });
        }
    }

    /// A condition, which may be turned round.
    fn condition(&mut self, condition: &mut Expr, before: &str) {
        let is_simple = !matches!(condition, Expr::Let(_) | Expr::Binary(_)) && !has_let(condition);
        if is_simple && !is_untouched(before) {
            let on = self.switch(before, "turned round");
            *condition = parse_quote!((#condition) != #on);
        }
    }

    /// A comparison or a combination of conditions.
    /// `operands` are its two sides without switches.
    fn binary(
        &mut self,
        binary: &ExprBinary,
        before: &str,
        operands: &[String; 2],
    ) -> Option<Expr> {
        let ExprBinary { left, op, right, .. } = binary;
        let [left_before, right_before] = operands;
        let boundary: BinOp = match op {
            BinOp::Lt(_) => parse_quote!(<=),
            BinOp::Le(_) => parse_quote!(<),
            BinOp::Gt(_) => parse_quote!(>=),
            BinOp::Ge(_) => parse_quote!(>),
            BinOp::Eq(_) | BinOp::Ne(_) => {
                let on = self.switch(before, "turned round");
                return Some(parse_quote!(((#left #op #right) != #on)));
            }
            BinOp::And(_) => {
                let left = self.operand(left, true, before, left_before);
                let right = self.operand(right, true, before, right_before);
                return Some(parse_quote!(#left && #right));
            }
            BinOp::Or(_) => {
                let left = self.operand(left, false, before, left_before);
                let right = self.operand(right, false, before, right_before);
                return Some(parse_quote!((#left || #right)));
            }
            _ => return None,
        };
        let beyond = self.switch(before, format!("{} for {}", tokens(&boundary), tokens(op)));
        let other = self.switch(before, "turned round");
        Some(parse_quote!(
            ((if #beyond { #left #boundary #right } else { #left #op #right }) != #other)
        ))
    }

    /// A part of a combined condition, which may not count; `text` is the part without switches.
    fn operand(&mut self, operand: &Expr, and: bool, before: &str, text: &str) -> Expr {
        if has_let(operand)
            || matches!(operand, Expr::Binary(of) if matches!(of.op, BinOp::And(_)) && and)
        {
            return operand.clone();
        }
        let on = self.switch(before, format!("without {}", shown(text)));
        if and { parse_quote!((#on || #operand)) } else { parse_quote!((!#on && #operand)) }
    }

    /// A number or a text.
    fn literal(&mut self, literal: &Lit) -> Option<Expr> {
        match literal {
            Lit::Int(int) => {
                let value: u128 = int.base10_parse().ok()?;
                let is_last =
                    [127, 255, 32_767, 65_535].contains(&value) || value > u128::from(u32::MAX / 2);
                let other = if is_last { value - 1 } else { value + 1 };
                let changed = LitInt::new(&format!("{other}{}", int.suffix()), int.span());
                let on = self.switch(&int.to_string(), changed.to_string());
                Some(parse_quote!((if #on { #changed } else { #int })))
            }
            Lit::ByteStr(text) => {
                let mut bytes = text.value();
                *bytes.last_mut()? ^= 1;
                let changed = LitByteStr::new(&bytes, text.span());
                let on = self.switch(&tokens(text), tokens(&changed));
                Some(parse_quote!((if #on { #changed } else { #text })))
            }
            _ => None,
        }
    }
}

impl VisitMut for Mutator {
    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        let path = module.attrs.iter().find_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(of) if of.path.is_ident("doc") => match &of.value {
                Expr::Lit(of) => match &of.lit {
                    Lit::Str(text) => Some(text.value()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
        let path = path.unwrap_or_default();
        if LEFT_OUT.contains(&path.as_str()) {
            return;
        }
        let outer = std::mem::replace(&mut self.path, path);
        visit_mut::visit_item_mod_mut(self, module);
        self.path = outer;
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        let (name, is_const) = (function.sig.ident.to_string(), function.sig.constness.is_some());
        self.function(&name, is_const, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        let (name, is_const) = (function.sig.ident.to_string(), function.sig.constness.is_some());
        self.function(&name, is_const, &mut function.block);
    }

    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let before = tokens(expression);
        if matches!(expression, Expr::Const(_)) {
            return;
        }
        if let Expr::Repeat(repeat) = expression {
            return self.visit_expr_mut(&mut repeat.expr);
        }
        let is_untouched = is_untouched(&before);
        if is_untouched && matches!(expression, Expr::MethodCall(_) | Expr::Binary(_)) {
            return;
        }
        let condition = match expression {
            Expr::If(of) => tokens(&of.cond),
            _ => String::new(),
        };
        let operands = match expression {
            Expr::Binary(of) => [tokens(&of.left), tokens(&of.right)],
            _ => Default::default(),
        };
        match expression {
            // What only a master with an intentional fault does.
            Expr::If(of) if needs_defect(&of.cond) => {
                if let Some((_, otherwise)) = &mut of.else_branch {
                    self.visit_expr_mut(otherwise);
                }
                return;
            }
            Expr::If(of) if is_without_defect(&of.cond) => {
                self.visit_block_mut(&mut of.then_branch);
                return;
            }
            Expr::Tuple(_) if is_untouched => return,
            _ => visit_mut::visit_expr_mut(self, expression),
        }
        if let Expr::Array(array) = expression {
            array.elems.iter_mut().for_each(as_slice);
        }
        let changed = match expression {
            Expr::If(of) => {
                self.condition(&mut of.cond, &condition);
                None
            }
            Expr::Binary(of) if !is_untouched => {
                let of = of.clone();
                self.binary(&of, &before, &operands)
            }
            Expr::Lit(of) => {
                let literal = of.lit.clone();
                self.literal(&literal)
            }
            Expr::Path(path)
                if path
                    .path
                    .get_ident()
                    .is_some_and(|name| self.limits.contains(&name.to_string())) =>
            {
                let on = self.switch(&before, "one more");
                Some(parse_quote!((if #on { #expression + 1 } else { #expression })))
            }
            Expr::MethodCall(call) => {
                let other = match call.method.to_string().as_str() {
                    "min" => "max",
                    "max" => "min",
                    "any" => "all",
                    "all" => "any",
                    "to_be_bytes" => "to_le_bytes",
                    "to_le_bytes" => "to_be_bytes",
                    _ => return,
                };
                let mut swapped = call.clone();
                swapped.method = syn::Ident::new(other, call.method.span());
                let on = self.switch(&before, format!("{other} for {}", call.method));
                Some(parse_quote!((if #on { #swapped } else { #expression })))
            }
            Expr::Match(of) => {
                let has_rest = of.arms.last().is_some_and(|arm| matches!(arm.pat, Pat::Wild(_)));
                let count = of.arms.len();
                for arm in of.arms.iter_mut().take(count.saturating_sub(1)) {
                    let pattern = tokens(&arm.pat);
                    if has_rest && arm.guard.is_none() && !is_untouched_pattern(&pattern) {
                        let on = self.switch(&pattern, "taken for any other");
                        arm.guard = Some((syn::token::If::default(), parse_quote!(!#on)));
                    }
                }
                None
            }
            _ => None,
        };
        if let Some(changed) = changed {
            *expression = changed;
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        if !arm.guard.as_ref().is_some_and(|(_, guard)| needs_defect(guard)) {
            visit_mut::visit_arm_mut(self, arm);
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        self.statements(block);
    }
}

/// A text of an array, as a slice: the others may have other lengths.
fn as_slice(element: &mut Expr) {
    let Expr::Paren(inner) = &*element else { return };
    let Expr::If(of) = &*inner.expr else { return };
    if tokens(&of.then_branch).starts_with("{ b\"") {
        *element = parse_quote!(&#element[..]);
    }
}

/// Intentional faults, counters and events for operators.
fn is_untouched(code: &str) -> bool {
    [
        "Defect ::",
        "counts .",
        ". note (",
        "events",
        "verbose",
        "self . repeated",
        "crashed",
        "_so_far",
        "had_complete",
    ]
    .iter()
    .any(|word| code.contains(word))
        && code.len() < 400
}

fn is_untouched_pattern(pattern: &str) -> bool {
    pattern.contains("Defect")
}

fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::BitAndAssign(_) | BinOp::BitOrAssign(_)
    )
}
