//! Changes of the local stack: read from the stream of the embedded DynamoDB, kept, listed and posted.
//!
//! The embedded DynamoDB writes a record of its stream in the transaction of each write, into its `SQLite` file. This
//! module moves what the records tell into a table of the same file, in one transaction. So a killed process loses
//! nothing. The stream is never shortened otherwise, and each write reads all of it.

mod delivery;
mod pages;
mod receiver;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::error::Cause;
use dynoxide::{
    Database,
    actions::{
        get_records::{GetRecordsRequest, Record},
        get_shard_iterator::GetShardIteratorRequest,
        update_table::UpdateTableRequest,
    },
    streams,
};
use functions::changes::tell;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde_json::json;
use tokio::sync::Notify;

use crate::emulators::TABLE;

pub use delivery::deliver;
pub use pages::router;
pub use receiver::Receiver;

/// Number of delivered changes that are kept, the newest ones.
const MAX_CHANGES: u32 = 100;

/// Number of records that one transaction moves.
const BATCH: usize = 100;

/// Time in which writes are collected before their records are read.
const COLLECTION: Duration = Duration::from_millis(200);

/// `source` of all changes.
const SOURCE: &str = "/local";

/// Time to wait for a write of the embedded DynamoDB.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Tables of this module, and a trigger that drops at once what tells nothing, such as the chunks of a seat map.
///
/// The last record that was read stays in the stream, since the next number follows from the largest one.
const SCHEMA: &str = "
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS told_changes (
        number INTEGER PRIMARY KEY, event TEXT NOT NULL, pending INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS told_position (only_row INTEGER PRIMARY KEY, sequence TEXT NOT NULL);
    DROP TRIGGER IF EXISTS told_records;
    CREATE TRIGGER told_records AFTER INSERT ON _stream_records
    WHEN json_extract(NEW.keys_json, '$.sk.S') NOT IN ('EVENT', 'HOLD', 'EMAIL')
        AND (NEW.new_image IS NULL OR json_extract(NEW.new_image, '$.event.B') IS NULL)
    BEGIN DELETE FROM _stream_records WHERE id = NEW.id; END;";

/// Embedded DynamoDB whose tables are in a file.
pub struct StoredDatabase {
    /// The database.
    pub database: Database,
    /// Its `SQLite` file.
    pub file: PathBuf,
    /// Notified by each write.
    pub written: Arc<Notify>,
}

/// Changes of the table, in the order of their transactions.
#[derive(Clone)]
pub struct ChangeLog(Arc<Log>);

struct Log {
    database: Database,
    stream: String,
    connection: Mutex<Connection>,
    written: Arc<Notify>,
    arrived: Notify,
    has_receiver: bool,
}

/// Change in the log.
struct LoggedChange {
    number: i64,
    /// JSON of the change.
    event: String,
    /// True until a receiver takes it.
    is_pending: bool,
}

impl ChangeLog {
    /// Opens the log of a database with the table, and enables the stream of the table.
    ///
    /// With a receiver, new changes wait until they are delivered.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be used.
    pub fn open(stored: StoredDatabase, has_receiver: bool) -> Result<Self, Cause> {
        let StoredDatabase { database, file, written } = stored;
        let label = || Ok::<_, Cause>(database.get_table_metadata(TABLE)?.and_then(|table| table.stream_label));
        if label()?.is_none() {
            let stream = json!({"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"});
            let enable: UpdateTableRequest =
                serde_json::from_value(json!({"TableName": TABLE, "StreamSpecification": stream}))?;
            database.update_table(enable)?;
        }
        let stream = streams::stream_arn(TABLE, &label()?.unwrap_or_default());
        let connection = Connection::open(file)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.execute_batch(SCHEMA)?;
        let (connection, arrived) = (Mutex::new(connection), Notify::new());
        Ok(Self(Arc::new(Log { database, stream, connection, written, arrived, has_receiver })))
    }

    /// Reads the stream whenever something was written.
    pub async fn follow(self) {
        loop {
            if let Err(error) = self.read() {
                tracing::error!(error, "changes cannot be read");
            }
            self.0.written.notified().await;
            tokio::time::sleep(COLLECTION).await;
        }
    }

    /// Moves what the stream tells into the log.
    fn read(&self) -> Result<(), Cause> {
        let mut connection = self.connection();
        loop {
            let records = self.next_records(&connection)?;
            let Some(last) = records.last() else { return Ok(()) };
            let (event_id, sequence) = (last.event_id.clone(), last.dynamodb.sequence_number.clone());
            let is_last_batch = records.len() < BATCH;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for record in records {
                self.add(&transaction, record)?;
            }
            transaction.execute("REPLACE INTO told_position VALUES (0, ?1)", [sequence])?;
            let read = "DELETE FROM _stream_records WHERE id < (SELECT id FROM _stream_records WHERE event_id = ?1)";
            transaction.execute(read, [event_id])?;
            transaction.commit()?;
            remove_old(&connection)?;
            self.0.arrived.notify_one();
            if is_last_batch {
                return Ok(());
            }
        }
    }

    fn next_records(&self, connection: &Connection) -> Result<Vec<Record>, Cause> {
        let position = connection.query_row("SELECT sequence FROM told_position", [], |row| row.get(0)).optional()?;
        let from = if position.is_some() { "AFTER_SEQUENCE_NUMBER" } else { "TRIM_HORIZON" };
        let request = GetShardIteratorRequest {
            stream_arn: self.0.stream.clone(),
            shard_id: streams::shard_id(TABLE),
            shard_iterator_type: from.to_owned(),
            sequence_number: position,
        };
        let iterator = self.0.database.get_shard_iterator(request)?.shard_iterator.ok_or("no shard iterator")?;
        let request = GetRecordsRequest { shard_iterator: iterator, limit: Some(BATCH) };
        Ok(self.0.database.get_records(request)?.records)
    }

    fn add(&self, transaction: &Transaction<'_>, record: Record) -> Result<(), Cause> {
        let id = record.event_id.clone();
        let events = match tell::of_record(SOURCE, serde_json::from_value(serde_json::to_value(record)?)?) {
            Ok(events) => events,
            Err(error) => {
                // All others would wait for it, for ever.
                tracing::error!(id, cause = error.causes(), "unreadable record of the stream");
                return Ok(());
            }
        };
        let mut insert = transaction.prepare_cached("INSERT INTO told_changes (event, pending) VALUES (?1, ?2)")?;
        for event in events {
            insert.execute(params![serde_json::to_string(&event)?, self.0.has_receiver])?;
        }
        Ok(())
    }

    /// Returns the newest changes, at most 100, newest first.
    fn newest(&self) -> Result<Vec<LoggedChange>, Cause> {
        self.read()?;
        let connection = self.connection();
        let newest = "SELECT number, event, pending FROM told_changes ORDER BY number DESC LIMIT ?1";
        let mut newest = connection.prepare_cached(newest)?;
        Ok(newest.query_map([MAX_CHANGES], LoggedChange::from_row)?.collect::<Result<_, _>>()?)
    }

    /// Returns the oldest change that is not delivered yet.
    fn first_pending(&self) -> Result<Option<LoggedChange>, Cause> {
        let connection = self.connection();
        let first = "SELECT number, event, pending FROM told_changes WHERE pending ORDER BY number LIMIT 1";
        Ok(connection.prepare_cached(first)?.query_row([], LoggedChange::from_row).optional()?)
    }

    /// Marks a change as delivered.
    fn delivered(&self, change: &LoggedChange) -> Result<(), Cause> {
        let connection = self.connection();
        let delivered = "UPDATE told_changes SET pending = 0 WHERE number = ?1";
        connection.prepare_cached(delivered)?.execute([change.number])?;
        remove_old(&connection)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoggedChange {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { number: row.get(0)?, event: row.get(1)?, is_pending: row.get(2)? })
    }
}

/// Removes delivered changes beyond the limit.
fn remove_old(connection: &Connection) -> Result<(), Cause> {
    let old = "DELETE FROM told_changes WHERE NOT pending AND number <= (SELECT MAX(number) FROM told_changes) - ?1";
    connection.prepare_cached(old)?.execute([MAX_CHANGES])?;
    Ok(())
}
