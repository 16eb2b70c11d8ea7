//! Kinds of seats that differ from ordinary ones, and which of them a group of buyers can use.

use serde::{Serialize, Serializer};

use crate::{described, violation::Violation};

/// Kind of a seat that is no ordinary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeatKind {
    /// Place for a wheelchair.
    Wheelchair,
    /// Seat beside a wheelchair place, for a companion.
    Companion,
    /// Seat from which a part of the stage is hidden.
    RestrictedView,
}

described!(SeatKind as "SeatKind", {
    "description": "`WHEELCHAIR`: place for a wheelchair. `COMPANION`: seat beside one. `RESTRICTED_VIEW`: a part of the \
                    stage is hidden.",
    "type": "string",
    "enum": Self::NAMES,
});

impl SeatKind {
    /// All kinds, in the order of their names.
    pub const ALL: [Self; 3] = [Self::Wheelchair, Self::Companion, Self::RestrictedView];

    /// Number of kinds.
    pub const COUNT: usize = Self::ALL.len();

    /// Names of the kinds in requests and responses, in the order of the variants.
    pub const NAMES: &[&str] = &["WHEELCHAIR", "COMPANION", "RESTRICTED_VIEW"];

    /// Returns the kind with this name.
    ///
    /// # Errors
    ///
    /// Returns `NotOneOf` if none has it.
    pub fn parse(name: &str) -> Result<Self, Vec<Violation>> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| vec![Violation::NotOneOf(Self::NAMES)])
    }

    /// Returns the name for people.
    #[must_use]
    pub fn korean(self) -> &'static str {
        match self {
            Self::Wheelchair => "휠체어석",
            Self::Companion => "동반석",
            Self::RestrictedView => "시야제한석",
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Serialize for SeatKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Seats that a group of buyers can use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Usable {
    /// Ordinary seats.
    #[default]
    Ordinary,
    /// Ordinary seats, and those with a restricted view.
    AnyView,
    /// Wheelchair places, at least one of them.
    Wheelchair,
    /// Wheelchair places, at least one of them, and seats of companions.
    WheelchairAndCompanion,
}

impl Usable {
    /// Returns the seats that a group can use if it asks for seats of these kinds, too.
    ///
    /// # Errors
    ///
    /// Returns `CompanionsOnly` if a group asks for seats of companions, but for no wheelchair place.
    pub fn with_kinds(kinds: &[SeatKind]) -> Result<Self, Violation> {
        let has = |kind| kinds.contains(&kind);
        match (has(SeatKind::Wheelchair), has(SeatKind::Companion), has(SeatKind::RestrictedView)) {
            (true, true, _) => Ok(Self::WheelchairAndCompanion),
            (true, false, _) => Ok(Self::Wheelchair),
            (false, true, _) => Err(Violation::CompanionsOnly),
            (false, false, true) => Ok(Self::AnyView),
            (false, false, false) => Ok(Self::Ordinary),
        }
    }

    /// Returns true if the group needs a wheelchair place.
    #[must_use]
    pub fn needs_wheelchair(self) -> bool {
        matches!(self, Self::Wheelchair | Self::WheelchairAndCompanion)
    }

    /// Returns true if the group can use a seat of this kind; an ordinary one has none.
    #[must_use]
    pub fn includes(self, kind: Option<SeatKind>) -> bool {
        match kind {
            None => !self.needs_wheelchair(),
            Some(SeatKind::Wheelchair) => self.needs_wheelchair(),
            Some(SeatKind::Companion) => self == Self::WheelchairAndCompanion,
            Some(SeatKind::RestrictedView) => self == Self::AnyView,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_exact() {
        for kind in SeatKind::ALL {
            assert_eq!(SeatKind::parse(kind.name()), Ok(kind));
        }
        for other in ["wheelchair", " WHEELCHAIR", "WHEELCHAIR ", "ORDINARY"] {
            assert_eq!(SeatKind::parse(other), Err(vec![Violation::NotOneOf(SeatKind::NAMES)]), "{other}");
        }
    }

    #[test]
    fn group_uses_only_kinds_that_it_names() {
        use SeatKind::{Companion, RestrictedView, Wheelchair};
        for (kinds, usable) in [
            (&[][..], &[None][..]),
            (&[RestrictedView], &[None, Some(RestrictedView)]),
            (&[Wheelchair], &[Some(Wheelchair)]),
            (&[Wheelchair, RestrictedView], &[Some(Wheelchair)]),
            (&[Companion, Wheelchair], &[Some(Wheelchair), Some(Companion)]),
            (&[RestrictedView, Companion, Wheelchair], &[Some(Wheelchair), Some(Companion)]),
        ] {
            let group = Usable::with_kinds(kinds).unwrap();
            let all = [None, Some(Wheelchair), Some(Companion), Some(RestrictedView)];
            assert_eq!(all.into_iter().filter(|kind| group.includes(*kind)).collect::<Vec<_>>(), usable, "{kinds:?}");
            assert_eq!(group.needs_wheelchair(), kinds.contains(&Wheelchair));
        }
        for kinds in [&[Companion][..], &[RestrictedView, Companion]] {
            assert_eq!(Usable::with_kinds(kinds), Err(Violation::CompanionsOnly));
        }
    }
}
