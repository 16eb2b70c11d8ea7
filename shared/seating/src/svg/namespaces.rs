//! Namespaces of the prefixes in a drawing.

use super::syntax::is_ascii_name;

/// Namespace of SVG.
const SVG: &str = "http://www.w3.org/2000/svg";

/// Namespace of `XLink`.
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Namespaces whose names a browser acts on, with any prefix, and those that XML reserves.
const ACTIVE: [&str; 7] = [
    SVG,
    XLINK,
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/2000/xmlns/",
    "http://www.w3.org/2001/xml-events",
];

/// Maximum number of prefixes that apply to an element; each name is compared with all of them.
const MAX_PREFIXES: usize = 64;

/// Prefixes declared by the open elements.
#[derive(Default)]
pub struct Namespaces {
    declared: Vec<Declaration>,
}

struct Declaration {
    depth: usize,
    prefix: String,
    namespace: String,
    is_foreign: bool,
}

impl Namespaces {
    /// Adds the prefix that an element at a depth declares; returns false if there are too many.
    ///
    /// A prefix is foreign if it belongs to a drawing tool: browsers know none of its names. Scripts of pages may
    /// know names such as `x-on:click`, so a prefix with other characters than letters and digits is not foreign.
    /// Neither is a second prefix for one namespace, because two names could then be the same.
    pub fn declare(&mut self, depth: usize, prefix: &str, namespace: &str) -> bool {
        if self.find(prefix).is_some_and(|declared| declared.namespace == namespace) {
            return true;
        }
        let is_foreign = !ACTIVE.contains(&namespace)
            && prefix.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !matches!(prefix.to_ascii_lowercase().as_str(), "on" | "bind")
            && self.declared.iter().all(|other| other.prefix == prefix || other.namespace != namespace);
        let (prefix, namespace) = (prefix.to_owned(), namespace.to_owned());
        let fits = self.declared.len() < MAX_PREFIXES;
        if fits {
            self.declared.push(Declaration { depth, prefix, namespace, is_foreign });
        }
        fits
    }

    /// Removes the declarations of elements deeper than a depth.
    pub fn close(&mut self, depth: usize) {
        while self.declared.pop_if(|declared| declared.depth > depth).is_some() {}
    }

    /// Returns true if a prefix belongs to a drawing tool, and `None` if it is not declared.
    pub fn is_foreign(&self, prefix: &str) -> Option<bool> {
        self.find(prefix).map(|declared| declared.is_foreign)
    }

    fn find(&self, prefix: &str) -> Option<&Declaration> {
        self.declared.iter().rfind(|declared| declared.prefix == prefix)
    }
}

/// Returns true if a namespace may be declared; `prefix` is the attribute name after `xmlns`.
pub fn may_be_declared(prefix: &str, namespace: &str) -> bool {
    match prefix.strip_prefix(':') {
        None => prefix.is_empty() && namespace == SVG,
        Some("xlink") => namespace == XLINK,
        Some(prefix) => {
            let lower = prefix.to_ascii_lowercase();
            is_ascii_name(prefix)
                && lower != "xlink"
                && !lower.starts_with("xml")
                && !matches!(namespace, "" | "http://www.w3.org/XML/1998/namespace" | "http://www.w3.org/2000/xmlns/")
        }
    }
}
