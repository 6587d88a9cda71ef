//! Which file of a crate takes what from which other.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

use crate::names::{ModulePath, Names};

/// A file, another one, and the item that the first takes from it.
pub(crate) type Arrow = (String, String, String);

/// All arrows between the files of a crate. What a file hands on to others is none: these take it from where it is defined.
/// Tests inside a file are left out.
pub(crate) fn of_crate(names: &Names) -> Vec<Arrow> {
    let mut arrows = BTreeSet::new();
    for (path, module) in &names.modules {
        let mut reader = Reader {
            names,
            module: path,
            paths: BTreeSet::new(),
        };
        module.items.iter().for_each(|item| reader.visit_item(item));
        for path in reader.paths {
            if let Some((file, item)) = names.definition(&path)
                && file != module.file
            {
                arrows.insert((module.file.clone(), file, item));
            }
        }
    }
    arrows.into_iter().collect()
}

/// Collects the paths in a file that lead into its crate.
struct Reader<'n> {
    names: &'n Names,
    module: &'n ModulePath,
    paths: BTreeSet<ModulePath>,
}

impl Reader<'_> {
    fn note(&mut self, path: &[String]) {
        let path = self.names.absolute(self.module, path);
        // A path to the module itself or to one that it is in says nothing about what is taken from there.
        self.paths
            .extend(path.filter(|path| !self.module.starts_with(path)));
    }

    fn note_tree(&mut self, tree: &UseTree, mut prefix: Vec<String>) {
        match tree {
            UseTree::Path(inner) => {
                prefix.push(inner.ident.to_string());
                self.note_tree(&inner.tree, prefix);
            }
            UseTree::Name(name) if name.ident == "self" => self.note(&prefix),
            UseTree::Name(name) => {
                prefix.push(name.ident.to_string());
                self.note(&prefix);
            }
            UseTree::Rename(name) => {
                prefix.push(name.ident.to_string());
                self.note(&prefix);
            }
            UseTree::Glob(_) => self.note(&prefix),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_tree(tree, prefix.clone());
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Use(used) if is_test(&used.attrs) => {}
            Item::Fn(function) if is_test(&function.attrs) => {}
            Item::Impl(block) if is_test(&block.attrs) => {}
            Item::Use(used) if matches!(used.vis, Visibility::Inherited) => {
                self.note_tree(&used.tree, Vec::new());
            }
            Item::Use(_) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        let names: Vec<String> = names.collect();
        if names.len() > 1 {
            self.note(&names);
        }
        visit::visit_path(self, path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<syn::Ident>()
                    .is_ok_and(|cfg| cfg == "test"))
    })
}
