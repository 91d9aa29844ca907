// The bench sets a log breakpoint on the marked line of this loop.
package main

import "fmt"

func count(rounds int) int {
	total := 0 // [stop: before]
	for i := range rounds {
		total += i // [log: hit]
	}
	return total // [stop: after]
}

func main() {
	fmt.Println(count(2000))
}
