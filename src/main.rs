//! The command `warpspan`.

fn main() {
    warpspan::command_line()
}
