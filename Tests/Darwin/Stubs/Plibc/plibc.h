#pragma once
#include <stddef.h>

int memcmp(const void *first, const void *second, size_t count);
void *memcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int byte, size_t count);
