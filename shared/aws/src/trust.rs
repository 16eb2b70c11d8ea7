//! TLS root certificates for connections to AWS.

use std::path::Path;

use rustls::{
    RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::BoxError;

/// Root certificates of AWS endpoints, published by Amazon Trust Services
/// (<https://www.amazontrust.com/repository/>).
const AMAZON: [&[u8]; 5] = [
    include_bytes!("roots/AmazonRootCA1.cer"),
    include_bytes!("roots/AmazonRootCA2.cer"),
    include_bytes!("roots/AmazonRootCA3.cer"),
    include_bytes!("roots/AmazonRootCA4.cer"),
    include_bytes!("roots/SFSRootCAG2.cer"),
];

/// Returns the trusted root certificates: those of a PEM file, or Amazon's by default.
///
/// # Errors
///
/// Returns an error if the file cannot be read, has no certificate or has an invalid one.
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
        let bundle_of_two = format!("# two\n{}{}", pem(AMAZON[0]), pem(AMAZON[1]));
        assert_eq!(bundle(&bundle_of_two).unwrap().len(), 2);
        assert!(bundle(&pem(b"no certificate")).is_err());
        assert!(bundle("").is_err());
        assert!(roots(Some(Path::new("nowhere.pem"))).is_err());
    }
}
