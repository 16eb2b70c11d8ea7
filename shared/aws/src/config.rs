//! Settings of a function, from its environment variables.
//!
//! They are read once, at start. A missing or invalid variable stops the start; there are no silent
//! defaults. Each setting is parsed by its own type.

use std::{fmt, str::FromStr};

/// Reader of settings by the names of their variables.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    read: fn(&str) -> Option<String>,
}

/// Error for a missing or invalid setting; it never contains the value.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigError {
    variable: &'static str,
    expected: &'static str,
}

impl Config {
    /// Reads the environment of the process.
    #[must_use]
    pub fn from_env() -> Self {
        Self::new(|name| std::env::var(name).ok())
    }

    /// Reads variables with the given function.
    #[must_use]
    pub fn new(read: fn(&str) -> Option<String>) -> Self {
        Self { read }
    }

    /// Returns a required text.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable is unset or empty.
    pub fn text(self, variable: &'static str) -> Result<String, ConfigError> {
        required(variable, self.optional(variable))
    }

    /// Returns an optional text; an empty one counts as unset.
    #[must_use]
    pub fn optional(self, variable: &str) -> Option<String> {
        (self.read)(variable).filter(|value| !value.is_empty())
    }

    /// Returns an SDK setting of one service, such as `AWS_ENDPOINT_URL_DYNAMODB`, or otherwise that of all
    /// services, such as `AWS_ENDPOINT_URL`.
    #[must_use]
    pub fn service_setting(self, setting: &str, service: &str) -> Option<String> {
        let service = service.to_uppercase().replace(' ', "_");
        let value = (self.read)(&format!("{setting}_{service}")).or_else(|| (self.read)(setting));
        value.filter(|value| !value.is_empty())
    }
}

/// Returns the value of a required variable.
///
/// # Errors
///
/// Returns an error if it is unset.
pub fn required(variable: &'static str, value: Option<String>) -> Result<String, ConfigError> {
    value.ok_or(ConfigError { variable, expected: "set" })
}

/// Parses the value of a required variable by its type, whose parse error says what is expected.
///
/// # Errors
///
/// Returns an error if it is unset or rejected by the type.
pub fn parse<T: FromStr<Err = &'static str>>(variable: &'static str, value: Option<String>) -> Result<T, ConfigError> {
    let is_set = value.is_some();
    // An unset variable is parsed as an empty text, so that its error also says what is expected.
    match value.unwrap_or_default().parse() {
        Ok(setting) if is_set => Ok(setting),
        Ok(_) => Err(ConfigError { variable, expected: "set" }),
        Err(expected) => Err(ConfigError { variable, expected }),
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the environment variable {} must be {}", self.variable, self.expected)
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Secret;

    impl FromStr for Secret {
        type Err = &'static str;

        fn from_str(text: &str) -> Result<Self, &'static str> {
            if text.len() < 4 { Err("a secret of at least 4 bytes") } else { Ok(Self) }
        }
    }

    #[test]
    fn missing_variable_is_named() {
        for read in [|_: &str| None, |_: &str| Some(String::new())] {
            let error = Config::new(read).text("TABLE_NAME").unwrap_err();
            assert_eq!(error.to_string(), "the environment variable TABLE_NAME must be set");
        }
    }

    #[test]
    fn invalid_value_is_not_printed() {
        for value in [Some("abc".to_owned()), None] {
            let error = parse::<Secret>("KEY", value).unwrap_err();
            assert_eq!(error.to_string(), "the environment variable KEY must be a secret of at least 4 bytes");
        }
        assert_eq!(parse("KEY", Some("abcd".to_owned())), Ok(Secret));
    }

    #[test]
    fn service_endpoint_precedes_common_one() {
        let both = Config::new(|name| Some(name.to_owned()));
        assert_eq!(both.service_setting("AWS_ENDPOINT_URL", "DynamoDB").as_deref(), Some("AWS_ENDPOINT_URL_DYNAMODB"));
        let all = Config::new(|name| (name == "AWS_ENDPOINT_URL").then(|| "http://all".to_owned()));
        assert_eq!(all.service_setting("AWS_ENDPOINT_URL", "S3").as_deref(), Some("http://all"));
        let empty = Config::new(|_| Some(String::new()));
        assert_eq!(empty.service_setting("AWS_ENDPOINT_URL", "S3"), None);
    }
}
