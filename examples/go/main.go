// A shop's checkout. The total comes out too low: why?
//
// Ten or more of one item earn a tenth off that item.
package main

import (
	"fmt"
	"os"
)

type item struct {
	name     string
	price    int // cents
	quantity int
}

func checkout(items []item) int {
	total := 0
	for _, item := range items {
		quantity := item.quantity
		total += item.price * quantity
		if quantity >= 10 {
			total = total * 90 / 100 // [stop: discount]
		}
		fmt.Printf("%3d x %-10s %8.2f\n", quantity, item.name, float64(total)/100)
	}
	return total
}

func main() {
	items := []item{
		{"Füller", 1990, 2},
		{"Atlas", 4900, 1},
		{"Heft", 250, 12},
		{"Tinte", 480, 3},
	}
	expected := 3980 + 4900 + 2700 + 1440
	total := checkout(items)
	fmt.Printf("total %.2f, expected %.2f\n", float64(total)/100, float64(expected)/100)
	if total != expected {
		os.Exit(1)
	}
}
