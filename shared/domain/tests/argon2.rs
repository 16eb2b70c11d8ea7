//! Differential tests of Argon2id.
//!
//! The implementation of the service (`argon2-rust`), each of its backends that this processor can run, the crate
//! `argon2`, and the reference implementation in C must compute the same hashes. `argon2-sys` compiles the portable
//! reference implementation: `ref.c` of phc-winner-argon2.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    ffi::{CStr, CString},
    ops::RangeInclusive,
};

use argon2::{PasswordVerifier as _, password_hash::phc};
use argon2_rust::{
    __internal::{Blake2bBackend, blake2b_with_backend, hash_with_backend},
    Algorithm, Backend, Params, Version, blake2b, encode_string_alloc,
    params::{Memory, TagLen},
};
use domain::password::{Hasher, Password, PasswordHash};
use proptest::{collection::vec, prelude::*};

/// Length of the hashes of the service, in bytes.
const OUTPUT: usize = 32;

/// Input of one hash.
#[derive(Clone, Debug)]
struct Input {
    password: Vec<u8>,
    salt: Vec<u8>,
    memory: u32,
    passes: u32,
    lanes: u32,
    output: usize,
    version: Version,
}

impl Input {
    /// Input with the smallest valid values.
    fn smallest() -> Self {
        let (password, salt) = (Vec::new(), vec![7; 8]);
        Self { password, salt, memory: 8, passes: 1, lanes: 1, output: 4, version: Version::V0x13 }
    }

    /// Input with the default parameters of a deployment.
    fn deployed() -> Self {
        let (password, salt) = ("비밀번호1234!".into(), vec![7; 16]);
        Self { password, salt, memory: 19_456, passes: 2, lanes: 1, output: OUTPUT, version: Version::V0x13 }
    }

    fn params(&self) -> Result<Params, argon2_rust::Error> {
        Params::builder()
            .memory(Memory::kib(self.memory.into()))
            .passes(self.passes)
            .lanes(self.lanes)
            .tag_len(TagLen::bytes(self.output as u64))
            .build()
    }

    /// Computes the hash with the implementation of the service.
    fn ours(&self) -> Result<Vec<u8>, argon2_rust::Error> {
        let mut hasher = argon2_rust::Argon2::new(Algorithm::Argon2id, self.version, self.params()?).hasher();
        let first = hasher.hash(&self.password, &self.salt)?;
        // The second hash is computed in reused memory.
        assert_eq!(hasher.hash(&self.password, &self.salt)?, first);
        Ok(first)
    }

    /// Computes the hash with one backend.
    #[expect(unsafe_code, reason = "the only way to choose a backend")]
    fn with_backend(&self, backend: Backend) -> Vec<u8> {
        assert!(backend.is_available());
        let (params, mut out) = (self.params().unwrap(), vec![0; self.output]);
        let (password, salt) = (&self.password, &self.salt);
        // SAFETY: the processor can run the backend.
        let hashed = unsafe {
            hash_with_backend(backend, Algorithm::Argon2id, self.version, &params, password, salt, &[], &[], &mut out)
        };
        hashed.unwrap();
        out
    }

    /// Computes the hash with the crate `argon2`.
    fn rust_crypto(&self) -> Result<Vec<u8>, argon2::Error> {
        let params = argon2::Params::new(self.memory, self.passes, self.lanes, Some(self.output))?;
        let version = argon2::Version::try_from(self.version.as_u32())?;
        let mut out = vec![0; self.output];
        argon2::Argon2::new(argon2::Algorithm::Argon2id, version, params).hash_password_into(
            &self.password,
            &self.salt,
            &mut out,
        )?;
        Ok(out)
    }

    /// Computes the hash and its PHC string with the reference implementation, or returns its error code.
    #[expect(unsafe_code, reason = "the reference implementation is in C")]
    fn reference(&self) -> Result<(Vec<u8>, String), i32> {
        let (mut out, mut encoded) = (vec![0_u8; self.output], vec![0_u8; 1_024]);
        // SAFETY: all pointers are valid for the lengths next to them.
        let code = unsafe {
            argon2_sys::argon2_hash(
                self.passes,
                self.memory,
                self.lanes,
                self.password.as_ptr().cast(),
                self.password.len(),
                self.salt.as_ptr().cast(),
                self.salt.len(),
                out.as_mut_ptr().cast(),
                out.len(),
                encoded.as_mut_ptr().cast(),
                encoded.len(),
                argon2_sys::Argon2_id,
                self.version.as_u32(),
            )
        };
        if code != argon2_sys::ARGON2_OK {
            return Err(code);
        }
        let encoded = CStr::from_bytes_until_nul(&encoded).unwrap().to_str().unwrap();
        Ok((out, encoded.to_owned()))
    }

    fn check_all_agree(&self) {
        let (expected, encoded) = self.reference().unwrap();
        assert_eq!(self.ours().unwrap(), expected, "{self:?}");
        assert_eq!(self.rust_crypto().unwrap(), expected, "{self:?}");
        for backend in available_backends() {
            assert_eq!(self.with_backend(backend), expected, "{backend}: {self:?}");
        }
        let phc =
            encode_string_alloc(Algorithm::Argon2id, self.version, &self.params().unwrap(), &self.salt, &expected);
        assert_eq!(phc.unwrap(), encoded);
    }
}

fn available_backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.iter().copied().filter(|backend| backend.is_available())
}

/// Makes inputs on both sides of the block lengths of Argon2 and `BLAKE2b`.
fn input() -> impl Strategy<Value = Input> {
    let version = prop_oneof![Just(Version::V0x10), Just(Version::V0x13)];
    let bytes = |length: RangeInclusive<usize>| vec(any::<u8>(), length);
    let costs = (1..=5_u32).prop_flat_map(|lanes| (8 * lanes..=8 * lanes + 300, 1..=3_u32, Just(lanes)));
    (bytes(0..=260), bytes(8..=140), costs, 4..=200_usize, version).prop_map(
        |(password, salt, (memory, passes, lanes), output, version)| Input {
            password,
            salt,
            memory,
            passes,
            lanes,
            output,
            version,
        },
    )
}

/// Makes passwords of members that are equal in normalization form C.
fn password() -> impl Strategy<Value = String> {
    "[!-~가-힣]{1,50}"
}

fn hasher(memory: u32, passes: u32, lanes: u32) -> Hasher {
    format!("m={memory},t={passes},p={lanes}").parse().unwrap()
}

fn verifies(hasher: &Hasher, password: &str, phc: &str) -> bool {
    let hash = PasswordHash::from_stored(phc.to_owned());
    hasher.verify(&Password::parse_at_login(password).unwrap(), Some(&hash))
}

fn rust_crypto_verifies(password: &str, phc: &str) -> bool {
    let phc = phc::PasswordHash::new(phc).unwrap();
    argon2::Argon2::default().verify_password(password.as_bytes(), &phc).is_ok()
}

#[expect(unsafe_code, reason = "the reference implementation is in C")]
fn reference_verifies(password: &str, phc: &str) -> bool {
    let phc = CString::new(phc).unwrap();
    // SAFETY: the string ends with a zero, and the other pointer is valid for the length next to it.
    let code = unsafe { argon2_sys::argon2id_verify(phc.as_ptr(), password.as_ptr().cast(), password.len()) };
    assert!([argon2_sys::ARGON2_OK, argon2_sys::ARGON2_VERIFY_MISMATCH].contains(&code), "{code}");
    code == argon2_sys::ARGON2_OK
}

proptest! {
    #[test]
    fn implementations_agree(input in input()) {
        input.check_all_agree();
    }

    #[test]
    fn our_hashes_verify_elsewhere(
        password in password(),
        memory in 32..=300_u32,
        passes in 1..=3_u32,
        lanes in 1..=4_u32,
    ) {
        let hash = hasher(memory, passes, lanes).hash(&Password::parse_at_login(&password).unwrap()).unwrap();
        let wrong = format!("{password}x");
        prop_assert!(rust_crypto_verifies(&password, hash.as_str()) && !rust_crypto_verifies(&wrong, hash.as_str()));
        prop_assert!(reference_verifies(&password, hash.as_str()) && !reference_verifies(&wrong, hash.as_str()));
    }

    #[test]
    fn other_hashes_verify_here(password in password(), wrong in password(), input in input()) {
        let input = Input { password: password.clone().into(), output: input.output.min(64), ..input };
        let (_, phc) = input.reference().unwrap();
        let hasher = hasher(64, 1, 1);
        prop_assert!(verifies(&hasher, &password, &phc));
        prop_assert!(password == wrong || !verifies(&hasher, &wrong, &phc));
    }

    #[test]
    fn blake2b_backends_agree(input in vec(any::<u8>(), 0..=400), length in 1..=64_usize) {
        // The backend that is used by default is tested by the hashes above.
        let mut expected = vec![0; length];
        blake2b(&mut expected, &input).unwrap();
        for backend in Blake2bBackend::ALL.iter().copied().filter(|backend| backend.is_available()) {
            let mut out = vec![0; length];
            #[expect(unsafe_code, reason = "the only way to choose a backend")]
            // SAFETY: the processor can run the backend.
            unsafe { blake2b_with_backend(&mut out, &input, backend) }.unwrap();
            prop_assert_eq!(&out, &expected, "{}", backend);
        }
    }
}

#[test]
fn limits_and_deployed_parameters_agree() {
    let smallest = Input::smallest;
    smallest().check_all_agree();
    Input::deployed().check_all_agree();
    // Beyond one block of BLAKE2b, and beyond one batch of addresses in a segment.
    Input { password: vec![1; 129], salt: vec![2; 129], output: 65, memory: 8 * 128 + 8, ..smallest() }
        .check_all_agree();
    Input { lanes: 16, memory: 8 * 16, passes: 4, ..smallest() }.check_all_agree();
}

#[test]
fn all_reject_invalid_parameters() {
    let smallest = Input::smallest;
    for input in [
        Input { memory: 7, ..smallest() },
        Input { memory: 15, lanes: 2, ..smallest() },
        Input { passes: 0, ..smallest() },
        Input { lanes: 0, ..smallest() },
        Input { output: 3, ..smallest() },
        Input { salt: vec![7; 7], ..smallest() },
    ] {
        assert!(input.reference().is_err(), "{input:?}");
        assert!(input.rust_crypto().is_err(), "{input:?}");
        assert!(input.ours().is_err(), "{input:?}");
    }
}
