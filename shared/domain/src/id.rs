//! Identifiers.

mod sha1;

use uuid::{Builder, Uuid};

use sha1::LANES;

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

/// Derives the identifiers of the first `count` members of `owner`'s collection `kind`.
///
/// They equal those of [`derive()`], but eight of them are hashed at once.
///
/// # Panics
///
/// Panics if `kind` has more than 18 bytes.
pub fn derive_all(owner: Uuid, kind: &str, count: usize) -> impl Iterator<Item = Uuid> {
    let prefix = [owner.as_bytes(), kind.as_bytes(), b"/"].concat();
    let groups = (0..count).step_by(LANES).map(move |first| {
        let mut decimal = itoa::Buffer::new();
        let messages = std::array::from_fn(|lane| sha1::Block::new(&prefix, decimal.format(first + lane).as_bytes()));
        sha1::digests(&messages)
    });
    groups.flatten().take(count).map(|digest| Builder::from_sha1_bytes(digest).into_uuid())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn ids_derived_together_are_the_same(owner: u128, kind in "[a-zA-Z가-힣]{0,6}", count in 0..1_100_usize) {
            let owner = Uuid::from_u128(owner);
            let expected = (0..count).map(|index| derive(owner, &kind, index));
            prop_assert!(derive_all(owner, &kind, count).eq(expected));
        }
    }
}
