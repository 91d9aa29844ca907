// Package orders knows what an order costs.
package orders

import "fmt"

// Line is one article of an order.
type Line struct {
	Article  string `json:"article"`
	Cents    int    `json:"cents"`
	Quantity int    `json:"quantity"`
}

// Discount takes something off a sum.
type Discount interface {
	Off(sum int) int
}

// Percent takes the same part off every sum.
type Percent int

// Off returns the part.
func (p Percent) Off(sum int) int { return sum * int(p) / 100 }

// Order is what a customer buys.
type Order struct {
	Number   int            `json:"number"`
	Customer string         `json:"customer"`
	Lines    []Line         `json:"lines"`
	Discount Discount       `json:"-"`
	Notes    map[string]any `json:"notes,omitempty"`
}

// Total returns what the order costs.
func (o *Order) Total() int {
	sum := 0
	for _, line := range o.Lines {
		sum += line.Cents * line.Quantity
	}
	if o.Discount != nil {
		sum -= o.Discount.Off(sum)
	}
	return sum // with the discount
}

// Average returns the price of a piece.
func (o *Order) Average() int {
	pieces := 0
	for _, line := range o.Lines {
		pieces += line.Quantity
	}
	return o.Total() / pieces
}

func (o *Order) String() string { return fmt.Sprintf("order %d", o.Number) }
