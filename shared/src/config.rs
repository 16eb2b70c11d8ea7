//! The settings of a function, from its environment.
//!
//! They are read once, at start. A variable that is missing or unusable stops
//! the start: nothing is defaulted silently.

use std::{fmt, path::PathBuf, str::FromStr};

use argon2::Params;
use aws_config::Region;
use http::HeaderValue;

use crate::{
    domain::{cursor::CursorKey, manager::Verification, password::common::CommonPasswords},
    http::client::OriginSecret,
    issuer::Managers,
};

/// Reads settings; each function asks for those that it uses.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    read: fn(&str) -> Option<String>,
}

/// The origins whose pages may read the answers.
#[derive(Clone, Debug)]
pub enum Origins {
    /// Those of any origin.
    Any,
    /// Those of the listed origins.
    Listed(Vec<HeaderValue>),
}

/// A setting that is missing or unusable; its value is never told.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigError {
    variable: &'static str,
    needed: &'static str,
}

impl Config {
    /// Settings from the environment of the process.
    #[must_use]
    pub fn from_env() -> Self {
        Self::new(|name| std::env::var(name).ok())
    }

    /// Settings from wherever this looks them up by their names.
    #[must_use]
    pub fn new(read: fn(&str) -> Option<String>) -> Self {
        Self { read }
    }

    /// `TABLE_NAME`: the DynamoDB table.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub fn table_name(self) -> Result<String, ConfigError> {
        self.required("TABLE_NAME", "the name of the DynamoDB table")
    }

    /// `BUCKET_NAME`: the S3 bucket of the posters.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub fn bucket_name(self) -> Result<String, ConfigError> {
        self.required("BUCKET_NAME", "the name of the S3 bucket")
    }

    /// `ALLOWED_ORIGINS`: `*`, or origins separated by commas.
    ///
    /// # Errors
    ///
    /// Where it is missing or holds what cannot stand in a header.
    pub fn allowed_origins(self) -> Result<Origins, ConfigError> {
        self.parsed("ALLOWED_ORIGINS", "`*`, or origins separated by commas")
    }

    /// `METRICS_NAMESPACE`: what the metrics of this deployment are found by in `CloudWatch`.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub fn metrics_namespace(self) -> Result<String, ConfigError> {
        self.required("METRICS_NAMESPACE", "the namespace of the metrics")
    }

    /// `ARGON2_PARAMS`: the Argon2id parameters in PHC notation, such as `m=19456,t=2,p=1`.
    ///
    /// # Errors
    ///
    /// Where it is missing or names no legal parameters.
    pub fn argon2_params(self) -> Result<Params, ConfigError> {
        self.parsed("ARGON2_PARAMS", "Argon2id parameters such as m=19456,t=2,p=1")
    }

    /// `COMMON_PASSWORDS`: `allowed`, or `refused` to new members.
    ///
    /// # Errors
    ///
    /// Where it is missing or another word.
    pub fn common_passwords(self) -> Result<CommonPasswords, ConfigError> {
        self.parsed("COMMON_PASSWORDS", "`allowed` or `refused`")
    }

    /// `CURSOR_KEY`: the secret that authenticates cursors, at least 16 bytes.
    ///
    /// # Errors
    ///
    /// Where it is missing or shorter.
    pub fn cursor_key(self) -> Result<CursorKey, ConfigError> {
        self.parsed("CURSOR_KEY", "a secret of at least 16 bytes")
    }

    /// `ORIGIN_SECRET`: the secret by which `CloudFront` makes itself known, at least 16 bytes.
    ///
    /// # Errors
    ///
    /// Where it is missing or shorter.
    pub fn origin_secret(self) -> Result<OriginSecret, ConfigError> {
        self.parsed("ORIGIN_SECRET", "a secret of at least 16 bytes")
    }

    /// `MANAGER_VERIFICATION`: `required`, or `open`.
    ///
    /// # Errors
    ///
    /// Where it is missing or anything else.
    pub fn manager_verification(self) -> Result<Verification, ConfigError> {
        self.parsed("MANAGER_VERIFICATION", "`required` or `open`")
    }

    /// `MANAGER_ISSUER`: the URL of the OpenID provider whose tokens managers have, or `open`.
    ///
    /// # Errors
    ///
    /// Where it is missing or no URL to trust.
    pub fn manager_issuer(self) -> Result<Managers, ConfigError> {
        self.parsed("MANAGER_ISSUER", "`open`, or the https URL of an OpenID provider")
    }

    /// `MANAGER_AUDIENCE`: what a token has to name in `aud`.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub fn manager_audience(self) -> Result<String, ConfigError> {
        self.required("MANAGER_AUDIENCE", "the audience of the managers' tokens")
    }

    /// `MANAGER_ROLE_CLAIM`: the claim of a token that names its bearer's roles.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub fn manager_role_claim(self) -> Result<String, ConfigError> {
        self.required("MANAGER_ROLE_CLAIM", "the name of a claim")
    }

    /// `MANAGER_ROLE`: the role that makes its bearer a manager.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub fn manager_role(self) -> Result<String, ConfigError> {
        self.required("MANAGER_ROLE", "the name of a role")
    }

    /// `AWS_REGION`, which Lambda sets.
    ///
    /// # Errors
    ///
    /// Where it is missing or empty.
    pub(crate) fn region(self) -> Result<Region, ConfigError> {
        self.required("AWS_REGION", "the AWS region").map(Region::new)
    }

    /// `AWS_CA_BUNDLE`: a file of the certificates to trust, where it is not Amazon's alone.
    ///
    /// The SDKs and the command line of AWS read it too. On Lambda,
    /// `/etc/pki/tls/certs/ca-bundle.crt` has the system's.
    pub(crate) fn ca_bundle(self) -> Option<PathBuf> {
        (self.read)("AWS_CA_BUNDLE").filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// A setting of the SDK for one service, such as `AWS_ENDPOINT_URL_DYNAMODB`,
    /// or else for all of them, such as `AWS_ENDPOINT_URL`.
    pub(crate) fn of_service(self, setting: &str, service: &str) -> Option<String> {
        let service = service.to_uppercase().replace(' ', "_");
        let value = (self.read)(&format!("{setting}_{service}")).or_else(|| (self.read)(setting));
        value.filter(|value| !value.is_empty())
    }

    fn required(self, variable: &'static str, needed: &'static str) -> Result<String, ConfigError> {
        (self.read)(variable).filter(|value| !value.is_empty()).ok_or(ConfigError { variable, needed })
    }

    fn parsed<T: FromStr>(self, variable: &'static str, needed: &'static str) -> Result<T, ConfigError> {
        self.required(variable, needed)?.parse().map_err(|_| ConfigError { variable, needed })
    }
}

impl FromStr for Origins {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text.trim() == "*" {
            return Ok(Self::Any);
        }
        text.split(',')
            .map(|origin| match origin.trim() {
                "" | "*" => Err(()),
                origin => HeaderValue::from_str(origin).map_err(drop),
            })
            .collect::<Result<_, _>>()
            .map(Self::Listed)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the environment variable {} must be {}", self.variable, self.needed)
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_empty_variable_is_named() {
        for read in [|_: &str| None, |_: &str| Some(String::new())] {
            let error = Config::new(read).table_name().unwrap_err();
            assert_eq!(
                error.to_string(),
                "the environment variable TABLE_NAME must be the name of the DynamoDB table"
            );
        }
    }

    #[test]
    fn what_is_any_text_is_the_variable() {
        let all = Config::new(|name| Some(format!("the {name}")));
        for (read, variable) in [
            (all.table_name(), "TABLE_NAME"),
            (all.bucket_name(), "BUCKET_NAME"),
            (all.metrics_namespace(), "METRICS_NAMESPACE"),
            (all.manager_audience(), "MANAGER_AUDIENCE"),
            (all.manager_role_claim(), "MANAGER_ROLE_CLAIM"),
            (all.manager_role(), "MANAGER_ROLE"),
        ] {
            assert_eq!(read.unwrap(), format!("the {variable}"));
        }
    }

    #[test]
    fn other_certificates_are_trusted_only_where_a_file_is_named() {
        let named = Config::new(|name| (name == "AWS_CA_BUNDLE").then(|| "/etc/ca.pem".to_owned()));
        assert_eq!(named.ca_bundle(), Some(PathBuf::from("/etc/ca.pem")));
        assert_eq!(Config::new(|_| Some(String::new())).ca_bundle(), None);
    }

    #[test]
    fn common_passwords_are_allowed_or_refused() {
        let refused = Config::new(|_| Some("refused".to_owned())).common_passwords();
        assert_eq!(refused, Ok(CommonPasswords::Refused));
        assert!(Config::new(|_| Some("no".to_owned())).common_passwords().is_err());
    }

    #[test]
    fn an_endpoint_of_one_service_goes_before_that_of_all() {
        let both = Config::new(|name| Some(name.to_owned()));
        assert_eq!(
            both.of_service("AWS_ENDPOINT_URL", "DynamoDB").as_deref(),
            Some("AWS_ENDPOINT_URL_DYNAMODB")
        );
        let all = Config::new(|name| (name == "AWS_ENDPOINT_URL").then(|| "http://all".to_owned()));
        assert_eq!(all.of_service("AWS_ENDPOINT_URL", "S3").as_deref(), Some("http://all"));
        let empty = Config::new(|_| Some(String::new()));
        assert_eq!(empty.of_service("AWS_ENDPOINT_URL", "S3"), None);
    }

    #[test]
    fn hashing_costs_are_read_in_phc_notation() {
        let params = Config::new(|_| Some("m=19456,t=2,p=1".to_owned())).argon2_params().unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (19_456, 2, 1));
        for illegal in [|_: &str| Some("m=1,t=0".to_owned()), |_: &str| Some("cheap".to_owned())] {
            assert!(Config::new(illegal).argon2_params().is_err());
        }
    }

    #[test]
    fn origins_are_any_or_listed() {
        assert!(matches!("*".parse(), Ok(Origins::Any)));
        let Ok(Origins::Listed(origins)) = "https://a.example, https://b.example".parse() else {
            panic!("two origins are a list");
        };
        assert_eq!(origins, ["https://a.example", "https://b.example"]);
        for unusable in ["", "https://a.example,", "*,https://a.example", "a\nb"] {
            assert!(unusable.parse::<Origins>().is_err(), "{unusable:?}");
        }
    }

    #[test]
    fn a_short_secret_is_refused_and_not_told() {
        let [short, long] =
            [|_: &str| Some("fifteen bytes!!".to_owned()), |_: &str| Some("sixteen bytes!!!".to_owned())]
                .map(Config::new);
        let errors = [short.cursor_key().unwrap_err(), short.origin_secret().unwrap_err()];
        assert!(errors.iter().all(|error| !error.to_string().contains("fifteen")));
        assert!(long.cursor_key().is_ok());
        assert!(long.origin_secret().is_ok());
    }
}
