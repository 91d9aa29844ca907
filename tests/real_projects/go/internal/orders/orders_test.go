package orders

import "testing"

func TestTotal(t *testing.T) {
	for _, test := range []struct {
		name     string
		discount Discount
		want     int
	}{
		{"none", nil, 9700},
		{"tenth", Percent(10), 8730},
		{"third", Percent(33), 6498},
	} {
		t.Run(test.name, func(t *testing.T) {
			order := Order{Lines: []Line{{"Atlas", 4850, 2}}, Discount: test.discount}
			got := order.Total()
			if got != test.want {
				t.Errorf("Total() = %d, want %d", got, test.want)
			}
		})
	}
}

func TestAverage(t *testing.T) {
	empty := &Order{Number: 9}
	if got := empty.Average(); got != 0 {
		t.Errorf("Average() = %d", got)
	}
}
