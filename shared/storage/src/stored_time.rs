//! Times as attributes.

use std::time::Duration;

use domain::instant::Instant;
use serde::{Deserialize, Serialize};

/// Time in epoch seconds, or ISO 8601 text if it has a fraction of a second.
///
/// A number takes a third of the bytes of a text, and a search pays for the bytes of each show of each event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Attribute", try_from = "Attribute")]
pub struct StoredTime(pub Instant);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Attribute {
    Seconds(u64),
    Text(Instant),
}

impl From<StoredTime> for Attribute {
    fn from(StoredTime(instant): StoredTime) -> Self {
        instant.whole_seconds().map_or(Self::Text(instant), Self::Seconds)
    }
}

impl TryFrom<Attribute> for StoredTime {
    type Error = &'static str;

    fn try_from(attribute: Attribute) -> Result<Self, Self::Error> {
        match attribute {
            Attribute::Seconds(seconds) => Instant::from_nanos(Duration::from_secs(seconds).as_nanos())
                .map(Self)
                .ok_or("a stored time is after the year 9999"),
            Attribute::Text(instant) => Ok(Self(instant)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_dynamo::{AttributeValue, from_attribute_value, to_attribute_value};

    use super::*;

    #[test]
    fn whole_seconds_are_a_number() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", AttributeValue::N("0".to_owned())),
            ("9999-12-31T23:59:59Z", AttributeValue::N("253402300799".to_owned())),
            ("2025-04-25T05:00:00.5Z", AttributeValue::S("2025-04-25T05:00:00.500Z".to_owned())),
        ] {
            let time = StoredTime(Instant::from_text(text).unwrap());
            let attribute: AttributeValue = to_attribute_value(time).unwrap();
            assert_eq!(attribute, expected);
            assert_eq!(from_attribute_value::<_, StoredTime>(attribute).unwrap(), time);
        }
    }

    #[test]
    fn invalid_time_is_rejected() {
        for attribute in [AttributeValue::N("253402300800".to_owned()), AttributeValue::S("today".to_owned())] {
            assert!(from_attribute_value::<_, StoredTime>(attribute).is_err());
        }
    }
}
