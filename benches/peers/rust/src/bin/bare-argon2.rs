//! Bare hash of a login, in reused memory: `bare-argon2 COUNT` makes COUNT hashes and prints the nanoseconds
//! of each.

use std::{env, hint::black_box, time::Instant};

use argon2::{Algorithm, Argon2, Block, Params, Version};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = env::args().nth(1).ok_or("usage: bare-argon2 COUNT")?.parse()?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(19_456, 2, 1, None).map_err(text)?);
    let mut memory = vec![Block::default(); argon2.params().block_count()];
    let mut hash = [0; Params::DEFAULT_OUTPUT_LEN];
    for _ in 0..count {
        let started = Instant::now();
        argon2
            .hash_password_into_with_memory(black_box("비밀번호1234!".as_bytes()), &[7; 16], &mut hash, &mut memory)
            .map_err(text)?;
        black_box(hash);
        println!("{}", started.elapsed().as_nanos());
    }
    Ok(())
}

fn text(error: argon2::Error) -> String {
    error.to_string()
}
