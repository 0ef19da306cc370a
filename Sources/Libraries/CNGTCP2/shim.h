#include <ngtcp2/ngtcp2.h>
#if NGTCP2_VERSION_NUM < 0x000c00 || NGTCP2_VERSION_NUM >= 0x000d00
#error "Proctor's QUIC is written for libngtcp2 0.12 (Debian 12); build without PROCTOR_QUIC, which leaves HTTP/3 out"
#endif

// Versions are casts, which Swift does not see.
static const uint32_t proctor_NGTCP2_PROTO_VER_V1 = NGTCP2_PROTO_VER_V1;
