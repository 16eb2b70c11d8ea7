//! An OpenID provider with keys, tokens and faults chosen by a test.

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

/// RSA key of 2,048 bits, used only for the tokens of tests.
const RSA: &[u8] = include_bytes!("../corpus/keys/rsa-2048.pk8");

/// Signing key of an issuer.
#[derive(Debug)]
pub enum Key {
    /// Key for ES256.
    Es256(SigningKey),
    /// Key for RS256.
    Rs256(KeyPair),
}

/// Response of the issuer to a request for a document.
#[derive(Clone, Debug)]
pub enum Document {
    /// Response with this status and body.
    Response(u16, String),
    /// Redirect to the first keys of the issuer.
    Redirect,
    /// No response, ever.
    NoResponse,
}

/// Issuer that runs until the runtime of the test ends.
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
    /// Creates a new ES256 key.
    #[must_use]
    pub fn es256() -> Self {
        let key = SigningKey::generate().expect("valid key");
        Self::Es256(SigningKey::from_pkcs8(&key).expect("valid key"))
    }

    /// Returns the RS256 key.
    #[must_use]
    pub fn rs256() -> Self {
        Self::Rs256(KeyPair::from_pkcs8(RSA).expect("valid key"))
    }

    /// Returns the header of tokens that this key signs.
    #[must_use]
    pub fn header(&self) -> Value {
        match self {
            Self::Es256(key) => json!({"alg": "ES256", "typ": "JWT", "kid": key.id()}),
            Self::Rs256(_) => json!({"alg": "RS256", "typ": "JWT", "kid": "rsa"}),
        }
    }

    /// Returns the public key as a JWK.
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

    /// Creates a token with the header of this key.
    #[must_use]
    pub fn token(&self, claims: &Value) -> String {
        self.token_with_header(&self.header(), claims)
    }

    /// Creates a token with any header.
    #[must_use]
    pub fn token_with_header(&self, header: &Value, claims: &Value) -> String {
        let message = issuer::signing_input(header, claims);
        let signature = match self {
            Self::Es256(key) => key.sign(message.as_bytes()).expect("signature"),
            Self::Rs256(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature)
                    .expect("signature");
                signature
            }
        };
        format!("{message}.{}", base64(&signature))
    }
}

impl Issuer {
    /// Starts an issuer with these keys.
    pub async fn start(keys: &[&Key]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("free port");
        let url = format!("http://{}", listener.local_addr().expect("local address"));
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
        server.spawn(async move { axum::serve(listener, router).await.expect("running server") });
        Self { url, documents, _server: server }
    }

    /// Returns the URL of the issuer.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the claims of a valid token of a manager.
    #[must_use]
    pub fn claims(&self, manager: &str) -> Value {
        json!({
            "iss": self.url, "aud": AUDIENCE, "sub": manager, "exp": seconds_from_now(3_600), ROLE_CLAIM: [ROLE],
        })
    }

    /// Replaces the keys.
    pub fn rotate(&self, keys: &[&Key]) {
        self.set_keys(key_set(keys));
    }

    /// Sets the response to requests for the keys.
    pub fn set_keys(&self, document: Document) {
        self.documents.lock().expect("lock of the documents").keys = document;
    }

    /// Sets the response to requests for the metadata.
    pub fn set_discovery(&self, document: Document) {
        self.documents.lock().expect("lock of the documents").discovery = document;
    }

    /// Sets the issuer and the URL of the keys in the metadata.
    pub fn set_metadata(&self, issuer: &str, keys: &str) {
        self.set_discovery(discovery(issuer, keys));
    }

    /// Returns the number of requests for the keys.
    #[must_use]
    pub fn fetches(&self) -> usize {
        self.documents.lock().expect("lock of the documents").fetches
    }
}

/// Returns the time in so many seconds, in the format of tokens.
#[must_use]
pub fn seconds_from_now(seconds: i64) -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("time after 1970");
    i64::try_from(now.as_secs()).expect("time in range") + seconds
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
    let document = documents.lock().expect("lock of the documents").discovery.clone();
    document.into_response().await
}

async fn list(State(documents): State<Arc<Mutex<Documents>>>) -> Response {
    let document = {
        let mut documents = documents.lock().expect("lock of the documents");
        documents.fetches += 1;
        documents.keys.clone()
    };
    document.into_response().await
}

impl Document {
    async fn into_response(self) -> Response {
        match self {
            Self::Response(status, body) => (StatusCode::from_u16(status).expect("valid status"), body).into_response(),
            Self::Redirect => (StatusCode::FOUND, [(LOCATION, "/moved")]).into_response(),
            Self::NoResponse => std::future::pending().await,
        }
    }
}
