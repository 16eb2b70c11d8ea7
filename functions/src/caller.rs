//! Identities of those who call operations. Operations cannot read tokens, manager ids and addresses by themselves.

use api::{client, error::Error, manager, proxy::RequestContext, request};
use auth::{gate_token, session::AccessVerifier};
use domain::{
    client_address::ClientAddress,
    error::{Cause, Error as DomainError},
    mail::EmailVerification,
    manager::{EventScope, Seller},
};
use http::header::AUTHORIZATION;
use lambda_http::Request;
use storage::{
    members::member_store::Members,
    seats::door::{Door, OpenGate},
};
use uuid::Uuid;

use crate::environment::{EMAIL_VERIFICATION, Environment};

/// Identity of a caller, which an operation names as its `Caller`.
pub trait Caller: Sized + Send {
    /// Kind of the identity.
    const KIND: CallerKind;

    /// Value that establishes the identity.
    type Authenticator: Send + Sync;

    /// Builds the authenticator.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing or invalid.
    fn authenticator(environment: &impl Environment)
    -> impl Future<Output = Result<Self::Authenticator, Cause>> + Send;

    /// Establishes who sent a request.
    ///
    /// # Errors
    ///
    /// Returns the error to send to a client that may not call the operation.
    fn authenticate(
        authenticator: &Self::Authenticator,
        request: &Request,
    ) -> impl Future<Output = Result<Self, Error>> + Send;
}

/// Kind of the identity of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallerKind {
    /// Anyone. The request is the same for all of them.
    Anyone,
    /// Anyone, told apart by address, because their attempts are counted.
    Client,
    /// A member with an access token.
    Member,
    /// A manager or an order service, whom the gateway authorizes first.
    Manager,
    /// A gate of a show with its token.
    Gate,
}

/// Anyone.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

/// Client with its address.
#[derive(Clone, Debug)]
pub struct Client(pub ClientAddress);

/// Member with an access token. The member may have withdrawn since it was issued.
#[derive(Clone, Copy, Debug)]
pub struct AuthenticatedMember(pub Uuid);

/// Manager with an id.
#[derive(Clone, Copy, Debug)]
pub struct Manager(pub Uuid);

/// Manager who changes events, with those that they may change.
#[derive(Clone, Copy, Debug)]
pub struct EventManager(pub EventScope);

/// Manager or order service that sells seats. Where managers are not verified, an id is needed too.
#[derive(Clone, Copy, Debug)]
pub struct SeatSeller(pub Seller);

/// Member who may hold seats: where the deployment requires it, only with a verified address.
#[derive(Clone, Copy, Debug)]
pub struct SeatHolder(pub Uuid);

/// Gate of the show in the path.
#[derive(Clone, Debug)]
pub struct AtGate(pub OpenGate);

/// Caller of an operation about mails. Where a deployment sends none, nobody may call it.
#[derive(Clone, Copy, Debug)]
pub struct WithMail<C>(pub C);

/// Removes from a request what identifies its caller, so that an operation learns only what it declares.
pub fn hide_identity(request: &mut Request) {
    for name in [AUTHORIZATION.as_str(), manager::MANAGER_ID, client::VIEWER_ADDRESS] {
        request.headers_mut().remove(name);
    }
    request.extensions_mut().remove::<RequestContext>();
}

/// Implements [`Caller`] for a caller whose identity the request itself proves or names.
macro_rules! caller_from_request {
    ($caller:ident, $kind:ident, $identify:expr) => {
        impl Caller for $caller {
            const KIND: CallerKind = CallerKind::$kind;

            type Authenticator = ();

            async fn authenticator(_: &impl Environment) -> Result<(), Cause> {
                Ok(())
            }

            async fn authenticate((): &(), request: &Request) -> Result<Self, Error> {
                let identify: fn(&Request) -> Result<Self, Error> = $identify;
                identify(request)
            }
        }
    };
}

caller_from_request!(Anyone, Anyone, |_| Ok(Self));
caller_from_request!(Client, Client, |request| Ok(Self(client::address(request))));
caller_from_request!(Manager, Manager, |request| manager::identify(request).map(Self));
caller_from_request!(EventManager, Manager, |request| manager::events(request).map(Self));
caller_from_request!(SeatSeller, Manager, |request| manager::seller(request).map(Self));

impl<C: Caller> Caller for WithMail<C> {
    const KIND: CallerKind = C::KIND;

    type Authenticator = (bool, C::Authenticator);

    async fn authenticator(environment: &impl Environment) -> Result<Self::Authenticator, Cause> {
        Ok((environment.sends_mail(), C::authenticator(environment).await?))
    }

    async fn authenticate((sends_mail, inner): &Self::Authenticator, request: &Request) -> Result<Self, Error> {
        if *sends_mail { C::authenticate(inner, request).await.map(Self) } else { Err(DomainError::NoMail.into()) }
    }
}

/// Both identities of a caller; the kind is that of the first one.
impl<A: Caller, B: Caller> Caller for (A, B) {
    const KIND: CallerKind = A::KIND;

    type Authenticator = (A::Authenticator, B::Authenticator);

    async fn authenticator(environment: &impl Environment) -> Result<Self::Authenticator, Cause> {
        Ok((A::authenticator(environment).await?, B::authenticator(environment).await?))
    }

    async fn authenticate((first, second): &Self::Authenticator, request: &Request) -> Result<Self, Error> {
        Ok((A::authenticate(first, request).await?, B::authenticate(second, request).await?))
    }
}

impl Caller for SeatHolder {
    const KIND: CallerKind = CallerKind::Member;

    type Authenticator = (AccessVerifier, Option<Members>);

    async fn authenticator(environment: &impl Environment) -> Result<Self::Authenticator, Cause> {
        let verifier = AuthenticatedMember::authenticator(environment).await?;
        Ok(match environment.parse(EMAIL_VERIFICATION)? {
            EmailVerification::Optional => (verifier, None),
            EmailVerification::Required => (verifier, Some(Members::new(environment.table().await?))),
        })
    }

    async fn authenticate((verifier, members): &Self::Authenticator, request: &Request) -> Result<Self, Error> {
        let AuthenticatedMember(id) = AuthenticatedMember::authenticate(verifier, request).await?;
        if let Some(members) = members {
            let is_verified = members.is_email_verified(id).await?.ok_or(DomainError::InvalidAccessToken)?;
            if !is_verified {
                return Err(DomainError::EmailNotVerified.into());
            }
        }
        Ok(Self(id))
    }
}

impl Caller for AtGate {
    const KIND: CallerKind = CallerKind::Gate;

    type Authenticator = Door;

    async fn authenticator(environment: &impl Environment) -> Result<Door, Cause> {
        Ok(Door::new(environment.table().await?, environment.clock()))
    }

    async fn authenticate(door: &Door, request: &Request) -> Result<Self, Error> {
        let token = request::bearer_token(request.headers()).and_then(gate_token::read);
        let (Some((gate, secret)), Ok(show)) = (token, request::show_id(request)) else {
            return Err(DomainError::InvalidGateToken.into());
        };
        Ok(Self(door.open(show, gate, &secret).await?))
    }
}

impl Caller for AuthenticatedMember {
    const KIND: CallerKind = CallerKind::Member;

    type Authenticator = AccessVerifier;

    async fn authenticator(environment: &impl Environment) -> Result<AccessVerifier, Cause> {
        let rotation = environment.parse("SIGNING_KEY_ROTATION")?;
        Ok(AccessVerifier::new(environment.table().await?, rotation, environment.text("MEMBER_AUDIENCE")?))
    }

    async fn authenticate(verifier: &AccessVerifier, request: &Request) -> Result<Self, Error> {
        let token = request::bearer_token(request.headers());
        Ok(Self(verifier.member(token, request::base_url(request)?).await?))
    }
}
