//! Identifiers.

use uuid::Uuid;

/// Parses a UUID of 8-4-4-4-12 hexadecimal digits in either case.
#[must_use]
pub fn parse(text: &str) -> Option<Uuid> {
    const HYPHENATED: usize = 36;
    if text.len() != HYPHENATED {
        return None;
    }
    Uuid::try_parse(text).ok()
}

/// Derives the identifier of the `index`-th member of `owner`'s collection `kind`.
///
/// The identifier (UUID version 5) is always the same, so it need not be stored.
#[must_use]
pub fn derive(owner: Uuid, kind: &str, index: usize) -> Uuid {
    Uuid::new_v5(&owner, format!("{kind}/{index}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_case_is_ignored() {
        let lower = parse("0196a1b2-0000-7000-8000-00000000abcd");
        assert!(lower.is_some());
        assert_eq!(lower, parse("0196A1B2-0000-7000-8000-00000000ABCD"));
    }

    #[test]
    fn other_uuid_formats_are_rejected() {
        for text in [
            "",
            "0196a1b2000070008000000000000abcd",
            "{0196a1b2-0000-7000-8000-00000000abcd}",
            "urn:uuid:0196a1b2-0000-7000-8000-00000000abcd",
            "0196a1b2-0000-7000-8000-00000000abcg",
            "0196a1b2-0000-7000-8000-00000000abcd ",
            "0196a1b20000-7000-8000-0000-00000000abcd",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn derived_ids_are_distinct_and_stable() {
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let ids = [derive(a, "seats", 0), derive(a, "seats", 1), derive(a, "areas", 0), derive(b, "seats", 0)];
        let distinct: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
        assert_eq!(ids[0], derive(a, "seats", 0));
        assert_eq!(ids[0].get_version_num(), 5);
    }
}
