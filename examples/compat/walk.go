package main

import "fmt"

var rate = 19

type Order struct {
	Name  string
	Cents int
}

func tax(cents int) int {
	return cents * rate / 100
}

func main() {
	orders := []Order{{"pen", 200}, {"book", 1000}}
	total := 0
	for _, order := range orders {
		total += order.Cents + tax(order.Cents)
	}
	fmt.Println("total", total)
}
