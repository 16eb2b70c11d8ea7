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
    Join {
        email: usize,
        nickname: usize,
        password: usize,
        response: Result<JoinResponse, String>,
    },
    Login {
        email: usize,
        password: usize,
        response: Result<LoginResponse, String>,
    },
    Edit {
        id: Uuid,
        password: usize,
        change: Change,
        response: Result<EditResponse, String>,
    },
    /// The response is true if the member was removed, and false if the credentials are wrong.
    Withdraw {
        id: Uuid,
        password: usize,
        response: Result<bool, String>,
    },
}

/// New values in an edit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    pub nickname: Option<usize>,
    pub password: Option<usize>,
}

#[derive(Clone, Debug)]
pub enum EditResponse {
    Edited { email: usize, nickname: usize },
    NicknameTaken,
    WrongCredentials,
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
            Operation::Edit { id, password, change, response } => {
                let Some((email, member)) = state.authenticated(*id, *password) else {
                    return matches!(response, Ok(EditResponse::WrongCredentials)).then(|| state.clone());
                };
                let nickname = change.nickname.unwrap_or(member.nickname);
                let others = state.nicknames & !(1 << member.nickname);
                let is_taken = others & (1 << nickname) != 0;
                match response {
                    Ok(EditResponse::Edited { email: shown, nickname: new })
                        if !is_taken && (*shown, *new) == (email, nickname) =>
                    {
                        let mut next = state.clone();
                        let password = change.password.unwrap_or(member.password);
                        next.emails[email] = Some(Member { nickname, password, ..member });
                        next.nicknames = others | 1 << nickname;
                        return Some(next);
                    }
                    Ok(EditResponse::NicknameTaken) => is_taken,
                    Ok(EditResponse::Edited { .. } | EditResponse::WrongCredentials) | Err(_) => false,
                }
            }
            Operation::Withdraw { id, password, response } => match (state.authenticated(*id, *password), response) {
                (Some((email, member)), Ok(true)) => {
                    let mut next = state.clone();
                    next.emails[email] = None;
                    next.nicknames &= !(1 << member.nickname);
                    return Some(next);
                }
                (None, Ok(false)) => true,
                _ => false,
            },
        };
        is_allowed.then(|| state.clone())
    }

    /// An edit to the current nickname changes nothing.
    fn may_change_later(operation: &Operation) -> bool {
        matches!(operation, Operation::Edit { response: Ok(EditResponse::Edited { .. }), .. })
    }
}

impl MembersState {
    /// Returns the member with an id and a password, and the number of their address.
    fn authenticated(&self, id: Uuid, password: usize) -> Option<(usize, Member)> {
        let members = self.emails.iter().enumerate().filter_map(|(email, member)| Some((email, (*member)?)));
        members.into_iter().find(|(_, member)| (member.id, member.password) == (id, password))
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

    fn edit(nickname: usize, password: Option<usize>, response: EditResponse) -> Operation {
        let change = Change { nickname: Some(nickname), password };
        Operation::Edit { id: ONE, password: 0, change, response: Ok(response) }
    }

    fn withdraw(id: Uuid, is_removed: bool) -> Operation {
        Operation::Withdraw { id, password: 0, response: Ok(is_removed) }
    }

    #[test]
    fn edit_moves_nickname() {
        let edited = |nickname| edit(nickname, None, EditResponse::Edited { email: 0, nickname });
        let joined = || join(0, 0, JoinResponse::Joined(ONE));
        let second = |nickname| join(1, nickname, JoinResponse::Joined(TWO));
        assert_eq!(in_sequence(vec![joined(), edited(1), second(0)]), Ok(()));
        assert_eq!(in_sequence(vec![joined(), edited(0), second(0)]), Err(2));
        assert_eq!(in_sequence(vec![joined(), edited(1), second(1)]), Err(2));
        assert_eq!(in_sequence(vec![joined(), second(1), edited(1)]), Err(2));
        assert_eq!(in_sequence(vec![joined(), second(1), edit(1, None, EditResponse::NicknameTaken)]), Ok(()));
        assert_eq!(in_sequence(vec![joined(), edit(0, None, EditResponse::NicknameTaken)]), Err(1));
        assert_eq!(in_sequence(vec![joined(), edit(1, None, EditResponse::Edited { email: 0, nickname: 0 })]), Err(1));
        assert_eq!(in_sequence(vec![joined(), edit(1, None, EditResponse::WrongCredentials)]), Err(1));
        assert_eq!(in_sequence(vec![edited(1)]), Err(0));
        assert_eq!(in_sequence(vec![edit(1, None, EditResponse::WrongCredentials)]), Ok(()));
    }

    #[test]
    fn edit_without_change_may_wait() {
        let edited = |nickname| edit(nickname, None, EditResponse::Edited { email: 0, nickname });
        let call = |operation, invoked, completed| Call { operation, invoked, completed };
        let history = [
            call(join(0, 0, JoinResponse::Joined(ONE)), 0, 1),
            call(edited(0), 2, 9),
            call(login(LoginResponse::LoggedIn { id: ONE, nickname: 0 }), 3, 4),
            call(edited(1), 5, 6),
            call(login(LoginResponse::LoggedIn { id: ONE, nickname: 0 }), 7, 10),
        ];
        assert_eq!(linearize::<Members>(&history), Ok(()));
    }

    #[test]
    fn edit_replaces_password() {
        let joined = || join(0, 0, JoinResponse::Joined(ONE));
        let changed = || edit(0, Some(1), EditResponse::Edited { email: 0, nickname: 0 });
        let old_password = login(LoginResponse::LoggedIn { id: ONE, nickname: 0 });
        assert_eq!(in_sequence(vec![joined(), changed(), login(LoginResponse::WrongCredentials)]), Ok(()));
        assert_eq!(in_sequence(vec![joined(), changed(), old_password]), Err(2));
        assert_eq!(in_sequence(vec![joined(), changed(), withdraw(ONE, true)]), Err(2));
    }

    #[test]
    fn withdrawal_succeeds_once() {
        let joined = |id| join(0, 0, JoinResponse::Joined(id));
        assert_eq!(in_sequence(vec![joined(ONE), withdraw(ONE, true), withdraw(ONE, false), joined(TWO)]), Ok(()));
        assert_eq!(in_sequence(vec![joined(ONE), withdraw(ONE, true), withdraw(ONE, true)]), Err(2));
        assert_eq!(in_sequence(vec![joined(ONE), withdraw(ONE, false)]), Err(1));
        assert!(concurrently(vec![joined(ONE), withdraw(ONE, true), withdraw(ONE, true)]).is_err());
        let after = |rejected| in_sequence(vec![joined(ONE), withdraw(ONE, true), rejected]);
        assert_eq!(after(join(0, 1, JoinResponse::EmailTaken)), Err(2));
        assert_eq!(after(join(1, 0, JoinResponse::NicknameTaken)), Err(2));
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
