//! Members.

use uuid::Uuid;

use crate::{email::Email, nickname::Nickname, password::Password, text::Line};

/// A member's name, of at most 20 characters.
pub type Name = Line<20>;

/// A registered member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Given by the service.
    pub id: Uuid,
    /// Unique without regard to case.
    pub email: Email,
    /// Need not be unique.
    pub name: Name,
    /// Unique after folding.
    pub nickname: Nickname,
}

impl Member {
    /// Makes a member of who registered.
    #[must_use]
    pub fn new(id: Uuid, registration: Registration) -> Self {
        Self { id, email: registration.email, name: registration.name, nickname: registration.nickname }
    }
}

/// A request to become a member.
#[derive(Debug)]
pub struct Registration {
    /// The address to log in with.
    pub email: Email,
    /// The name.
    pub name: Name,
    /// The nickname.
    pub nickname: Nickname,
    /// The password, to be hashed.
    pub password: Password,
}

/// A request to log in.
#[derive(Debug)]
pub struct Credentials {
    /// The address of a member, perhaps.
    pub email: Email,
    /// Their password, perhaps.
    pub password: Password,
}
