//! The command `warpspan`.

fn main() -> std::process::ExitCode {
    warpspan::cli::main()
}
