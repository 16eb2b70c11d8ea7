//! Responses to requests that are not valid HTTP, or whose head is too large.
//!
//! hyper responds to them itself, with a status but no body, and offers no setting for it. So the connection adds
//! the envelope to such a response.

use std::{
    fmt::Write as _,
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
};

use api::error::{Error, HttpFault};
use axum::serve::Listener;
use bytes::{Buf as _, Bytes};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

use crate::gateway;

/// Listener whose connections add the envelope to hyper's own responses.
pub struct EnvelopeListener(pub TcpListener);

impl Listener for EnvelopeListener {
    type Io = EnvelopeStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, client) = Listener::accept(&mut self.0).await;
        (EnvelopeStream { stream, unsent: Bytes::new() }, client)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

/// Connection that adds the envelope to hyper's own responses.
pub struct EnvelopeStream<S> {
    stream: S,
    /// Rest of a response with its envelope, the last one of the connection.
    unsent: Bytes,
}

impl<S: AsyncRead + Unpin> AsyncRead for EnvelopeStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for EnvelopeStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if let Some(response) = with_envelope(bytes) {
            self.unsent = response.into();
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        let Self { stream, unsent } = self.get_mut();
        while unsent.has_remaining() {
            let sent = ready!(Pin::new(&mut *stream).poll_write(cx, unsent))?;
            unsent.advance(sent);
        }
        Pin::new(stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_flush(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Adds envelope and headers to a response that hyper sent itself; returns `None` for other bytes.
fn with_envelope(response: &[u8]) -> Option<Vec<u8>> {
    let fault = match response.strip_prefix(b"HTTP/1.1 ")?.get(..3)? {
        b"400" => HttpFault::Malformed,
        b"414" => HttpFault::UriTooLong,
        b"431" => HttpFault::HeadersTooLarge,
        _ => return None,
    };
    let (head, rest) = str::from_utf8(response).ok()?.split_once("content-length: 0\r\n")?;
    if !rest.ends_with("\r\n") {
        return None;
    }
    let envelope = gateway::failure(&Error::Http(fault));
    let mut headers = format!("content-length: {}\r\n", envelope.body().len());
    for (name, value) in envelope.headers() {
        write!(headers, "{name}: {}\r\n", value.to_str().ok()?).ok()?;
    }
    Some([head.as_bytes(), headers.as_bytes(), rest.as_bytes(), envelope.body()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_responses_are_unchanged() {
        for response in [
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 35\r\n\r\n{\"message\":\"content-length: 0\r\n\"}",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "",
        ] {
            assert_eq!(with_envelope(response.as_bytes()), None, "{response}");
        }
    }
}
