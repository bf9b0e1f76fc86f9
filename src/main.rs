//! The command `warpspan`.

fn main() {
    warpspan::cli::main()
}
