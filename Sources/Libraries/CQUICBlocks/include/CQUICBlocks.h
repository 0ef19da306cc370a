// Memory of a connection of QUIC in blocks that grow with what it needs; see blocks.c.
// Nothing is declared here: ngtcp2 calls these functions by the names of its own.
