//! The hashes of JSON values, put together from the hashes of their parts.
//!
//! A string is hashed by XXH3. A number, an array, an object are put together by folded
//! multiplication in two lanes that share nothing, so that two different values collide
//! with a probability near 2^-126. The members of an object are summed, so that their order
//! cannot matter and nothing has to be sorted.

use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::seed::Seed;

/// Two independent 64-bit lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Hash128 {
    pub(crate) a: u64,
    pub(crate) b: u64,
}

/// The values that have no content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    Null,
    False,
    True,
    /// What stands in place of a volatile part. No JSON value is hashed like it.
    Marker,
}

/// Hashes the parts of JSON values under one seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hasher {
    seed: u64,
    // Two secrets drawn from the seed, for everything that is not a string.
    p: u64,
    q: u64,
}

/// An array so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ArrayHash {
    lanes: Hash128,
    len: u64,
}

/// An object so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectHash {
    sum: Hash128,
    len: u64,
}

/// Constants that nobody can have chosen: the first fractional digits of pi.
const PI: [u64; 20] = [
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
    0xa458_fea3_f493_3d7e,
    0x0d95_748f_728e_b658,
    0x718b_cd58_8215_4aee,
    0x7b54_a41d_c25a_59b5,
];

/// The upper half of the product folded onto the lower.
#[inline(always)]
const fn fold(x: u64, y: u64) -> u64 {
    let product = (x as u128) * (y as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Hash128 {
    /// This followed by another. Order counts.
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

impl Hasher {
    #[inline]
    pub(crate) const fn new(seed: Seed) -> Self {
        let seed = seed.get();
        Self {
            seed,
            p: fold(seed ^ PI[4], PI[5]),
            q: fold(seed ^ PI[6], PI[7]),
        }
    }

    pub(crate) const fn seed(self) -> u64 {
        self.seed
    }

    /// A string or key, as WTF-8.
    #[inline(always)]
    pub(crate) fn string(self, bytes: &[u8]) -> Hash128 {
        xxh3_128_with_seed(bytes, self.seed).into()
    }

    #[inline(always)]
    pub(crate) const fn atom(self, atom: Atom) -> Hash128 {
        let atom = atom as u64;
        self.pair(PI[8].wrapping_add(atom), PI[9])
    }

    /// The number `digits * 10^exponent`, negative or not.
    #[inline(always)]
    pub(crate) const fn number(self, negative: bool, digits: u64, exponent: i64) -> Hash128 {
        self.pair(digits, ((exponent as u64) << 1 | negative as u64) ^ PI[10])
    }

    /// A double that is no integer, by its bits.
    #[inline(always)]
    pub(crate) const fn fraction(self, bits: u64) -> Hash128 {
        self.pair(bits, PI[12])
    }

    /// A number hash that goes on with one more word of digits or exponent.
    #[inline(always)]
    pub(crate) const fn more(self, hash: Hash128, word: u64) -> Hash128 {
        hash.then(self.pair(word, PI[11]))
    }

    /// The whole: arguments of a call to `tool`.
    #[inline(always)]
    pub(crate) fn call(self, tool: &str, arguments: Hash128) -> Hash128 {
        let tool = self.string(tool.as_bytes());
        // The tool's name enters by another secret than a key does, so that a call is
        // never like an object's member.
        let tool = Hash128 {
            a: tool.a ^ self.q,
            b: tool.b ^ self.p,
        };
        tool.then(arguments)
    }

    #[inline(always)]
    pub(crate) const fn push(self, array: ArrayHash, item: Hash128) -> ArrayHash {
        ArrayHash {
            lanes: Hash128 {
                a: fold(array.lanes.a ^ item.a ^ self.p, PI[12]),
                b: fold(array.lanes.b ^ item.b ^ self.q, PI[13]),
            },
            len: array.len + 1,
        }
    }

    #[inline(always)]
    pub(crate) const fn array(self, array: ArrayHash) -> Hash128 {
        Hash128 {
            a: fold(array.lanes.a ^ self.p ^ PI[14], array.len ^ PI[15]),
            b: fold(array.lanes.b ^ self.q ^ PI[16], array.len ^ PI[17]),
        }
    }

    /// One member of an object, ready to be summed.
    #[inline(always)]
    pub(crate) const fn member(self, key: Hash128, value: Hash128) -> Hash128 {
        Hash128 {
            a: fold(key.a ^ self.p, value.a ^ PI[1]),
            b: fold(key.b ^ self.q, value.b ^ PI[3]),
        }
    }

    #[inline(always)]
    pub(crate) const fn insert(self, object: ObjectHash, member: Hash128) -> ObjectHash {
        ObjectHash {
            sum: Hash128 {
                a: object.sum.a.wrapping_add(member.a),
                b: object.sum.b.wrapping_add(member.b),
            },
            len: object.len + 1,
        }
    }

    /// Takes back what was inserted.
    #[inline]
    pub(crate) const fn remove(self, object: ObjectHash, member: Hash128) -> ObjectHash {
        ObjectHash {
            sum: Hash128 {
                a: object.sum.a.wrapping_sub(member.a),
                b: object.sum.b.wrapping_sub(member.b),
            },
            len: object.len - 1,
        }
    }

    #[inline(always)]
    pub(crate) const fn object(self, object: ObjectHash) -> Hash128 {
        Hash128 {
            a: fold(object.sum.a ^ self.p ^ PI[18], object.len ^ PI[0]),
            b: fold(object.sum.b ^ self.q ^ PI[19], object.len ^ PI[2]),
        }
    }

    #[inline(always)]
    const fn pair(self, x: u64, y: u64) -> Hash128 {
        Hash128 {
            a: fold(x ^ self.p, y ^ PI[5]),
            b: fold(x ^ self.q, y ^ PI[7]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_in_arrays_and_not_in_objects() {
        let hasher = Hasher::new(Seed::new(7));
        let (x, y) = (hasher.string(b"x"), hasher.string(b"y"));
        let array = |items: &[Hash128]| {
            hasher.array(
                items
                    .iter()
                    .fold(ArrayHash::default(), |a, &i| hasher.push(a, i)),
            )
        };
        assert_ne!(array(&[x, y]), array(&[y, x]));
        assert_ne!(array(&[x]), array(&[x, x]));
        assert_ne!(array(&[]), hasher.object(ObjectHash::default()));
        let object = |items: &[(Hash128, Hash128)]| {
            hasher.object(items.iter().fold(ObjectHash::default(), |o, &(k, v)| {
                hasher.insert(o, hasher.member(k, v))
            }))
        };
        assert_eq!(object(&[(x, x), (y, y)]), object(&[(y, y), (x, x)]));
        assert_ne!(object(&[(x, x), (y, y)]), object(&[(x, y), (y, x)]));
    }
}
