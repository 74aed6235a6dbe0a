//! Reads the sources of a crate as one file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, File, Item, ItemMod, parse_quote};

use super::code::tokens;

/// Reads modules, and the names of integer constants.
pub struct ModuleSources {
    /// The folder of the crate's sources.
    root: PathBuf,
    pub limits: BTreeSet<String>,
}

impl ModuleSources {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), limits: BTreeSet::new() }
    }

    /// A file with its modules in it.
    pub fn read(&mut self, path: &Path, folder: &Path) -> File {
        let text =
            fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let mut file =
            syn::parse_file(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        file.attrs.clear();
        file.items.retain(|item| !is_test(item));
        for item in &mut file.items {
            self.limits.extend(limit(item));
            if let Item::Mod(module) = item {
                self.read_module(module, folder);
            }
        }
        file
    }

    fn read_module(&mut self, module: &mut ItemMod, folder: &Path) {
        let name = module.ident.to_string();
        let below = folder.join(&name);
        let beside = folder.join(format!("{name}.rs"));
        let path = if beside.exists() { beside } else { below.join("mod.rs") };
        let items = match &mut module.content {
            Some((_, items)) => std::mem::take(items),
            None => self.read(&path, &below).items,
        };
        // The mutator learns the file from this.
        let shown = path.strip_prefix(&self.root).unwrap_or(&path);
        let shown = shown.to_string_lossy().replace('\\', "/");
        module.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        module.attrs.push(parse_quote!(#[doc = #shown]));
        module.content = Some((syn::token::Brace::default(), items));
        module.semi = None;
    }
}

fn is_test(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Mod(module) => &module.attrs,
        Item::Use(of) => &of.attrs,
        Item::Fn(of) => &of.attrs,
        _ => &[],
    };
    attributes.iter().any(|one| one.path().is_ident("cfg") && tokens(one).contains("test"))
}

/// The name of an integer constant.
fn limit(item: &Item) -> Option<String> {
    let Item::Const(constant) = item else { return None };
    let integers = ["usize", "u8", "u16", "u32", "u64", "i16", "i32", "i64"];
    integers.contains(&tokens(&constant.ty).as_str()).then(|| constant.ident.to_string())
}
