//! Code as text.

use proc_macro2::TokenStream;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprBinary, UnOp};

/// Whether a condition binds names.
pub fn has_let(expression: &Expr) -> bool {
    struct Finder(bool);
    impl Visit<'_> for Finder {
        fn visit_expr_let(&mut self, _: &syn::ExprLet) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &Block) {}
        fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}
    }
    let mut finder = Finder(false);
    finder.visit_expr(expression);
    finder.0
}

/// Whether a condition holds only for a master with an intentional fault: one of its parts is
/// `has(defect)`.
pub fn needs_defect(condition: &Expr) -> bool {
    match condition {
        Expr::MethodCall(call) => call.method == "has",
        Expr::Paren(inner) => needs_defect(&inner.expr),
        Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => {
            needs_defect(left) || needs_defect(right)
        }
        _ => false,
    }
}

/// Whether a condition does not hold only for a master with an intentional fault.
pub fn is_without_defect(condition: &Expr) -> bool {
    match condition {
        Expr::Unary(of) => matches!(of.op, UnOp::Not(_)) && needs_defect(&of.expr),
        _ => false,
    }
}

pub fn tokens(of: &impl quote::ToTokens) -> String {
    let mut stream = TokenStream::new();
    of.to_tokens(&mut stream);
    stream.to_string()
}

/// Code in one short line: without the blanks between tokens, and without switches.
pub fn shown(code: &str) -> String {
    let mut text = code.split_whitespace().collect::<Vec<_>>().join(" ");
    for (spaced, plain) in [
        (" . ", "."),
        (" ( ", "("),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" :: ", "::"),
        (" ,", ","),
        ("& ", "&"),
        (" ?", "?"),
        ("! ", "!"),
        (" [", "["),
        (" ]", "]"),
        ("[ ", "["),
        (" ;", ";"),
        ("* ", "*"),
        (":: <", "::<"),
    ] {
        text = text.replace(spaced, plain);
    }
    let mut short: String = text.chars().take(120).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
