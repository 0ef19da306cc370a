/// The numbers of a request in its journal, and the seed and the clock of its run.
package struct RequestNumbers {
    package let seed: RunSeed
    package let clock: RunClock
    /// From 0.
    package let connection: Int
    /// From 0; in text and waits of a connection, the number of the connection at its origin.
    package let request: Int
    /// What the request came on; nil where its facts are not needed.
    package var source: (any RequestSource)?

    package init(
        seed: RunSeed, clock: RunClock, connection: Int, request: Int, source: (any RequestSource)? = nil
    ) {
        (self.seed, self.clock, self.connection, self.request, self.source) = (seed, clock, connection, request, source)
    }
}
