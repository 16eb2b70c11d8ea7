//! Settings of the local stack.

use crate::{issuer::ManagerAuthentication, server::ClientTimeouts};

/// Options of a deployment.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Manager authentication mode.
    pub managers: ManagerAuthentication,
    /// Argon2id parameters of new hashes, in PHC notation.
    pub argon2_params: &'static str,
    /// Time limits for clients of the service and of the emulators.
    pub timeouts: ClientTimeouts,
}

impl Default for Settings {
    /// Returns settings without manager authentication, and with the hashes of template.yaml's default.
    fn default() -> Self {
        Self {
            managers: ManagerAuthentication::Open,
            argon2_params: "m=19456,t=2,p=1",
            timeouts: ClientTimeouts::default(),
        }
    }
}
