//! The golden data: what the originals answered, ours answer too, or differ as they should.

use std::path::Path;

use loopguard_tests::oracle;

fn from_the_tests(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn the_guards_answer_as_the_golden_data_says() {
    let report = oracle::run(&from_the_tests("oracle"));
    assert_eq!(report.failed(), 0, "{report}");
    // 52 streams of the reminder, 35 of the brake, and the tables beside them.
    let of = |folder: &str| {
        let files = report.files.iter();
        files.filter(|file| file.file.starts_with(folder)).count()
    };
    assert_eq!((of("reminder"), of("brake")), (52, 35), "{report}");
    assert!(report.files.iter().all(|file| file.rows > 0), "{report}");
    // What is known to differ does differ.
    assert!(report.tagged() > 80, "{report}");
}

#[test]
fn the_guards_answer_as_the_whole_golden_data_says_where_it_is_at_hand() {
    let whole = from_the_tests("../../shared/oracle");
    if !whole.is_dir() {
        println!("skipped: no golden data beside the workspace");
        return;
    }
    let report = oracle::run(&whole);
    assert_eq!(report.failed(), 0, "{report}");
    assert!(report.rows() > 9_000, "{report}");
}

#[test]
fn a_row_that_comes_out_otherwise_is_reported_with_its_line() {
    let dir = tempdir("otherwise");
    let stream = [
        r#"{"config":{"thresholds":[2]}}"#,
        r#"{"ev":"call","agent":"a","tool":"t","arguments":{},"expect":null}"#,
        r#"{"ev":"call","agent":"a","tool":"t","arguments":{},"expect":null}"#,
    ];
    std::fs::create_dir_all(dir.join("reminder")).unwrap();
    std::fs::write(dir.join("reminder/wrong.jsonl"), stream.join("\n")).unwrap();
    std::fs::write(dir.join("identity.jsonl"), "no JSON").unwrap();
    let report = oracle::run(&dir);
    std::fs::remove_dir_all(&dir).unwrap();
    let lines: Vec<_> = report
        .files
        .iter()
        .map(|file| {
            (
                file.file.to_str().unwrap(),
                file.rows,
                file.failures[0].line,
            )
        })
        .collect();
    assert_eq!(
        lines,
        [("reminder/wrong.jsonl", 2, 3), ("identity.jsonl", 1, 1)]
    );
    assert_eq!(report.files[0].failures[0].wanted, "null");
    assert!(
        report.files[0].failures[0].got.contains("t × 2"),
        "{report}"
    );
}

fn tempdir(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
