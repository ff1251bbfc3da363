//! Packed input is read as what it holds.

use crate::support::collect;

/// Each half of a text packed by itself and one put behind the other.
#[cfg(any(feature = "gzip", feature = "zstd"))]
fn packed_in_two(text: &str, pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let (first, second) = text.as_bytes().split_at(text.len() / 2);
    [pack(first), pack(second)].concat()
}

#[cfg(feature = "gzip")]
fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[cfg(feature = "zstd")]
fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 1).unwrap()
}

#[cfg(any(feature = "gzip", feature = "zstd"))]
fn reads_like_plain(pack: impl Fn(&[u8]) -> Vec<u8>, as_: loopguard_transcript::Compression) {
    for &(name, format) in crate::support::FIXTURES {
        let text = crate::support::fixture(name);
        let (mut plain, events) = collect(None, text.as_bytes()).unwrap();
        assert_eq!(plain.compression.replace(as_), None);
        for packed in [pack(text.as_bytes()), packed_in_two(&text, &pack)] {
            for named in [None, Some(format)] {
                assert_eq!(
                    collect(named, &packed).unwrap(),
                    (plain.clone(), events.clone())
                );
            }
            // Cut off anywhere it is an error or shorter, and never a panic.
            for end in (0..packed.len()).step_by(5) {
                let _ = collect(None, &packed[..end]);
            }
        }
    }
    let error = collect(None, &pack(b"")).unwrap_err();
    assert_eq!(error.to_string(), "the input is empty");
}

#[cfg(feature = "gzip")]
#[test]
fn gzip_reads_like_plain_text() {
    reads_like_plain(gzip, loopguard_transcript::Compression::Gzip);
}

#[cfg(feature = "zstd")]
#[test]
fn zstd_reads_like_plain_text() {
    reads_like_plain(zstd, loopguard_transcript::Compression::Zstd);
}

#[cfg(feature = "gzip")]
#[test]
fn a_packed_file_that_is_cut_off_says_after_which_line() {
    // Enough that half of it reaches the reader.
    let text: String = (0..50_000)
        .map(|n| format!("{{\"type\":\"reset\",\"at\":{n}}}\n"))
        .collect();
    let packed = gzip(text.as_bytes());
    let error = collect(
        Some(loopguard_transcript::Format::Events),
        &packed[..packed.len() / 2],
    )
    .unwrap_err()
    .to_string();
    assert!(error.starts_with("reading failed after line "), "{error}");
}

#[cfg(not(feature = "gzip"))]
#[test]
fn without_its_feature_gzip_is_named_in_the_error() {
    let error = collect(None, b"\x1f\x8b\x08\0").unwrap_err().to_string();
    assert!(error.contains("compressed with gzip"), "{error}");
}

#[cfg(not(feature = "zstd"))]
#[test]
fn without_its_feature_zstd_is_named_in_the_error() {
    let error = collect(None, b"\x28\xb5\x2f\xfd\0")
        .unwrap_err()
        .to_string();
    assert!(error.contains("compressed with zstd"), "{error}");
}
