// The bench sets a log breakpoint on the marked line of this loop.

fn count(rounds: u32) -> u32 {
    let mut total = 0; // [stop: before]
    for i in 0..rounds {
        total += i; // [log: hit]
    }
    total // [stop: after]
}

fn main() {
    println!("{}", count(2000));
}
