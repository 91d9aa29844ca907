#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

struct line {
    const char *article;
    int cents;
    int quantity;
};

static const struct line articles[] = {{"Atlas", 4850, 0}, {"Heft", 235, 0}, {"Globus", 11900, 0}};

static void check(sqlite3 *database, int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
        fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
        exit(2);
    }
}

static sqlite3 *fill(void) {
    sqlite3 *database;
    check(NULL, sqlite3_open(":memory:", &database));
    check(database, sqlite3_exec(database, "create table line (number, article, cents, quantity)",
                                 NULL, NULL, NULL));
    sqlite3_stmt *insert;
    check(database, sqlite3_prepare_v2(database, "insert into line values (?, ?, ?, ?)", -1,
                                       &insert, NULL));
    for (int number = 1; number <= 40; number++) {
        for (int index = 0; index < number % 4; index++) {
            struct line line = articles[index];
            line.quantity = number + index;
            sqlite3_bind_int(insert, 1, number);
            sqlite3_bind_text(insert, 2, line.article, -1, SQLITE_STATIC);
            sqlite3_bind_int(insert, 3, line.cents);
            sqlite3_bind_int(insert, 4, line.quantity);
            check(database, sqlite3_step(insert));
            check(database, sqlite3_reset(insert));
        }
    }
    sqlite3_finalize(insert);
    return database;
}

/* An SQL function: takes a tenth off, for numbers that 3 divides with the rest 1. */
static void discount(sqlite3_context *context, int count, sqlite3_value **values) {
    long long number = sqlite3_value_int64(values[0]);
    long long sum = sqlite3_value_int64(values[1]);
    long long off = number % 3 == 1 ? sum / 10 : 0;
    (void)count;
    sqlite3_result_int64(context, sum - off);
}

static int print_row(void *number, int columns, char **values, char **names) {
    (void)number, (void)columns, (void)names;
    printf("order %s: %s\n", values[0], values[1]);
    return 0;
}

static int totals(void) {
    sqlite3 *database = fill();
    check(database, sqlite3_create_function(database, "discount", 2, SQLITE_UTF8, NULL, discount,
                                            NULL, NULL));
    check(database, sqlite3_exec(database,
                                 "select number, discount(number, sum(cents * quantity)) from line "
                                 "group by number order by number",
                                 print_row, NULL, NULL));
    return sqlite3_close(database);
}

static int crash(void) {
    sqlite3 *database = fill();
    sqlite3_stmt *query;
    check(database, sqlite3_prepare_v2(database, "select article from line where number = 4", -1,
                                       &query, NULL));
    int code = sqlite3_step(query);
    const char *article = (const char *)sqlite3_column_text(query, 0);
    fprintf(stderr, "the step returned %d\n", code);
    return (int)strlen(article);
}

/* Fails for an order without lines. */
static int print_length(void *nothing, int columns, char **values, char **names) {
    (void)nothing, (void)columns, (void)names;
    fprintf(stderr, "length %s: ", values[0]);
    fprintf(stderr, "%zu\n", strlen(values[1]));
    return 0;
}

static int lengths(void) {
    sqlite3 *database = fill();
    check(database, sqlite3_exec(database,
                                 "select 3, (select max(article) from line where number = 3) "
                                 "union all "
                                 "select 4, (select max(article) from line where number = 4)",
                                 print_length, NULL, NULL));
    check(database, sqlite3_close(database));
    return 0;
}

static int test_sum(void) {
    sqlite3 *database = fill();
    sqlite3_stmt *query;
    check(database, sqlite3_prepare_v2(database,
                                       "select sum(cents * quantity) from line where number = 7", -1,
                                       &query, NULL));
    check(database, sqlite3_step(query));
    int sum = sqlite3_column_int(query, 0);
    fprintf(stderr, "the sum is %d\n", sum);
    assert(sum == 142390);
    return 0;
}

static pthread_mutex_t stock = PTHREAD_MUTEX_INITIALIZER, ledger = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *book(void *name) {
    int is_warehouse = strcmp(name, "warehouse") == 0;
    pthread_mutex_t *first = is_warehouse ? &stock : &ledger;
    pthread_mutex_t *second = is_warehouse ? &ledger : &stock;
    pthread_mutex_lock(first);
    pthread_barrier_wait(&both);
    printf("%s waits\n", (char *)name);
    fflush(stdout);
    pthread_mutex_lock(second);
    return name;
}

static int reserve(void) {
    pthread_t threads[2];
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&threads[0], NULL, book, "warehouse");
    pthread_create(&threads[1], NULL, book, "accounts");
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    return 0;
}

int main(int count, char **arguments) {
    const char *task = count > 1 ? arguments[1] : "totals";
    if (strcmp(task, "crash") == 0) return crash();
    if (strcmp(task, "reserve") == 0) return reserve();
    if (strcmp(task, "lengths") == 0) return lengths();
    if (strcmp(task, "test") == 0) return test_sum();
    return totals();
}
