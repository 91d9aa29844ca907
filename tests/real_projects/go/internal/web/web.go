// Package web serves the orders.
package web

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.test/shop/internal/store"
)

// New returns the routes.
func New(store *store.Store) *gin.Engine {
	engine := gin.Default()
	engine.GET("/orders/:number", func(c *gin.Context) { order(c, store) })
	return engine
}

func order(c *gin.Context, store *store.Store) {
	number, err := strconv.Atoi(c.Param("number"))
	if err != nil {
		c.String(http.StatusBadRequest, "no number")
		return
	}
	found := store.Find(number)
	total := found.Total()
	average := found.Average()
	c.JSON(http.StatusOK, gin.H{"order": found, "total": total, "average": average})
}
