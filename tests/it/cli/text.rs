//! What a person reads: the text of the commands, in `tests/cmd`.
#![cfg(feature = "highs")]

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
