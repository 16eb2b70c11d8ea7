//! Sequential model of members with a few e-mail addresses and nicknames.

use uuid::Uuid;

use crate::linearizability::Model;

pub const EMAILS: usize = 4;
/// Number of nicknames; a set of them is a bit mask.
pub const NICKNAMES: usize = 4;

/// Model of addresses and nicknames. They are one object, since a registration takes
/// both at the same instant. If both are taken, the response names the address.
pub struct Members;

/// Member with each address, and the nicknames that are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MembersState {
    emails: [Option<Member>; EMAILS],
    nicknames: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    pub id: Uuid,
    pub nickname: usize,
    pub password: usize,
}

/// Operation of a client and its response; an `Err` is an unexpected response.
#[derive(Clone, Debug)]
pub enum Operation {
    Join { email: usize, nickname: usize, password: usize, response: Result<JoinResponse, String> },
    Login { email: usize, password: usize, response: Result<LoginResponse, String> },
}

#[derive(Clone, Debug)]
pub enum JoinResponse {
    Joined(Uuid),
    EmailTaken,
    NicknameTaken,
}

#[derive(Clone, Debug)]
pub enum LoginResponse {
    LoggedIn { id: Uuid, nickname: usize },
    WrongCredentials,
}

impl Model for Members {
    type State = MembersState;
    type Operation = Operation;

    fn step(state: &MembersState, operation: &Operation) -> Option<MembersState> {
        let is_allowed = match operation {
            Operation::Join { email, nickname, password, response } => {
                let has_email = state.emails[*email].is_some();
                let has_nickname = state.nicknames & (1 << nickname) != 0;
                match response {
                    Ok(JoinResponse::Joined(id)) if !has_email && !has_nickname => {
                        let mut next = state.clone();
                        let member = Member { id: *id, nickname: *nickname, password: *password };
                        next.emails[*email] = Some(member);
                        next.nicknames |= 1 << nickname;
                        return Some(next);
                    }
                    Ok(JoinResponse::EmailTaken) => has_email,
                    Ok(JoinResponse::NicknameTaken) => !has_email && has_nickname,
                    Ok(JoinResponse::Joined(_)) | Err(_) => false,
                }
            }
            Operation::Login { email, password, response } => {
                let member = state.emails[*email].filter(|member| member.password == *password);
                match response {
                    Ok(LoginResponse::LoggedIn { id, nickname }) => {
                        member.is_some_and(|member| (member.id, member.nickname) == (*id, *nickname))
                    }
                    Ok(LoginResponse::WrongCredentials) => member.is_none(),
                    Err(_) => false,
                }
            }
        };
        is_allowed.then(|| state.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearizability::{Call, linearize};

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn join(email: usize, nickname: usize, response: JoinResponse) -> Operation {
        Operation::Join { email, nickname, password: 0, response: Ok(response) }
    }

    fn login(response: LoginResponse) -> Operation {
        Operation::Login { email: 0, password: 0, response: Ok(response) }
    }

    fn in_sequence(operations: Vec<Operation>) -> Result<(), usize> {
        let call = |(operation, time)| Call { operation, invoked: time, completed: time + 1 };
        linearize::<Members>(&operations.into_iter().zip((0..).step_by(2)).map(call).collect::<Vec<_>>())
    }

    fn concurrently(operations: Vec<Operation>) -> Result<(), usize> {
        let call = |(operation, time)| Call { operation, invoked: time, completed: time + 100 };
        linearize::<Members>(&operations.into_iter().zip(0..).map(call).collect::<Vec<_>>())
    }

    #[test]
    fn email_and_nickname_are_unique() {
        for (email, nickname) in [(0, 0), (0, 1), (1, 0)] {
            let both = || vec![join(0, 0, JoinResponse::Joined(ONE)), join(email, nickname, JoinResponse::Joined(TWO))];
            assert_eq!(in_sequence(both()), Err(1));
            assert!(concurrently(both()).is_err());
        }
        let others = vec![join(0, 0, JoinResponse::Joined(ONE)), join(1, 1, JoinResponse::Joined(TWO))];
        assert_eq!(in_sequence(others), Ok(()));
    }

    #[test]
    fn taken_email_is_reported_first() {
        let after_one = |rejected| in_sequence(vec![join(0, 0, JoinResponse::Joined(ONE)), rejected]);
        assert_eq!(after_one(join(0, 0, JoinResponse::EmailTaken)), Ok(()));
        assert_eq!(after_one(join(0, 0, JoinResponse::NicknameTaken)), Err(1));
        assert_eq!(after_one(join(0, 1, JoinResponse::EmailTaken)), Ok(()));
        assert_eq!(after_one(join(1, 0, JoinResponse::NicknameTaken)), Ok(()));
        assert_eq!(after_one(join(1, 0, JoinResponse::EmailTaken)), Err(1));
        assert_eq!(after_one(join(1, 1, JoinResponse::NicknameTaken)), Err(1));
    }

    #[test]
    fn free_email_is_not_rejected() {
        let early = || vec![join(0, 0, JoinResponse::EmailTaken), join(0, 0, JoinResponse::Joined(ONE))];
        assert_eq!(in_sequence(early()), Err(0));
        assert_eq!(concurrently(early()), Ok(()));
    }

    #[test]
    fn login_returns_matching_member() {
        let logged_in = |id, nickname| login(LoginResponse::LoggedIn { id, nickname });
        let rejected = || login(LoginResponse::WrongCredentials);
        let joined = || join(0, 0, JoinResponse::Joined(ONE));
        assert_eq!(in_sequence(vec![rejected(), joined(), logged_in(ONE, 0)]), Ok(()));
        assert_eq!(in_sequence(vec![logged_in(ONE, 0), joined()]), Err(0));
        assert_eq!(in_sequence(vec![joined(), rejected()]), Err(1));
        assert_eq!(in_sequence(vec![joined(), logged_in(TWO, 0)]), Err(1));
        assert_eq!(in_sequence(vec![joined(), logged_in(ONE, 1)]), Err(1));
    }

    #[test]
    fn unexpected_response_is_wrong() {
        let response = || "503 S_003".to_owned();
        assert_eq!(
            in_sequence(vec![Operation::Join { email: 0, nickname: 0, password: 0, response: Err(response()) }]),
            Err(0)
        );
        assert_eq!(in_sequence(vec![Operation::Login { email: 0, password: 0, response: Err(response()) }]), Err(0));
    }
}
