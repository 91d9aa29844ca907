// Package store has the orders, in memory.
package store

import (
	"fmt"
	"sync"

	"example.test/shop/internal/orders"
)

// Store is safe for use by several goroutines.
type Store struct {
	mu     sync.RWMutex
	orders map[int]*orders.Order
}

var articles = []orders.Line{{Article: "Atlas", Cents: 4850}, {Article: "Heft", Cents: 235}, {Article: "Globus", Cents: 11900}}

// New returns a store with forty orders.
func New() *Store {
	store := &Store{orders: map[int]*orders.Order{}}
	for number := 1; number <= 40; number++ {
		order := &orders.Order{Number: number, Customer: fmt.Sprintf("customer %d", number)}
		for index, line := range articles[:number%4] {
			line.Quantity = number + index
			order.Lines = append(order.Lines, line)
		}
		if number%3 == 1 {
			order.Discount = orders.Percent(10)
		}
		store.orders[number] = order
	}
	return store
}

// Find returns an order, or nil.
func (s *Store) Find(number int) *orders.Order {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.orders[number]
}

// Rebook takes the lock twice: it never returns.
func (s *Store) Rebook(number int, customer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order := s.Find(number)
	order.Customer = customer
}
