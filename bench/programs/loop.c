// The bench sets a log breakpoint on the marked line of this loop.
#include <stdio.h>

static int count(int rounds) {
    int total = 0; // [stop: before]
    for (int i = 0; i < rounds; i++) {
        total += i; // [log: hit]
    }
    return total; // [stop: after]
}

int main(void) {
    printf("%d\n", count(2000));
    return 0;
}
