//! Style sheets that drawing tools write.
//!
//! Illustrator, Corel and Visio give each combination of properties a class with a generated name, and write one
//! rule for it: `.cls-1{fill:#fff;stroke:none}`. Only such rules are accepted. A page that shows the drawing applies
//! them to its own elements too, but names such as `cls-1` are rare there.

use super::{
    MAX_FAULTS,
    edge::Edge,
    syntax::{is_generated_class, is_space},
    values::{declaration_references, forbidden_part, split_declarations},
};

/// Content of a `style` element.
#[derive(Debug, Default)]
pub struct StyleSheet<'a> {
    /// Accepted rules.
    pub rules: Vec<Rule<'a>>,
    /// Parts that are not accepted, in the order of the text. If no selector of a rule is accepted, it is one part.
    pub rejected: Vec<&'a str>,
}

/// Rule of a style sheet.
#[derive(Debug, PartialEq)]
pub struct Rule<'a> {
    /// Classes that it selects.
    pub classes: Vec<&'a str>,
    /// Ids in its values.
    pub references: Vec<(Edge, &'a str)>,
}

impl<'a> StyleSheet<'a> {
    /// Reads CSS without comments, escapes and `@` rules; ends after the maximum number of faults.
    pub fn read(css: &'a str) -> Self {
        let mut sheet = Self::default();
        let mut rest = css.trim_matches(is_space);
        while !rest.is_empty() && sheet.rejected.len() < MAX_FAULTS {
            let rule = rest.split_once('{').and_then(|(selectors, rest)| Some((selectors, rest.split_once('}')?)));
            let Some((selectors, (block, after))) = rule else {
                sheet.rejected.push(rest);
                break;
            };
            rest = after.trim_start_matches(is_space);
            let selectors = selectors.trim_end_matches(is_space);
            let (classes, others): (Vec<_>, Vec<_>) = selectors
                .split(',')
                .map(|selector| selector.trim_matches(is_space))
                .partition(|selector| selector.strip_prefix('.').is_some_and(is_generated_class));
            if classes.is_empty() {
                sheet.rejected.push(selectors);
                continue;
            }
            sheet.rejected.extend(others);
            let mut references = Vec::new();
            for css in split_declarations(block) {
                match declaration_references(None, css) {
                    // No reference is accepted, because HTML does not decode it in CDATA.
                    Ok(ids) if forbidden_part(css).is_none() && !css.contains('&') => references.extend(ids),
                    _ => sheet.rejected.push(css),
                }
            }
            sheet.rules.push(Rule { classes: classes.into_iter().map(|class| &class[1..]).collect(), references });
        }
        sheet.rejected.truncate(MAX_FAULTS);
        sheet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_drawing_tools_are_read() {
        for (css, classes, references) in [
            (".cls-1,\n.cls-2 { fill : none ; stroke:url(#a) }", vec!["cls-1", "cls-2"], vec![(Edge::Paint, "a")]),
            (".fil0 {}", vec!["fil0"], vec![]),
            (".fnt2{font-family:'Noto Sans', \"나눔고딕\"}", vec!["fnt2"], vec![]),
        ] {
            let sheet = StyleSheet::read(css);
            assert_eq!((sheet.rules, sheet.rejected), (vec![Rule { classes, references }], vec![]), "{css}");
        }
        assert_eq!(StyleSheet::read(" \n").rules, []);
        assert_eq!(StyleSheet::read(".a1{fill:red}\n.a2{fill:red}").rules.len(), 2);
    }

    #[test]
    fn other_selectors_are_rejected() {
        for selector in "|*|rect|.st|.0|#st0|.st0 .st1|.st0:hover|.s_t0|.st-a0|.st--0|.st0-".split('|') {
            let css = format!("{selector}{{fill:none}}");
            assert_eq!(StyleSheet::read(&css).rejected, [selector], "{css}");
        }
        assert_eq!(StyleSheet::read(".st0 , rect{position:fixed}").rejected, ["rect", "position:fixed"]);
        let css = "@font-face {src:url(a)}rect, #a > b\n{position:fixed;fill:red} .st0{fill:red}";
        let sheet = StyleSheet::read(css);
        assert_eq!((sheet.rejected, sheet.rules.len()), (vec!["@font-face", "rect, #a > b"], 1));
    }

    #[test]
    fn other_declarations_are_rejected() {
        let declarations = "position:fixed|--a:1|fill|fill:|d:none|mso-x,*{position:fixed|-inkscape-x,*{top:0\
                            |fill:var(--a)|fill:url(//evil.example)|fill:url(#a|font-family:'a|filter:blur(9px)\
                            |cursor:url(#a)|fill:\\72 ed|fill:/**/red";
        for declaration in declarations.split('|') {
            let css = format!(".a1{{stroke:none;{declaration}}}");
            assert_eq!(StyleSheet::read(&css).rejected, [declaration], "{css}");
        }
    }

    #[test]
    fn text_that_is_no_rule_is_rejected() {
        for css in ["@import 'a';", ".a1", ".a1{fill:red", "<!-- -->", ".a1{fill:red}}"] {
            assert_eq!(StyleSheet::read(css).rejected.len(), 1, "{css}");
        }
        assert_eq!(StyleSheet::read("@media print{.a1{fill:red}}").rejected, ["@media print", "}"]);
    }
}
