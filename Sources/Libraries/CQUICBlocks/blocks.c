// libngtcp2 0.12 takes memory for small objects (streams, sent packets, ranges of numbers) in blocks of 8 to 12 KiB each, one for
// every kind and every list of a connection: some 140 KiB for a connection that waits, of which it uses a tenth. These functions
// stand in place of those with the same names in a program that is linked with libngtcp2.a, whose own then stay out: a pool's first
// block has room for two objects, and each further one is twice as long, up to the length that ngtcp2 asks for. A shared libngtcp2
// calls its own.
#include <ngtcp2/ngtcp2.h>
#include <stddef.h>
#include <stdint.h>

#if NGTCP2_VERSION_NUM < 0x000c00 || NGTCP2_VERSION_NUM >= 0x000d00
#error "these functions are those of libngtcp2 0.12 (Debian 12), whose callers know their signatures"
#endif

typedef struct block block;

struct block {
    block *next;
};

// As long as ngtcp2's own structure, which is a member of others; only these functions look into it.
typedef struct {
    const ngtcp2_mem *memory;
    // Of the longest block, in bytes.
    size_t most;
    block *first;
    // Of the newest block, in bytes.
    size_t length;
    uint8_t *end;
    uint8_t *unused;
    uint8_t *next;
} pool;

_Static_assert(sizeof(pool) == 7 * sizeof(void *), "ngtcp2's structure has seven words");

// Objects are aligned to so many bytes, as those of malloc.
enum { alignment = 16 };

static size_t aligned(size_t count) { return (count + alignment - 1) & ~(size_t)(alignment - 1); }

void ngtcp2_balloc_init(pool *pool, size_t most, const ngtcp2_mem *memory) {
    pool->memory = memory;
    pool->most = most;
    pool->first = NULL;
    pool->length = 0;
    pool->end = pool->unused = pool->next = NULL;
}

void ngtcp2_balloc_clear(pool *pool) {
    block *each = pool->first;
    while (each) {
        block *next = each->next;
        pool->memory->free(each, pool->memory->user_data);
        each = next;
    }
    ngtcp2_balloc_init(pool, pool->most, pool->memory);
}

void ngtcp2_balloc_free(pool *pool) {
    if (pool) ngtcp2_balloc_clear(pool);
}

// Sets `object` to `count` bytes, which stay until the pool is cleared; returns 0 or ngtcp2's error.
int ngtcp2_balloc_get(pool *pool, void **object, size_t count) {
    count = aligned(count);
    if ((size_t)(pool->end - pool->next) < count) {
        size_t length = pool->length ? 2 * pool->length : 2 * count;
        if (length > pool->most) length = pool->most;
        if (length < count) length = count;
        block *made = pool->memory->malloc(sizeof(block) + alignment - 1 + length, pool->memory->user_data);
        if (!made) return NGTCP2_ERR_NOMEM;
        made->next = pool->first;
        pool->first = made;
        pool->length = length;
        pool->next = (uint8_t *)(((uintptr_t)made + sizeof(block) + alignment - 1) & ~(uintptr_t)(alignment - 1));
        pool->end = pool->next + length;
    }
    *object = pool->next;
    pool->next += count;
    return 0;
}
