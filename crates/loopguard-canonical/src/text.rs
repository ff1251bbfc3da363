//! Texts, normalised.

use crate::fingerprint::Fingerprint;
use crate::mask::Mask;
use crate::seed::Seed;

pub(crate) fn fingerprint(seed: Seed, text: &[u8]) -> Fingerprint {
    Fingerprint::of_bytes(seed, text)
}

pub(crate) fn masked_fingerprint(
    seed: Seed,
    text: &str,
    _masks: &mut dyn Iterator<Item = &Mask>,
) -> Fingerprint {
    fingerprint(seed, text.as_bytes())
}
