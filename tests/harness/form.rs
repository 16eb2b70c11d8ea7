//! Forms with files, built byte by byte.

/// Builder of a `multipart/form-data` body.
#[derive(Clone, Debug)]
pub struct Form {
    boundary: String,
    parts: Vec<(String, Vec<u8>)>,
}

impl Form {
    /// Creates a form without parts.
    #[must_use]
    pub fn new() -> Self {
        Self { boundary: "----WebKitFormBoundary7MA4YWxkTrZu0gW".to_owned(), parts: Vec::new() }
    }

    /// Adds a part with these header lines and content.
    #[must_use]
    pub fn part(mut self, headers: &str, content: impl Into<Vec<u8>>) -> Self {
        self.parts.push((headers.replace('\n', "\r\n"), content.into()));
        self
    }

    /// Returns the media type, with the boundary.
    #[must_use]
    pub fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    /// Builds the body.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for (headers, content) in &self.parts {
            body.extend(format!("--{}\r\n{headers}\r\n\r\n", self.boundary).bytes());
            body.extend(content);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{}--\r\n", self.boundary).bytes());
        body
    }
}

impl Default for Form {
    fn default() -> Self {
        Self::new()
    }
}
