//! Mails that the local SES took: kept in a file, listed for people at `/mail`, and for programs at `/mail.json`.

use std::{
    collections::VecDeque,
    fs,
    io::{self, ErrorKind, Write as _},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    extract::State,
    middleware::from_fn,
    response::{Html, IntoResponse as _, Response},
    routing::get,
};
use domain::instant::Instant;
use http::{StatusCode, header::CACHE_CONTROL};
use minijinja::{Environment, context};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::{emulators::web_pages::reject_host_names, pages};

/// Number of mails that are kept, the newest ones.
const MAX_MAILS: usize = 100;

/// Mail as it arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMail {
    /// Address.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
    /// Time of arrival, in ISO 8601 UTC.
    pub at: String,
}

/// Mailbox of all addresses.
#[derive(Clone, Debug)]
pub struct Mailbox {
    file: PathBuf,
    /// Newest first.
    mails: Arc<Mutex<VecDeque<StoredMail>>>,
}

impl Mailbox {
    /// Opens the mailbox in a file, which need not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn open(file: PathBuf) -> io::Result<Self> {
        let mails = match fs::read(&file) {
            Ok(json) => serde_json::from_slice(&json)?,
            Err(error) if error.kind() == ErrorKind::NotFound => VecDeque::new(),
            Err(error) => return Err(error),
        };
        Ok(Self { file, mails: Arc::new(Mutex::new(mails)) })
    }

    /// Keeps a mail, and drops the oldest ones beyond the limit.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn add(&self, mail: StoredMail) -> io::Result<()> {
        let mut mails = self.lock();
        mails.push_front(mail);
        mails.truncate(MAX_MAILS);
        // Only the developer's account can read such a file.
        let mut file = NamedTempFile::new_in(self.file.parent().unwrap_or(&self.file))?;
        file.write_all(&serde_json::to_vec(&*mails)?)?;
        file.persist(&self.file)?;
        Ok(())
    }

    /// Returns all mails, newest first.
    #[must_use]
    pub fn mails(&self) -> Vec<StoredMail> {
        self.lock().iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<StoredMail>> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves the mails, but not to pages of other hosts, since who reads a mail can use its link.
    pub fn router(&self) -> Router {
        let json = async |State(mailbox): State<Self>| ([(CACHE_CONTROL, "no-store")], Json(mailbox.mails()));
        Router::new()
            .route("/mail", get(page))
            .route("/mail.json", get(json))
            .layer(from_fn(reject_host_names))
            .with_state(self.clone())
    }
}

async fn page(State(mailbox): State<Mailbox>) -> Response {
    let mut environment = Environment::new();
    environment.add_filter("in_korea", |at: &str| Instant::from_text(at).map(Instant::in_korea).unwrap_or_default());
    // The end of the name makes the template escape all values.
    let added = environment.add_template("mailbox.html", include_str!("mailbox/page.html"));
    let rendered =
        added.and_then(|()| environment.get_template("mailbox.html")?.render(context! { mails => mailbox.mails() }));
    match rendered {
        // A mail has inline styles, and its frame has the policy of the page. Nothing else is loaded or run.
        Ok(html) => pages::page("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:", Html(html)),
        Err(error) => {
            tracing::error!(%error, "the page of mails cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_mails_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mailbox = Mailbox::open(folder.path().join("mails.json")).unwrap();
        for number in 0..=MAX_MAILS {
            let [to, subject, text, html, at] = [(); 5].map(|()| number.to_string());
            mailbox.add(StoredMail { to, subject, text, html, at }).unwrap();
        }
        let reopened = Mailbox::open(folder.path().join("mails.json")).unwrap().mails();
        assert_eq!(reopened, mailbox.mails());
        assert_eq!((reopened.len(), &*reopened[0].to, &*reopened[99].to), (MAX_MAILS, "100", "1"));
    }
}
