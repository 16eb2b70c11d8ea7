//! Metadata that API Gateway adds to a request: the client's address and the authorizer's principal.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Gateway's metadata of a request, parsed only when needed.
///
/// Parsing it takes longer than the rest of most requests.
#[derive(Clone, Debug)]
pub struct RequestContext(pub(crate) Box<RawValue>);

impl RequestContext {
    /// Returns the source address of the request, as the gateway saw it.
    #[must_use]
    pub fn source_address(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Context {
            identity: Option<Identity>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Identity {
            source_ip: Option<String>,
        }
        serde_json::from_str::<Context>(self.0.get()).ok()?.identity?.source_ip
    }

    /// Returns the principal that the gateway's authorizer named, if it was called.
    #[must_use]
    pub fn principal(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Context {
            authorizer: Option<Authorizer>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Authorizer {
            principal_id: Option<String>,
        }
        serde_json::from_str::<Context>(self.0.get()).ok()?.authorizer?.principal_id
    }
}
