//! Records of the table's stream with the images of items, as `EventBridge` Pipes sends them.

use serde::Deserialize;
use serde_dynamo::Item;

/// Write of an item.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    /// Id of the record, unique in the table's stream.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The write itself.
    #[serde(rename = "dynamodb")]
    pub change: ItemChange,
}

/// Item before and after a write, and the place of the write in the stream.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ItemChange {
    /// Time of the write, in seconds since 1970.
    pub approximate_creation_date_time: f64,
    /// At most 40 digits. Of two writes of an item, the later one has the larger number.
    pub sequence_number: String,
    /// Item before the write, if there was one.
    pub old_image: Option<Item>,
    /// Item after the write, unless it was removed.
    pub new_image: Option<Item>,
}
