// Shopd prints and serves orders.
package main

import (
	"fmt"
	"net"
	"os"

	"github.com/gin-gonic/gin"
	"github.com/spf13/cobra"

	"example.test/shop/internal/store"
	"example.test/shop/internal/web"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	root := &cobra.Command{Use: "shopd", SilenceUsage: true}
	root.AddCommand(
		&cobra.Command{Use: "totals", RunE: totals},
		&cobra.Command{Use: "serve ADDRESS", Args: cobra.ExactArgs(1), RunE: serve},
		&cobra.Command{Use: "rebook", RunE: rebook},
	)
	if err := root.Execute(); err != nil {
		os.Exit(1)
	}
}

func totals(*cobra.Command, []string) error {
	orders := store.New()
	for number := 1; number <= 40; number++ {
		order := orders.Find(number)
		total := order.Total()
		fmt.Printf("order %d: %d\n", number, total)
	}
	return nil
}

func serve(_ *cobra.Command, args []string) error {
	listener, err := net.Listen("tcp", args[0])
	if err != nil {
		return err
	}
	engine := web.New(store.New())
	fmt.Println("listening on", listener.Addr())
	return engine.RunListener(listener)
}

func rebook(*cobra.Command, []string) error {
	orders := store.New()
	done := make(chan string)
	for number := 1; number <= 3; number++ {
		go func() {
			orders.Rebook(number, "nobody")
			done <- fmt.Sprint(number)
		}()
	}
	fmt.Println("waiting for 3 bookings")
	go serve(nil, []string{"127.0.0.1:0"})
	for range 3 {
		fmt.Println("booked", <-done)
	}
	return nil
}
