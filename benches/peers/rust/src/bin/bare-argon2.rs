//! Bare hash of a login, in reused memory: `bare-argon2 COUNT IMPLEMENTATION` makes COUNT hashes and prints the
//! nanoseconds of each.
//!
//! IMPLEMENTATION is `detected` for the crate of the functions, the name of one of its backends, or `rust-crypto`.

use std::{env, hint::black_box, time::Instant};

use argon2_rust::{
    __internal::{Instance, Workspace, fill_first_blocks, fill_memory_blocks_traced, finalize, initial_hash},
    Algorithm, Backend, Error, Params, Version,
};

const ALGORITHM: Algorithm = Algorithm::Argon2id;
const VERSION: Version = Version::V0x13;
/// 19 MiB, two passes and one lane, the default of a deployment.
const PARAMS: Params = Params::DEFAULT;
const SALT: [u8; 16] = [7; 16];

type Hash = [u8; 32];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [count, implementation] = &arguments[..] else { return Err("usage: bare-argon2 COUNT IMPLEMENTATION".into()) };
    let password = black_box("비밀번호1234!".as_bytes());
    match implementation.as_str() {
        "detected" => {
            let mut hasher = argon2_rust::Argon2::new(ALGORITHM, VERSION, PARAMS).hasher();
            time(count.parse()?, |hash| Ok(hasher.hash_into(password, &SALT, hash)?))
        }
        "rust-crypto" => {
            let params = argon2::Params::new(PARAMS.memory_kib(), PARAMS.passes(), PARAMS.lanes(), None);
            let params = params.map_err(|error| error.to_string())?;
            let argon2 = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
            let mut memory = vec![argon2::Block::default(); argon2.params().block_count()];
            time(count.parse()?, |hash| {
                let hashed = argon2.hash_password_into_with_memory(password, &SALT, hash, &mut memory);
                Ok(hashed.map_err(|error| error.to_string())?)
            })
        }
        name => {
            let backend = Backend::ALL.iter().find(|backend| backend.name() == name && backend.is_available());
            let backend = *backend.ok_or("the processor cannot run this implementation")?;
            let mut workspace = Workspace::new();
            time(count.parse()?, |hash| Ok(hash_with_backend(backend, &mut workspace, password, hash)?))
        }
    }
}

/// Makes hashes and prints the nanoseconds of each.
fn time(
    count: usize,
    mut make: impl FnMut(&mut Hash) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    for _ in 0..count {
        let (started, mut hash) = (Instant::now(), Hash::default());
        make(&mut hash)?;
        black_box(hash);
        println!("{}", started.elapsed().as_nanos());
    }
    Ok(())
}

/// Makes a hash as the crate does it, but with a given backend, which must be available.
#[expect(unsafe_code, reason = "the only way to choose a backend and to reuse memory")]
fn hash_with_backend(
    backend: Backend,
    workspace: &mut Workspace,
    password: &[u8],
    hash: &mut Hash,
) -> Result<(), Error> {
    let (_, _, lane_length) = PARAMS.memory_layout();
    let mut memory = workspace.acquire(PARAMS.memory_blocks() as usize)?;
    let mut seed = initial_hash(ALGORITHM, VERSION, &PARAMS, password, &SALT, &[], &[])?;
    fill_first_blocks(&mut seed, memory.as_mut_slice(), PARAMS.lanes(), lane_length)?;
    // SAFETY: the memory has as many blocks as the parameters say, and lives longer than the instance.
    let instance = unsafe { Instance::new(memory.as_mut_ptr(), memory.len(), ALGORITHM, VERSION, &PARAMS) };
    // SAFETY: the processor can run the backend, and no other thread uses the memory.
    unsafe { fill_memory_blocks_traced(&instance, backend, None) }?;
    finalize(&instance, hash)
}
