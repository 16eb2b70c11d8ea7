//! Sequential model of one session of a member.
//!
//! Sessions do not affect one another. So each one is an object of its own, with the operations of its member that may
//! end it. One object with all sessions would have too many states: one for each subset of simultaneous logins.

use uuid::Uuid;

use crate::{
    linearizability::{Call, Model},
    members::{Operation, Token},
};

pub struct Session;

/// State of a session and its member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SessionState {
    /// Id and password of the member, unless they withdrew.
    member: Option<(Uuid, usize)>,
    /// Refresh tokens in the order in which they were issued; none if the session has not started, or has ended.
    tokens: Vec<Token>,
}

impl Model for Session {
    type State = SessionState;
    type Operation = Operation;

    fn step(state: &SessionState, operation: &Operation) -> Option<SessionState> {
        let mut next = state.clone();
        match operation {
            Operation::Join { password, response, .. } => next.member = Some((*response.as_ref().ok()?, *password)),
            Operation::Edit { id, password, change, .. } => {
                next = SessionState { member: Some((*id, change.password?)), tokens: Vec::new() };
                return (state.member == Some((*id, *password))).then_some(next);
            }
            // The model of members checks the token.
            Operation::Reset { id, password, .. } => {
                next = SessionState { member: Some((*id, *password)), tokens: Vec::new() };
                return state.member.is_some_and(|(member, _)| member == *id).then_some(next);
            }
            Operation::Withdraw { id, password, .. } => {
                return (state.member == Some((*id, *password))).then(SessionState::default);
            }
            Operation::StartSession { password, response, .. } => {
                let (id, token) = response.as_ref().ok()?;
                next.tokens = vec![*token];
                return (state.member == Some((*id, *password))).then_some(next);
            }
            Operation::Refresh { token, response, .. } => {
                let Some(used) = state.tokens.iter().position(|known| known == token) else {
                    return (*response == Err("AS_001".to_owned())).then_some(next);
                };
                let (id, successor) = response.as_ref().ok()?;
                if state.member.is_none_or(|(member, _)| member != *id) {
                    return None;
                }
                let is_unused = used + 1 == state.tokens.len();
                if is_unused && !state.tokens.contains(successor) {
                    next.tokens.push(*successor);
                } else if is_unused || state.tokens.last() != Some(successor) {
                    return None;
                }
            }
            Operation::LogOut { response, .. } => {
                next.tokens.clear();
                return response.is_ok().then_some(next);
            }
            Operation::Login { .. } | Operation::Profile { .. } | Operation::ChangeNickname { .. } => {}
        }
        Some(next)
    }

    /// A new password that equals the old ends no session before the login.
    fn may_change_later(operation: &Operation) -> bool {
        matches!(operation, Operation::Edit { .. } | Operation::Reset { .. })
    }
}

/// Returns the calls that belong to each session, and those of its member that may end it.
pub fn by_session(calls: &[Call<Operation>]) -> Vec<Vec<Call<Operation>>> {
    let started = calls.iter().filter_map(|call| match call.operation {
        Operation::StartSession { response: Ok(session), .. } => Some(session),
        _ => None,
    });
    let of_session = |(member, session): (Uuid, Token)| {
        let belongs = |call: &&Call<Operation>| match &call.operation {
            Operation::Join { response, .. } => *response == Ok(member),
            Operation::Edit { id, change, response: Ok(_), .. } => *id == member && change.password.is_some(),
            Operation::Withdraw { id, response: Ok(()), .. } | Operation::Reset { id, response: Ok(()), .. } => {
                *id == member
            }
            Operation::StartSession { response: Ok((_, token)), .. } => *token == session,
            Operation::Refresh { session: of, .. } | Operation::LogOut { session: of, .. } => *of == session,
            _ => false,
        };
        calls.iter().filter(belongs).cloned().collect()
    };
    started.map(of_session).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        linearizability::{concurrently, in_sequence, linearize},
        members::Change,
    };

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn join() -> Operation {
        Operation::Join { email: 0, nickname: 0, password: 0, response: Ok(ONE) }
    }

    /// Starts the session with the token 1.
    fn start(password: usize) -> Operation {
        Operation::StartSession { email: 0, password, response: Ok((ONE, 1)) }
    }

    fn refresh(token: Token, response: Result<Token, &str>) -> Operation {
        let response = response.map(|token| (ONE, token)).map_err(str::to_owned);
        Operation::Refresh { session: 1, token, response }
    }

    fn log_out() -> Operation {
        Operation::LogOut { session: 1, response: Ok(()) }
    }

    fn new_password(password: usize) -> Operation {
        let change = Change { password: Some(password), nickname: None };
        Operation::Edit { id: ONE, password: 0, change, response: Ok((0, 0)) }
    }

    fn reset(password: usize) -> Operation {
        Operation::Reset { id: ONE, epoch: 0, password, response: Ok(()) }
    }

    fn withdraw() -> Operation {
        Operation::Withdraw { id: ONE, password: 0, response: Ok(()) }
    }

    /// Asserts which of the operations after a login is the first impossible one, if any.
    fn check<const N: usize>(then: [Operation; N], wrong: Option<usize>) {
        let operations: Vec<_> = [join(), start(0)].into_iter().chain(then).collect();
        assert_eq!(in_sequence::<Session>(&operations), wrong.map_or(Ok(()), Err), "{operations:?}");
    }

    #[test]
    fn used_token_gets_newest() {
        check([refresh(1, Ok(2)), refresh(2, Ok(3)), refresh(1, Ok(3)), refresh(3, Ok(4))], None);
        check([refresh(1, Ok(2)), refresh(2, Ok(3)), refresh(1, Ok(2))], Some(4));
        check([refresh(1, Ok(2)), refresh(1, Ok(3))], Some(3));
        check([refresh(1, Ok(1))], Some(2));
        check([refresh(1, Err("AS_001"))], Some(2));
        check([refresh(2, Ok(3))], Some(2));
        check([Operation::Refresh { session: 1, token: 1, response: Ok((TWO, 2)) }], Some(2));
        let simultaneous = |second| [join(), start(0), refresh(1, Ok(2)), refresh(1, Ok(second))];
        assert_eq!([2, 3].map(|second| concurrently::<Session>(&simultaneous(second))), [true, false]);
    }

    #[test]
    fn ended_session_is_not_refreshed() {
        for end in [log_out(), new_password(0), new_password(1), reset(0), reset(1), withdraw()] {
            check([refresh(1, Ok(2)), end.clone(), refresh(1, Err("AS_001")), refresh(2, Err("AS_001"))], None);
            check([refresh(1, Ok(2)), end.clone(), refresh(1, Ok(2))], Some(4));
            check([end.clone(), refresh(1, Ok(2))], Some(3));
            for response in [Ok(2), Err("AS_001")] {
                assert!(concurrently::<Session>(&[join(), start(0), end.clone(), refresh(1, response)]));
            }
        }
    }

    #[test]
    fn session_starts_with_password_at_login() {
        assert_eq!(in_sequence::<Session>(&[join(), new_password(1), start(0)]), Err(2));
        assert_eq!(in_sequence::<Session>(&[join(), new_password(1), start(1), refresh(1, Ok(2))]), Ok(()));
        // If the session has ended, the password of a simultaneous login was verified before it was changed.
        for (password, is_possible) in [(0, true), (1, false)] {
            let times = [(0, 1), (2, 5), (3, 4), (6, 7)];
            let calls = [join(), start(password), new_password(1), refresh(1, Err("AS_001"))].into_iter().zip(times);
            let calls = calls.map(|(operation, (invoked, completed))| Call { operation, invoked, completed });
            assert_eq!(linearize::<Session>(&calls.collect::<Vec<_>>()).is_ok(), is_possible);
        }
    }
}
