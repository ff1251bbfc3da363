//! Mixing of 128-bit hashes.

use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::seed::Seed;

/// Two independent 64-bit halves of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Hash128 {
    pub(crate) a: u64,
    pub(crate) b: u64,
}

/// Odd-looking 64-bit constants: the fractional digits of pi, so that nobody can have
/// chosen them.
const PI: [u64; 16] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b,
    0xd131_0ba6_98df_b5ac,
    0x2ffd_72db_d01a_dfb7,
    0xb8e1_afed_6a26_7e96,
    0xba7c_9045_f12c_7f99,
    0x24a1_9947_b391_6cf7,
    0x0801_f2e2_858e_fc16,
    0x6369_20d8_7157_4e69,
];

/// The upper half of the product folded onto the lower.
#[inline(always)]
const fn fold(x: u64, y: u64) -> u64 {
    let product = (x as u128) * (y as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Hash128 {
    /// This followed by another; order counts.
    #[inline(always)]
    pub(crate) const fn then(self, next: Self) -> Self {
        Self {
            a: fold(self.a ^ PI[0], next.a ^ PI[1]),
            b: fold(self.b ^ PI[2], next.b ^ PI[3]),
        }
    }
}

impl From<u128> for Hash128 {
    #[inline(always)]
    fn from(bits: u128) -> Self {
        Self {
            a: bits as u64,
            b: (bits >> 64) as u64,
        }
    }
}

/// Hashes the parts of one JSON value under one seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hasher {
    seed: u64,
    p: u64,
    q: u64,
}

impl Hasher {
    pub(crate) const fn new(seed: Seed) -> Self {
        let seed = seed.get();
        Self {
            seed,
            p: fold(seed ^ PI[4], PI[5]),
            q: fold(seed ^ PI[6], PI[7]),
        }
    }

    #[inline(always)]
    pub(crate) fn string(self, bytes: &[u8]) -> Hash128 {
        xxh3_128_with_seed(bytes, self.seed).into()
    }

    /// One of the values that are nothing but themselves.
    #[inline(always)]
    pub(crate) const fn atom(self, atom: Atom) -> Hash128 {
        let atom = atom as u64;
        Hash128 {
            a: fold(self.p ^ PI[8], PI[9].wrapping_add(atom)),
            b: fold(self.q ^ PI[10], PI[11].wrapping_add(atom)),
        }
    }
}

/// The values without content.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Atom {
    Null,
    False,
    True,
    /// What stands in place of a volatile part.
    Marker,
}
