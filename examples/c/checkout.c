// A shop's checkout. The total comes out too low: why?
//
// Ten or more of one item earn a tenth off that item.
#include <stdio.h>

struct item {
    const char *name;
    int price; // cents
    int quantity;
};

static int checkout(const struct item *items, int count) {
    int total = 0;
    for (int index = 0; index < count; index++) {
        const struct item *item = &items[index];
        int quantity = item->quantity;
        total += item->price * quantity;
        if (quantity >= 10) {
            total = total * 90 / 100; // [stop: discount]
        }
        printf("%3d x %-10s %8.2f\n", quantity, item->name, total / 100.0);
    }
    return total;
}

int main(void) {
    const struct item items[] = {{"Füller", 1990, 2}, {"Atlas", 4900, 1}, {"Heft", 250, 12}, {"Tinte", 480, 3}};
    int expected = 3980 + 4900 + 2700 + 1440;
    int total = checkout(items, 4);
    printf("total %.2f, expected %.2f\n", total / 100.0, expected / 100.0);
    return total != expected;
}
