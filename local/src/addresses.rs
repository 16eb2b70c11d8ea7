//! Addresses on which the service and its emulators listen.

use std::{
    io::{self, ErrorKind},
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use tokio::net::TcpListener;

use crate::{emulators::BoundListener, start_error::StartError};

/// Addresses of the service and its emulators; port 0 selects a free port.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// IP address of all of them.
    pub host: IpAddr,
    /// Port of the service.
    pub gateway: u16,
    /// Port of DynamoDB.
    pub dynamodb: u16,
    /// Port of S3.
    pub s3: u16,
    /// Port of SES.
    pub ses: u16,
}

impl Default for Addresses {
    fn default() -> Self {
        Self { host: Ipv4Addr::LOCALHOST.into(), gateway: 0, dynamodb: 0, s3: 0, ses: 0 }
    }
}

/// Returns the URL of a service for browsers.
///
/// Loopback is `localhost`, as people type it. To a browser, 127.0.0.1 would be another site, on which they are not
/// logged in.
pub fn url_of(address: SocketAddr) -> String {
    if address.ip() == Ipv4Addr::LOCALHOST {
        format!("http://localhost:{}", address.port())
    } else {
        format!("http://{address}")
    }
}

/// Listens on the port that a flag selects.
pub async fn bind(host: IpAddr, flag: &'static str, port: u16) -> Result<BoundListener, StartError> {
    let start_error = |error: io::Error| match error.kind() {
        ErrorKind::AddrNotAvailable => StartError::Host(host, error),
        _ => StartError::Port(flag, port, error),
    };
    let listener = TcpListener::bind((host, port)).await.map_err(start_error)?;
    let address = listener.local_addr().map_err(start_error)?;
    Ok((listener, address))
}
