fn calculate_sum(a: i32, b: i32) -> i32 {
    let sum = a + b;
    sum
}
fn process_data(value: i32) -> i32 {
    let doubled = value * 2;
    doubled + 10
}
fn main() {
    let x = 10;
    let y = 20;
    let sum = calculate_sum(x, y);
    println!("{sum}");
    let numbers = vec![1, 2, 3, 4, 5];
    let total: i32 = numbers.iter().sum();
    println!("{total}");
    let result = process_data(100);
    println!("{result}");
}
