//! Log of a function, except for its access log: warnings, errors and panics.

use std::panic;

use tracing_subscriber::{fmt::MakeWriter, util::SubscriberInitExt};

/// Message of a panic in the log, which an alarm in template.yaml looks for.
pub const PANICKED: &str = "panicked";

/// Logs warnings, errors and panics in Lambda's JSON format.
pub fn init() {
    subscriber(std::io::stdout).init();
    panic::set_hook(Box::new(|panicked| {
        // A formatted message may contain user input, so only a static one is logged.
        let text = panicked.payload().downcast_ref::<&'static str>();
        let location = panicked.location().map(ToString::to_string);
        tracing::error!(location, text, "{PANICKED}");
    }));
}

/// Builds a subscriber that writes warnings and errors in Lambda's JSON format.
pub fn subscriber<W>(writer: W) -> impl SubscriberInitExt
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_max_level(tracing::Level::WARN)
        .with_writer(writer)
        .finish()
}
