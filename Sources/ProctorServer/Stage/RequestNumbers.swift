/// The numbers of a request in its journal, and the seed of its run.
struct RequestNumbers {
    let seed: RunSeed
    /// From 0.
    let connection: Int
    /// From 0; in text and waits of a connection, the number of the connection at its origin.
    let request: Int
    /// What the request came on; nil where its facts are not needed.
    var source: (any RequestChannel)?
}
