//! An OpenID provider whose keys, tokens and faults a test chooses.

use std::{
    sync::{Arc, Mutex},
    time::SystemTime,
};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header::LOCATION},
    response::{IntoResponse as _, Response},
    routing::get,
};
use local::issuer::{self, AUDIENCE, ROLE, ROLE_CLAIM, SigningKey};
use ring::{
    rand::SystemRandom,
    rsa::{KeyPair, PublicKeyComponents},
    signature::RSA_PKCS1_SHA256,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

/// A key of 2,048 bits that signs nothing but the tokens of tests.
const RSA: &[u8] = include_bytes!("../corpus/keys/rsa-2048.pk8");

/// A key of an issuer.
#[derive(Debug)]
pub enum Key {
    /// One that signs by ES256.
    Es256(SigningKey),
    /// One that signs by RS256.
    Rs256(KeyPair),
}

/// What the issuer answers when it is asked for a document.
#[derive(Clone, Debug)]
pub enum Document {
    /// This status and body.
    Response(u16, String),
    /// A redirection to where the first keys of the issuer are.
    Redirect,
    /// Nothing, ever.
    NoResponse,
}

/// An issuer, which runs as long as the runtime of the test.
#[derive(Debug)]
pub struct Issuer {
    url: String,
    documents: Arc<Mutex<Documents>>,
    _server: JoinSet<()>,
}

#[derive(Debug)]
struct Documents {
    discovery: Document,
    keys: Document,
    fetches: usize,
}

impl Key {
    /// A new key that signs by ES256.
    #[must_use]
    pub fn es256() -> Self {
        let key = SigningKey::generate().expect("a key");
        Self::Es256(SigningKey::from_pkcs8(&key).expect("a key"))
    }

    /// The key that signs by RS256.
    #[must_use]
    pub fn rs256() -> Self {
        Self::Rs256(KeyPair::from_pkcs8(RSA).expect("a key"))
    }

    /// The header of a token that is signed by it.
    #[must_use]
    pub fn header(&self) -> Value {
        match self {
            Self::Es256(key) => json!({"alg": "ES256", "typ": "JWT", "kid": key.id()}),
            Self::Rs256(_) => json!({"alg": "RS256", "typ": "JWT", "kid": "rsa"}),
        }
    }

    /// The public half as a JWK.
    #[must_use]
    pub fn public(&self) -> Value {
        match self {
            Self::Es256(key) => key.public_jwk(),
            Self::Rs256(pair) => {
                let PublicKeyComponents { n, e } = PublicKeyComponents::<Vec<u8>>::from(pair.public());
                let [n, e] = [n, e].map(|number| base64(&number));
                json!({"kty": "RSA", "use": "sig", "kid": "rsa", "n": n, "e": e})
            }
        }
    }

    /// A token with its own header.
    #[must_use]
    pub fn token(&self, claims: &Value) -> String {
        self.token_with_header(&self.header(), claims)
    }

    /// A token with any header.
    #[must_use]
    pub fn token_with_header(&self, header: &Value, claims: &Value) -> String {
        let message = issuer::signing_input(header, claims);
        let signature = match self {
            Self::Es256(key) => key.sign(message.as_bytes()).expect("a signature"),
            Self::Rs256(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature)
                    .expect("a signature");
                signature
            }
        };
        format!("{message}.{}", base64(&signature))
    }
}

impl Issuer {
    /// Starts an issuer with these keys.
    pub async fn start(keys: &[&Key]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let key_set = key_set(keys);
        let documents = Arc::new(Mutex::new(Documents {
            discovery: discovery(&url, &format!("{url}/keys")),
            keys: key_set.clone(),
            fetches: 0,
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discover))
            .route("/keys", get(list))
            .route("/moved", get(|| key_set.into_response()))
            .with_state(Arc::clone(&documents));
        let mut server = JoinSet::new();
        server.spawn(async move { axum::serve(listener, router).await.expect("a server") });
        Self { url, documents, _server: server }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What a right token says of a manager.
    #[must_use]
    pub fn claims(&self, manager: &str) -> Value {
        json!({
            "iss": self.url, "aud": AUDIENCE, "sub": manager, "exp": seconds_from_now(3_600), ROLE_CLAIM: [ROLE],
        })
    }

    /// Has these keys from now on, and no others.
    pub fn rotate(&self, keys: &[&Key]) {
        self.set_keys(key_set(keys));
    }

    /// Answers this for its keys from now on.
    pub fn set_keys(&self, document: Document) {
        self.documents.lock().expect("documents").keys = document;
    }

    /// Answers this for what leads to them from now on.
    pub fn set_discovery(&self, document: Document) {
        self.documents.lock().expect("documents").discovery = document;
    }

    /// Tells of itself, from now on, that it has this name, and its keys at this URL.
    pub fn set_metadata(&self, name: &str, keys: &str) {
        self.set_discovery(discovery(name, keys));
    }

    /// How often its keys were asked for.
    #[must_use]
    pub fn fetches(&self) -> usize {
        self.documents.lock().expect("documents").fetches
    }
}

/// The time in so many seconds, as tokens have it.
#[must_use]
pub fn seconds_from_now(seconds: i64) -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time after 1970");
    i64::try_from(now.as_secs()).expect("a time before the end of it") + seconds
}

fn base64(bytes: &[u8]) -> String {
    base64_simd::URL_SAFE_NO_PAD.encode_to_string(bytes)
}

fn discovery(issuer: &str, keys: &str) -> Document {
    Document::Response(200, json!({"issuer": issuer, "jwks_uri": keys}).to_string())
}

fn key_set(keys: &[&Key]) -> Document {
    let keys: Vec<_> = keys.iter().map(|key| key.public()).collect();
    Document::Response(200, json!({"keys": keys}).to_string())
}

async fn discover(State(documents): State<Arc<Mutex<Documents>>>) -> Response {
    let document = documents.lock().expect("documents").discovery.clone();
    document.into_response().await
}

async fn list(State(documents): State<Arc<Mutex<Documents>>>) -> Response {
    let document = {
        let mut documents = documents.lock().expect("documents");
        documents.fetches += 1;
        documents.keys.clone()
    };
    document.into_response().await
}

impl Document {
    async fn into_response(self) -> Response {
        match self {
            Self::Response(status, body) => {
                (StatusCode::from_u16(status).expect("a status"), body).into_response()
            }
            Self::Redirect => (StatusCode::FOUND, [(LOCATION, "/moved")]).into_response(),
            Self::NoResponse => std::future::pending().await,
        }
    }
}
