//! Measured functions and requests. A new function needs one entry in [`FUNCTIONS`].

use bytes::Bytes;
use domain::error::Cause;
use futures_util::future::BoxFuture;
use serde_json::json;

use crate::{
    environment::Environment,
    implementations::Kind,
    instance::{Accepts, is_success, is_unauthorized},
    requests::{
        authorize_requests, cleanup_requests, create_requests, delete_requests, edit_requests, event_edit_requests,
        get_requests, gzip_create_requests, hall_requests, join_requests, list_requests, login_requests,
        own_list_requests, restore_requests, search_requests, thumbnail_requests, withdraw_requests,
        wrong_login_requests,
    },
    sample,
};

/// Default Argon2id parameters of a deployment.
pub const HASHING: &str = "m=19456,t=2,p=1";
/// Cheapest Argon2id parameters, so that the rest of a request is visible.
const CHEAP: &str = "m=64,t=1,p=1";

/// Measured function.
#[derive(Debug)]
pub struct Function {
    /// Name, as in `functions/`.
    pub slug: &'static str,
    /// Floor in `benches/peers/rust` that only makes the same calls.
    pub floor: &'static str,
    /// Measured implementations.
    pub kinds: &'static [Kind],
    /// Measured kinds of requests. The first one is also used to measure the start.
    pub jobs: &'static [Job],
}

/// Kind of request.
#[derive(Debug)]
pub struct Job {
    /// Name, unique in its function.
    pub name: &'static str,
    /// Description for the report.
    pub description: &'static str,
    /// Argon2id parameters.
    pub hashing: &'static str,
    /// Number of warm requests for which a process is timed. If it is 0, peers are not measured.
    pub timed: usize,
    /// Number of warm requests whose instructions are counted.
    pub counted: usize,
    /// Makes requests that each succeed once, and stores the items that they need.
    pub events: Prepare,
    /// Returns true if a response of the function or of a peer is the expected one.
    pub accepts: Accepts,
    /// Consumed units of DynamoDB and S3.
    pub storage: Storage,
}

/// Function that prepares a number of requests.
pub type Prepare = fn(&Environment, usize) -> BoxFuture<'_, Result<Vec<Bytes>, Cause>>;

/// Units that a request consumes in DynamoDB and S3, from docs/table.md.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    /// Read units.
    pub read: f64,
    /// Write units.
    pub write: f64,
    /// Uploaded objects.
    pub put: f64,
}

/// Default values of a job: a request at the lowest cost of a hash.
const REQUEST: Job = Job {
    name: "request",
    description: "",
    hashing: CHEAP,
    timed: 0,
    counted: 30,
    events: |_, _| Box::pin(async { Ok(Vec::new()) }),
    accepts: is_success,
    storage: READ,
};
/// Request that spends most of its time on its hash.
const HASHED: Job = Job { hashing: HASHING, timed: 10, counted: 2, ..REQUEST };
/// Request whose password hash costs as little as possible.
const CHEAPLY_HASHED: Job = Job {
    name: "cheap-hash",
    description: "the same at the lowest cost of a hash, to show the rest",
    counted: 50,
    ..REQUEST
};
/// Request of a large hall, whose instructions are counted.
const STADIUM: Job =
    Job { name: "stadium", description: "the same for a stadium of 25,000 seats", counted: 1, ..REQUEST };
/// Request of a large hall whose response is compressed.
const GZIP_STADIUM: Job =
    Job { name: "stadium-gzip", description: "the same, from a client that accepts gzip", counted: 1, ..REQUEST };
/// Read of one small item.
const READ: Storage = Storage { read: 1.0, write: 0.0, put: 0.0 };
/// Registration of a member.
const JOIN: Storage = Storage { read: 0.0, write: 6.0, put: 0.0 };
/// Login, the first in 15 minutes.
const LOGIN: Storage = Storage { write: 2.0, ..READ };
/// Registration of an event: an event of 1.2 KB, 1 chunk, 1 lock item and the expiry record, twice; also the
/// earlier write of the expiry record and the event in the three indexes.
const CREATE: Storage = Storage { read: 0.0, write: 16.0, put: 1.0 };
/// Read of an event with the seats of the arena.
const ARENA: Storage = Storage { read: 3.0, ..READ };

/// All functions. Those without a route have no peers.
pub const FUNCTIONS: &[Function] = &[
    Function {
        slug: "members-join",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "a registration at the default cost of a hash",
                events: |_, count| Box::pin(async move { join_requests(count) }),
                storage: JOIN,
                ..HASHED
            },
            Job { events: |_, count| Box::pin(async move { join_requests(count) }), storage: JOIN, ..CHEAPLY_HASHED },
        ],
    },
    Function {
        slug: "members-login",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "a login at the default cost of a hash",
                events: |environment, count| Box::pin(login_requests(environment, count)),
                storage: LOGIN,
                ..HASHED
            },
            Job {
                name: "wrong-password",
                description: "a login with a wrong password, which is counted",
                events: |environment, count| Box::pin(wrong_login_requests(environment, count)),
                accepts: is_unauthorized,
                storage: Storage { write: 1.0, ..READ },
                ..HASHED
            },
            Job {
                events: |environment, count| Box::pin(login_requests(environment, count)),
                storage: LOGIN,
                ..CHEAPLY_HASHED
            },
        ],
    },
    Function {
        slug: "members-edit",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "another name at the default cost of a hash",
                events: |environment, count| Box::pin(edit_requests(environment, count)),
                storage: Storage { read: 2.0, write: 4.0, put: 0.0 },
                ..HASHED
            },
            Job {
                events: |environment, count| Box::pin(edit_requests(environment, count)),
                storage: Storage { read: 2.0, write: 4.0, put: 0.0 },
                ..CHEAPLY_HASHED
            },
        ],
    },
    Function {
        slug: "members-withdraw",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "a withdrawal at the default cost of a hash",
                events: |environment, count| Box::pin(withdraw_requests(environment, count)),
                storage: Storage { read: 2.0, write: 8.0, put: 0.0 },
                ..HASHED
            },
            Job {
                events: |environment, count| Box::pin(withdraw_requests(environment, count)),
                storage: Storage { read: 2.0, write: 8.0, put: 0.0 },
                ..CHEAPLY_HASHED
            },
        ],
    },
    Function {
        slug: "events-create",
        floor: "bare-s3",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "an event of three seats with a poster of 8 KB",
                timed: 30,
                events: |_, count| Box::pin(async move { create_requests(count, sample::event, sample::small_poster) }),
                storage: CREATE,
                ..REQUEST
            },
            Job {
                name: "large-poster",
                description: "the same with a poster of 4 MiB",
                timed: 5,
                counted: 1,
                events: |_, count| Box::pin(async move { create_requests(count, sample::event, sample::large_poster) }),
                storage: CREATE,
                ..REQUEST
            },
            Job {
                name: "arena",
                description: "an event of 10,106 seats",
                counted: 1,
                events: |_, count| {
                    Box::pin(async move { create_requests(count, sample::event_in_arena, sample::small_poster) })
                },
                storage: CREATE,
                ..REQUEST
            },
            Job {
                events: |_, count| {
                    Box::pin(async move { create_requests(count, sample::event_in_stadium, sample::small_poster) })
                },
                ..STADIUM
            },
            Job {
                events: |_, count| Box::pin(async move { gzip_create_requests(count, sample::event_in_stadium) }),
                ..GZIP_STADIUM
            },
        ],
    },
    Function {
        slug: "events-list",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "the first 20 of 100 events, each with a description of 770 bytes",
                timed: 50,
                events: |environment, count| Box::pin(list_requests(environment, count)),
                // 21 events of 1.2 KB.
                storage: Storage { read: 3.5, ..READ },
                ..REQUEST
            },
            Job {
                name: "search",
                description: "the first 20 of 10,000 events that match a word and initial consonants",
                counted: 3,
                events: |environment, count| Box::pin(search_requests(environment, count)),
                // 10,000 records of 200 bytes in the index, and 20 events.
                storage: Storage { read: 258.0, ..READ },
                ..REQUEST
            },
        ],
    },
    Function {
        slug: "events-get",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[Job {
            description: "one of these events",
            timed: 100,
            counted: 100,
            events: |environment, count| Box::pin(get_requests(environment, count)),
            ..REQUEST
        }],
    },
    Function {
        slug: "events-detail",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "an event of three seats",
                timed: 50,
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-detail", sample::event, false, count))
                },
                ..REQUEST
            },
            Job {
                name: "arena",
                description: "an event of 10,106 seats",
                timed: 5,
                counted: 1,
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-detail", sample::event_in_arena, false, count))
                },
                storage: ARENA,
                ..REQUEST
            },
            Job {
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-detail", sample::event_in_stadium, false, count))
                },
                ..STADIUM
            },
            Job {
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-detail", sample::event_in_stadium, true, count))
                },
                ..GZIP_STADIUM
            },
        ],
    },
    Function {
        slug: "events-seat-map",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[
            Job {
                description: "the seat map of three seats",
                timed: 50,
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-seat-map", sample::event, false, count))
                },
                ..REQUEST
            },
            Job {
                name: "arena",
                description: "the seat map of 10,106 seats",
                timed: 5,
                counted: 1,
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-seat-map", sample::event_in_arena, false, count))
                },
                storage: ARENA,
                ..REQUEST
            },
            Job {
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-seat-map", sample::event_in_stadium, false, count))
                },
                ..STADIUM
            },
            Job {
                events: |environment, count| {
                    Box::pin(hall_requests(environment, "events-seat-map", sample::event_in_stadium, true, count))
                },
                ..GZIP_STADIUM
            },
        ],
    },
    Function {
        slug: "events-edit",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[Job {
            description: "the artist of one of these events",
            timed: 50,
            counted: 50,
            events: |environment, count| Box::pin(event_edit_requests(environment, count)),
            storage: Storage { write: 9.0, ..READ },
            ..REQUEST
        }],
    },
    Function {
        slug: "events-thumbnail",
        floor: "bare-s3",
        kinds: &Kind::ALL,
        jobs: &[Job {
            description: "a poster of 8 KB for one of these events",
            timed: 30,
            counted: 50,
            events: |environment, count| Box::pin(thumbnail_requests(environment, count)),
            storage: Storage { read: 2.0, write: 13.0, put: 1.0 },
            ..REQUEST
        }],
    },
    Function {
        slug: "events-delete",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[Job {
            description: "one of these events",
            timed: 50,
            counted: 50,
            events: |environment, count| Box::pin(delete_requests(environment, count)),
            storage: Storage { write: 15.0, ..READ },
            ..REQUEST
        }],
    },
    Function {
        slug: "events-restore",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[Job {
            description: "a deleted event",
            timed: 50,
            counted: 50,
            events: |environment, count| Box::pin(restore_requests(environment, count)),
            storage: Storage { write: 15.0, ..READ },
            ..REQUEST
        }],
    },
    Function {
        slug: "managers-events",
        floor: "bare",
        kinds: &Kind::ALL,
        jobs: &[Job {
            description: "20 of a manager's 100 events",
            timed: 50,
            events: |environment, count| Box::pin(own_list_requests(environment, count)),
            // 100 events of 1.2 KB.
            storage: Storage { read: 14.5, ..READ },
            ..REQUEST
        }],
    },
    Function {
        slug: "posters-cleanup",
        floor: "bare-s3",
        kinds: &Kind::RUST,
        jobs: &[Job {
            description: "one expired poster",
            timed: 50,
            counted: 50,
            events: |_, count| Box::pin(async move { cleanup_requests(count) }),
            accepts: |response| response["batchItemFailures"] == json!([]),
            ..REQUEST
        }],
    },
    Function {
        slug: "managers-authorize",
        floor: "hello",
        kinds: &[Kind::Function, Kind::Hello],
        jobs: &[Job {
            description: "a token signed with ES256",
            timed: 100,
            counted: 100,
            events: |environment, count| Box::pin(async move { authorize_requests(environment, count) }),
            accepts: |response| response["policyDocument"]["Statement"][0]["Effect"] == "Allow",
            storage: Storage { read: 0.0, ..READ },
            ..REQUEST
        }],
    },
];

impl Job {
    /// Returns true if it makes a hash at the default cost. No floor does.
    #[must_use]
    pub fn has_default_hash_cost(&self) -> bool {
        self.hashing == HASHING
    }

    /// Returns the check of a response; floors always respond with success.
    #[must_use]
    pub fn accepts(&self, kind: Kind) -> Accepts {
        if matches!(kind, Kind::Bare | Kind::Hello) { is_success } else { self.accepts }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::*;
    use crate::{root, template::memory};

    #[test]
    fn all_functions_are_measured() {
        let folders: BTreeSet<_> = fs::read_dir(root().join("functions"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let measured: BTreeSet<_> = FUNCTIONS.iter().map(|function| function.slug.to_owned()).collect();
        assert_eq!(measured, folders);
    }

    #[test]
    fn template_sets_memory_sizes() {
        for function in FUNCTIONS {
            assert!((128..=10_240).contains(&memory(function.slug).unwrap()), "{}", function.slug);
        }
    }
}
