//! Sequential model of members with a few e-mail addresses and nicknames.

use uuid::Uuid;

use crate::{client::Outcome, linearizability::Model};

pub const EMAILS: usize = 4;
/// Number of nicknames; a set of them is a bit mask.
pub const NICKNAMES: usize = 4;

/// Number of a refresh token.
pub type Token = u64;

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
    /// Number of new passwords.
    pub epoch: u64,
    pub is_verified: bool,
}

/// Operation of a client and its response.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Returns the id.
    Join {
        email: usize,
        nickname: usize,
        password: usize,
        response: Outcome<Uuid>,
    },
    /// Returns the id and the nickname.
    Login {
        email: usize,
        password: usize,
        response: Outcome<(Uuid, usize)>,
    },
    /// Returns the e-mail address and the nickname.
    Edit {
        id: Uuid,
        password: usize,
        change: Change,
        response: Outcome<(usize, usize)>,
    },
    Withdraw {
        id: Uuid,
        password: usize,
        response: Outcome<()>,
    },
    /// Logs in with a session. Returns the id and the refresh token, which also names the session.
    StartSession {
        email: usize,
        password: usize,
        response: Outcome<(Uuid, Token)>,
    },
    /// Continues a session with a refresh token that nobody used, or that was used a few seconds ago.
    /// Returns the id and the next refresh token.
    Refresh {
        session: Token,
        token: Token,
        response: Outcome<(Uuid, Token)>,
    },
    /// Ends a session with any of its refresh tokens.
    LogOut {
        session: Token,
        response: Outcome<()>,
    },
    /// Sets a new password with the token of a mail, which names the number of new passwords so far.
    Reset {
        id: Uuid,
        epoch: u64,
        password: usize,
        response: Outcome<()>,
    },
    /// Reads a member with their access token. Returns the e-mail address, the nickname, and true if the address is
    /// verified.
    Profile {
        id: Uuid,
        response: Outcome<(usize, usize, bool)>,
    },
    /// Changes the nickname of a member with their access token, and returns it.
    ChangeNickname {
        id: Uuid,
        nickname: usize,
        response: Outcome<usize>,
    },
}

/// New values in an edit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    pub nickname: Option<usize>,
    pub password: Option<usize>,
}

impl Model for Members {
    type State = MembersState;
    type Operation = Operation;

    fn step(state: &MembersState, operation: &Operation) -> Option<MembersState> {
        let mut next = state.clone();
        match operation {
            Operation::Join { email, nickname, password, response } => {
                let has_email = state.emails[*email].is_some();
                let has_nickname = state.nicknames & (1 << nickname) != 0;
                match response.as_ref().map_err(String::as_str) {
                    Ok(id) if !has_email && !has_nickname => {
                        let (id, nickname, password) = (*id, *nickname, *password);
                        next.emails[*email] = Some(Member { id, nickname, password, epoch: 0, is_verified: false });
                        next.nicknames |= 1 << nickname;
                    }
                    Err("AJ_001") if has_email => {}
                    Err("AJ_002") if !has_email && has_nickname => {}
                    _ => return None,
                }
            }
            Operation::Login { email, password, response } => {
                let member = state.emails[*email].filter(|member| member.password == *password);
                let expected = member.map(|member| (member.id, member.nickname)).ok_or_else(|| "AL_001".to_owned());
                return (*response == expected).then_some(next);
            }
            Operation::Edit { id, password, change, response } => {
                let Some((email, member)) = state.authenticated(*id, *password) else {
                    return (*response == Err("AL_001".to_owned())).then_some(next);
                };
                let nickname = change.nickname.unwrap_or(member.nickname);
                let password = change.password.unwrap_or(member.password);
                let epoch = member.epoch + u64::from(change.password.is_some());
                if !next.replace(email, Member { nickname, password, epoch, ..member }) {
                    return (*response == Err("AJ_002".to_owned())).then_some(next);
                }
                return (*response == Ok((email, nickname))).then_some(next);
            }
            Operation::Withdraw { id, password, response } => match state.authenticated(*id, *password) {
                Some((email, member)) if response.is_ok() => {
                    next.emails[email] = None;
                    next.nicknames &= !(1 << member.nickname);
                }
                None if *response == Err("AL_001".to_owned()) => {}
                _ => return None,
            },
            Operation::StartSession { email, password, response } => {
                let member = state.emails[*email].filter(|member| member.password == *password);
                let expected = member.map(|member| member.id).ok_or("AL_001");
                let id = response.as_ref().map(|(id, _)| *id).map_err(String::as_str);
                return (id == expected).then_some(next);
            }
            // The model of each session checks them.
            Operation::Refresh { .. } | Operation::LogOut { .. } => {}
            Operation::Reset { id, epoch, password, response } => {
                match state.member(*id).filter(|(_, member)| member.epoch == *epoch) {
                    Some((email, member)) if response.is_ok() => {
                        let (password, epoch) = (*password, member.epoch + 1);
                        next.emails[email] = Some(Member { password, epoch, is_verified: true, ..member });
                    }
                    None if *response == Err("AP_001".to_owned()) => {}
                    _ => return None,
                }
            }
            Operation::Profile { id, response } => {
                let member = state.member(*id).map(|(email, member)| (email, member.nickname, member.is_verified));
                return (*response == member.ok_or_else(|| "AS_002".to_owned())).then_some(next);
            }
            Operation::ChangeNickname { id, nickname, response } => {
                let expected = match state.member(*id) {
                    None => Err("AS_002".to_owned()),
                    Some((email, member)) if next.replace(email, Member { nickname: *nickname, ..member }) => {
                        Ok(*nickname)
                    }
                    Some(_) => Err("AJ_002".to_owned()),
                };
                return (*response == expected).then_some(next);
            }
        }
        Some(next)
    }

    /// An edit to the current nickname changes nothing.
    fn may_change_later(operation: &Operation) -> bool {
        matches!(operation, Operation::Edit { response: Ok(_), .. } | Operation::ChangeNickname { response: Ok(_), .. })
    }
}

impl MembersState {
    /// Returns the member with an id, and the number of their address.
    fn member(&self, id: Uuid) -> Option<(usize, Member)> {
        let mut members = self.emails.iter().enumerate().filter_map(|(email, member)| Some((email, (*member)?)));
        members.find(|(_, member)| member.id == id)
    }

    /// Returns the member with an id and a password, and the number of their address.
    fn authenticated(&self, id: Uuid, password: usize) -> Option<(usize, Member)> {
        self.member(id).filter(|(_, member)| member.password == password)
    }

    /// Replaces the member with an address. Returns false and changes nothing if another member has the new nickname.
    fn replace(&mut self, email: usize, new: Member) -> bool {
        let old = self.emails[email].map_or(0, |old| 1 << old.nickname);
        let others = self.nicknames & !old;
        let is_free = others & (1 << new.nickname) == 0;
        if is_free {
            self.emails[email] = Some(new);
            self.nicknames = others | 1 << new.nickname;
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearizability::{concurrently, in_sequence};

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn join(email: usize, nickname: usize, response: Result<Uuid, &str>) -> Operation {
        Operation::Join { email, nickname, password: 0, response: response.map_err(str::to_owned) }
    }

    fn joined(id: Uuid) -> Operation {
        join(0, 0, Ok(id))
    }

    fn login(response: Result<(Uuid, usize), &str>) -> Operation {
        Operation::Login { email: 0, password: 0, response: response.map_err(str::to_owned) }
    }

    fn edit(nickname: usize, password: Option<usize>, response: Result<(usize, usize), &str>) -> Operation {
        let change = Change { nickname: Some(nickname), password };
        Operation::Edit { id: ONE, password: 0, change, response: response.map_err(str::to_owned) }
    }

    fn edited(nickname: usize) -> Operation {
        edit(nickname, None, Ok((0, nickname)))
    }

    fn withdraw(response: Result<(), &str>) -> Operation {
        Operation::Withdraw { id: ONE, password: 0, response: response.map_err(str::to_owned) }
    }

    /// Asserts which of the operations after a registration is the first impossible one, if any.
    fn check<const N: usize>(then: [Operation; N], wrong: Option<usize>) {
        let operations: Vec<_> = [joined(ONE)].into_iter().chain(then).collect();
        assert_eq!(in_sequence::<Members>(&operations), wrong.map_or(Ok(()), Err), "{operations:?}");
    }

    #[test]
    fn email_and_nickname_are_unique() {
        for (email, nickname, wrong) in [(0, 0, Some(1)), (0, 1, Some(1)), (1, 0, Some(1)), (1, 1, None)] {
            let second = join(email, nickname, Ok(TWO));
            check([second.clone()], wrong);
            assert_eq!(concurrently::<Members>(&[joined(ONE), second]), wrong.is_none());
        }
        for (email, nickname, response, wrong) in [
            (0, 0, Err("AJ_001"), None),
            (0, 0, Err("AJ_002"), Some(1)),
            (1, 0, Err("AJ_002"), None),
            (1, 0, Err("AJ_001"), Some(1)),
            (1, 1, Err("AJ_002"), Some(1)),
        ] {
            check([join(email, nickname, response)], wrong);
        }
        assert!(concurrently::<Members>(&[join(0, 0, Err("AJ_001")), joined(ONE)]));
    }

    #[test]
    fn login_returns_matching_member() {
        check([login(Ok((ONE, 0)))], None);
        check([login(Err("AL_001"))], Some(1));
        check([login(Ok((TWO, 0)))], Some(1));
        check([login(Ok((ONE, 1)))], Some(1));
        assert_eq!(in_sequence::<Members>(&[login(Err("AL_001")), joined(ONE)]), Ok(()));
    }

    #[test]
    fn edit_moves_nickname() {
        let second = |nickname| join(1, nickname, Ok(TWO));
        check([edited(1), second(0)], None);
        check([edited(0), second(0)], Some(2));
        check([edited(1), second(1)], Some(2));
        check([second(1), edited(1)], Some(2));
        check([second(1), edit(1, None, Err("AJ_002"))], None);
        check([edit(0, None, Err("AJ_002"))], Some(1));
        check([edit(1, None, Err("AL_001"))], Some(1));
        check([edit(0, Some(1), Ok((0, 0))), login(Ok((ONE, 0)))], Some(2));
    }

    #[test]
    fn withdrawal_succeeds_once() {
        check([withdraw(Ok(())), withdraw(Err("AL_001")), joined(TWO)], None);
        check([withdraw(Ok(())), withdraw(Ok(()))], Some(2));
        check([withdraw(Err("AL_001"))], Some(1));
        check([withdraw(Ok(())), join(0, 1, Err("AJ_001"))], Some(2));
        check([withdraw(Ok(())), join(1, 0, Err("AJ_002"))], Some(2));
        assert!(!concurrently::<Members>(&[joined(ONE), withdraw(Ok(())), withdraw(Ok(()))]));
    }

    fn start_session(response: Result<(Uuid, Token), &str>) -> Operation {
        Operation::StartSession { email: 0, password: 0, response: response.map_err(str::to_owned) }
    }

    fn reset(epoch: u64, password: usize, response: Result<(), &str>) -> Operation {
        Operation::Reset { id: ONE, epoch, password, response: response.map_err(str::to_owned) }
    }

    #[test]
    fn token_resets_password_once() {
        check([reset(0, 1, Ok(())), login(Err("AL_001")), reset(0, 0, Err("AP_001"))], None);
        check([reset(0, 1, Ok(())), login(Ok((ONE, 0)))], Some(2));
        check([reset(0, 0, Ok(())), reset(0, 0, Ok(()))], Some(2));
        check([reset(0, 0, Ok(())), reset(1, 0, Ok(())), profile(Ok((0, 0, true)))], None);
        check([reset(0, 0, Err("AP_001"))], Some(1));
        check([reset(1, 0, Ok(()))], Some(1));
        check([edit(0, Some(0), Ok((0, 0))), reset(0, 0, Err("AP_001"))], None);
        check([edited(1), reset(0, 0, Ok(()))], None);
        check([withdraw(Ok(())), reset(0, 0, Err("AP_001"))], None);
        for (second, is_possible) in [(Err("AP_001"), true), (Ok(()), false)] {
            assert_eq!(concurrently::<Members>(&[joined(ONE), reset(0, 1, Ok(())), reset(0, 2, second)]), is_possible);
        }
    }

    fn profile(response: Result<(usize, usize, bool), &str>) -> Operation {
        Operation::Profile { id: ONE, response: response.map_err(str::to_owned) }
    }

    fn change_nickname(nickname: usize, response: Result<usize, &str>) -> Operation {
        Operation::ChangeNickname { id: ONE, nickname, response: response.map_err(str::to_owned) }
    }

    #[test]
    fn session_starts_with_correct_password() {
        check([start_session(Ok((ONE, 1)))], None);
        check([start_session(Ok((TWO, 1)))], Some(1));
        check([start_session(Err("AL_001"))], Some(1));
        assert_eq!(in_sequence::<Members>(&[start_session(Err("AL_001")), joined(ONE)]), Ok(()));
    }

    #[test]
    fn access_token_identifies_member() {
        check([profile(Ok((0, 0, false))), change_nickname(1, Ok(1)), profile(Ok((0, 1, false)))], None);
        check([change_nickname(1, Ok(1)), profile(Ok((0, 0, false)))], Some(2));
        check([join(1, 1, Ok(TWO)), change_nickname(1, Err("AJ_002"))], None);
        check([join(1, 1, Ok(TWO)), change_nickname(1, Ok(1))], Some(2));
        check([change_nickname(0, Ok(0))], None);
        check([withdraw(Ok(())), profile(Err("AS_002")), change_nickname(0, Err("AS_002"))], None);
        check([withdraw(Ok(())), profile(Ok((0, 0, false)))], Some(2));
        check([profile(Ok((0, 0, true)))], Some(1));
        check([profile(Err("AS_002"))], Some(1));
        check([change_nickname(0, Err("AS_002"))], Some(1));
    }
}
