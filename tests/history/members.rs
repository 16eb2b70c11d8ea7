//! What joining and logging in promise, for a few e-mail addresses and nicknames.

use uuid::Uuid;

use crate::linearizability::Model;

/// How many addresses there are.
pub const EMAILS: usize = 4;
/// How many nicknames there are, each a bit of a mask.
pub const NICKNAMES: usize = 4;

/// Addresses and nicknames, and who has them. They are one object, since a registration is of both
/// at the same instant, and is told of the address where both are taken.
pub struct Members;

/// Who has each address, and which nicknames are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taken {
    emails: [Option<Member>; EMAILS],
    nicknames: u8,
}

/// A member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The id.
    pub id: Uuid,
    /// Which of the nicknames.
    pub nickname: usize,
    /// Which of the passwords.
    pub password: usize,
}

/// What a client did, and what it was told.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Joined.
    Join { email: usize, nickname: usize, password: usize, told: Result<Joining, String> },
    /// Logged in.
    Login { email: usize, password: usize, told: Result<LoggingIn, String> },
}

/// How a registration was answered.
#[derive(Clone, Debug)]
pub enum Joining {
    Joined(Uuid),
    EmailTaken,
    NicknameTaken,
}

/// How a login was answered.
#[derive(Clone, Debug)]
pub enum LoggingIn {
    LoggedIn { id: Uuid, nickname: usize },
    WrongCredentials,
}

impl Model for Members {
    type State = Taken;
    type Operation = Operation;

    fn step(state: &Taken, operation: &Operation) -> Option<Taken> {
        let is_answered_so = match operation {
            Operation::Join { email, nickname, password, told } => {
                let has_email = state.emails[*email].is_some();
                let has_nickname = state.nicknames & (1 << nickname) != 0;
                match told {
                    Ok(Joining::Joined(id)) if !has_email && !has_nickname => {
                        let mut next = state.clone();
                        let member = Member { id: *id, nickname: *nickname, password: *password };
                        next.emails[*email] = Some(member);
                        next.nicknames |= 1 << nickname;
                        return Some(next);
                    }
                    Ok(Joining::EmailTaken) => has_email,
                    Ok(Joining::NicknameTaken) => !has_email && has_nickname,
                    Ok(Joining::Joined(_)) | Err(_) => false,
                }
            }
            Operation::Login { email, password, told } => {
                let member = state.emails[*email].filter(|member| member.password == *password);
                match told {
                    Ok(LoggingIn::LoggedIn { id, nickname }) => {
                        member.is_some_and(|member| (member.id, member.nickname) == (*id, *nickname))
                    }
                    Ok(LoggingIn::WrongCredentials) => member.is_none(),
                    Err(_) => false,
                }
            }
        };
        is_answered_so.then(|| state.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearizability::{Call, linearize};

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn join(email: usize, nickname: usize, told: Joining) -> Operation {
        Operation::Join { email, nickname, password: 0, told: Ok(told) }
    }

    fn login(told: LoggingIn) -> Operation {
        Operation::Login { email: 0, password: 0, told: Ok(told) }
    }

    fn one_after_another(operations: Vec<Operation>) -> Result<(), usize> {
        let call = |(operation, time)| Call { operation, invoked: time, answered: time + 1 };
        linearize::<Members>(&operations.into_iter().zip((0..).step_by(2)).map(call).collect::<Vec<_>>())
    }

    fn at_once(operations: Vec<Operation>) -> Result<(), usize> {
        let call = |(operation, time)| Call { operation, invoked: time, answered: time + 100 };
        linearize::<Members>(&operations.into_iter().zip(0..).map(call).collect::<Vec<_>>())
    }

    #[test]
    fn email_and_nickname_are_unique() {
        for (email, nickname) in [(0, 0), (0, 1), (1, 0)] {
            let both = || vec![join(0, 0, Joining::Joined(ONE)), join(email, nickname, Joining::Joined(TWO))];
            assert_eq!(one_after_another(both()), Err(1));
            assert!(at_once(both()).is_err());
        }
        let others = vec![join(0, 0, Joining::Joined(ONE)), join(1, 1, Joining::Joined(TWO))];
        assert_eq!(one_after_another(others), Ok(()));
    }

    #[test]
    fn taken_email_is_reported_first() {
        let after_one = |refused| one_after_another(vec![join(0, 0, Joining::Joined(ONE)), refused]);
        assert_eq!(after_one(join(0, 0, Joining::EmailTaken)), Ok(()));
        assert_eq!(after_one(join(0, 0, Joining::NicknameTaken)), Err(1));
        assert_eq!(after_one(join(0, 1, Joining::EmailTaken)), Ok(()));
        assert_eq!(after_one(join(1, 0, Joining::NicknameTaken)), Ok(()));
        assert_eq!(after_one(join(1, 0, Joining::EmailTaken)), Err(1));
        assert_eq!(after_one(join(1, 1, Joining::NicknameTaken)), Err(1));
    }

    #[test]
    fn free_email_is_not_rejected() {
        let early = || vec![join(0, 0, Joining::EmailTaken), join(0, 0, Joining::Joined(ONE))];
        assert_eq!(one_after_another(early()), Err(0));
        assert_eq!(at_once(early()), Ok(()));
    }

    #[test]
    fn login_returns_matching_member() {
        let logged_in = |id, nickname| login(LoggingIn::LoggedIn { id, nickname });
        let refused = || login(LoggingIn::WrongCredentials);
        let joined = || join(0, 0, Joining::Joined(ONE));
        assert_eq!(one_after_another(vec![refused(), joined(), logged_in(ONE, 0)]), Ok(()));
        assert_eq!(one_after_another(vec![logged_in(ONE, 0), joined()]), Err(0));
        assert_eq!(one_after_another(vec![joined(), refused()]), Err(1));
        assert_eq!(one_after_another(vec![joined(), logged_in(TWO, 0)]), Err(1));
        assert_eq!(one_after_another(vec![joined(), logged_in(ONE, 1)]), Err(1));
    }

    #[test]
    fn unexpected_response_is_a_violation() {
        let answer = || "503 S_003".to_owned();
        assert_eq!(
            one_after_another(vec![Operation::Join {
                email: 0,
                nickname: 0,
                password: 0,
                told: Err(answer())
            }]),
            Err(0)
        );
        assert_eq!(
            one_after_another(vec![Operation::Login { email: 0, password: 0, told: Err(answer()) }]),
            Err(0)
        );
    }
}
