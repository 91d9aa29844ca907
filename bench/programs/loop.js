// The bench sets a log breakpoint on the marked line of this loop.

function count(rounds) {
  let total = 0; // [stop: before]
  for (let i = 0; i < rounds; i++) {
    total += i; // [log: hit]
  }
  return total; // [stop: after]
}

console.log(count(2000));
