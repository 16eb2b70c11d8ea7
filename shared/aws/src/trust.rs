//! Whom a function trusts to be AWS.

use std::path::Path;

use rustls::{
    RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::BoxError;

/// The certificates that AWS endpoints chain to, as Amazon Trust Services
/// publishes them (<https://www.amazontrust.com/repository/>).
const AMAZON: [&[u8]; 5] = [
    include_bytes!("roots/AmazonRootCA1.cer"),
    include_bytes!("roots/AmazonRootCA2.cer"),
    include_bytes!("roots/AmazonRootCA3.cer"),
    include_bytes!("roots/AmazonRootCA4.cer"),
    include_bytes!("roots/SFSRootCAG2.cer"),
];

/// The certificates that are trusted: Amazon's, or those in a PEM file.
///
/// # Errors
///
/// Where the file cannot be read or has no certificate, or one is none.
pub fn roots(bundle: Option<&Path>) -> Result<RootCertStore, BoxError> {
    let mut roots = RootCertStore::empty();
    let Some(file) = bundle else {
        for certificate in AMAZON {
            roots.add(certificate.into())?;
        }
        return Ok(roots);
    };
    for certificate in CertificateDer::pem_file_iter(file)? {
        roots.add(certificate?)?;
    }
    if roots.is_empty() { Err(format!("{} has no certificate", file.display()).into()) } else { Ok(roots) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use base64_simd::STANDARD;
    use tempfile::NamedTempFile;

    use super::*;

    fn bundle(text: &str) -> Result<RootCertStore, BoxError> {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        roots(Some(file.path()))
    }

    #[test]
    fn amazon_roots_are_default() {
        assert_eq!(roots(None).unwrap().len(), AMAZON.len());
    }

    #[test]
    fn bundle_replaces_default_roots() {
        let pem = |der: &[u8]| {
            let base64 = STANDARD.encode_to_string(der);
            format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n")
        };
        let two = format!("# two\n{}{}", pem(AMAZON[0]), pem(AMAZON[1]));
        assert_eq!(bundle(&two).unwrap().len(), 2);
        assert!(bundle(&pem(b"no certificate")).is_err());
        assert!(bundle("").is_err());
        assert!(roots(Some(Path::new("nowhere.pem"))).is_err());
    }
}
