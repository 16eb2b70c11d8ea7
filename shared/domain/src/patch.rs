//! Patch of a value that can be missing, as in a JSON merge patch (RFC 7396).

/// Patch of a value that can be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The value stays as it is.
    #[default]
    Keep,
    /// The value is removed.
    Remove,
    /// The value is replaced.
    Replace(T),
}

impl<T: Clone> Patch<T> {
    /// Returns a value after the patch.
    #[must_use]
    pub fn applied(&self, value: Option<T>) -> Option<T> {
        match self {
            Self::Keep => value,
            Self::Remove => None,
            Self::Replace(new) => Some(new.clone()),
        }
    }
}
