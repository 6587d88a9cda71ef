//! The modules of a crate, and which file an item is defined in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::{Item, UseTree, Visibility};

/// The names from the root of a crate to a module.
pub(crate) type ModulePath = Vec<String>;

/// A file of a crate, as a module.
pub(crate) struct Module {
    /// The file, from the sources' folder on.
    pub(crate) file: String,
    pub(crate) items: Vec<Item>,
    /// The items that are defined here.
    defined: BTreeSet<String>,
    /// What is handed on: the name that is seen here, and what it stands for.
    reexports: Vec<(String, ModulePath)>,
    /// The modules of which all items are handed on.
    globs: Vec<ModulePath>,
}

/// The modules of a crate.
pub(crate) struct Names {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Names {
    pub(crate) fn of_crate(source: &Path) -> Self {
        let mut modules = BTreeMap::new();
        read_folder(source, source, &mut modules);
        Self { modules }
    }

    /// The file that defines what a path from the root of the crate stands for, with its last name; nothing where it does
    /// not lead to an item of the crate.
    pub(crate) fn definition(&self, path: &[String]) -> Option<(String, String)> {
        self.look_up(path, 0)
    }

    fn look_up(&self, path: &[String], depth: usize) -> Option<(String, String)> {
        // Modules may hand on each other's items.
        if depth > 8 {
            return None;
        }
        let known = (0..=path.len()).rev();
        let mut known = known.filter(|length| self.modules.contains_key(&path[..*length]));
        let length = known.next()?;
        let module = &self.modules[&path[..length]];
        let Some(item) = path.get(length) else {
            return Some((module.file.clone(), path.last().cloned()?));
        };
        if module.defined.contains(item) {
            return Some((module.file.clone(), item.clone()));
        }
        let renamed = module.reexports.iter().filter(|(name, _)| name == item);
        let named = renamed.map(|(_, target)| target.clone());
        let of_globs = module.globs.iter();
        let of_globs = of_globs.map(|glob| [&glob[..], std::slice::from_ref(item)].concat());
        named
            .chain(of_globs)
            .find_map(|target| self.look_up(&target, depth + 1))
    }

    /// The path from the root of the crate that is meant by one in a module, if it leads into the crate.
    pub(crate) fn absolute(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let mut at: ModulePath = module.to_vec();
        let mut rest = path.iter().peekable();
        match rest.peek()?.as_str() {
            "crate" => {
                at.clear();
                rest.next();
            }
            "self" => drop(rest.next()),
            "super" => {
                while rest.peek().is_some_and(|name| *name == "super") {
                    at.pop();
                    rest.next();
                }
            }
            first => {
                at.push(first.to_owned());
                if !self.modules.contains_key(&at) {
                    return None;
                }
                at.pop();
            }
        }
        at.extend(rest.cloned());
        Some(at)
    }
}

fn read_folder(root: &Path, folder: &Path, modules: &mut BTreeMap<ModulePath, Module>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_folder(root, &path, modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = path.strip_prefix(root).expect("inside of the sources");
            let name = module_path(file);
            let text = fs::read_to_string(&path).expect("a source");
            let parsed = syn::parse_file(&text).expect("a source that compiles");
            let file = file.display().to_string();
            modules.insert(name.clone(), Module::new(file, &name, parsed.items));
        }
    }
}

fn module_path(file: &Path) -> ModulePath {
    let names = file.with_extension("");
    let names = names.iter().map(|name| name.to_string_lossy().into_owned());
    let mut names: ModulePath = names.collect();
    if matches!(
        names.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        names.pop();
    }
    names
}

impl Module {
    fn new(file: String, path: &[String], items: Vec<Item>) -> Self {
        let mut module = Self {
            file,
            items: Vec::new(),
            defined: items.iter().filter_map(name_of).collect(),
            reexports: Vec::new(),
            globs: Vec::new(),
        };
        for item in &items {
            if let Item::Use(used) = item
                && !matches!(used.vis, Visibility::Inherited)
            {
                module.hand_on(path, &used.tree, Vec::new());
            }
        }
        module.items = items;
        module
    }

    fn hand_on(&mut self, path: &[String], tree: &UseTree, mut prefix: Vec<String>) {
        let from_here = |names: &[String]| -> ModulePath {
            match names.first().map(String::as_str) {
                Some("crate") => names[1..].to_vec(),
                Some("self") => [path, &names[1..]].concat(),
                Some("super") => [&path[..path.len() - 1], &names[1..]].concat(),
                _ => [path, names].concat(),
            }
        };
        match tree {
            UseTree::Path(inner) => {
                prefix.push(inner.ident.to_string());
                self.hand_on(path, &inner.tree, prefix);
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                prefix.push(name.clone());
                self.reexports.push((name, from_here(&prefix)));
            }
            UseTree::Rename(name) => {
                prefix.push(name.ident.to_string());
                let seen = name.rename.to_string();
                self.reexports.push((seen, from_here(&prefix)));
            }
            UseTree::Glob(_) => self.globs.push(from_here(&prefix)),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.hand_on(path, tree, prefix.clone());
                }
            }
        }
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}
