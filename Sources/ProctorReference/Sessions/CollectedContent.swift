/// Content that is kept in memory, for whoever is given all of it at once.
struct CollectedContent: Sendable {
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    /// It takes the `collectedByteLimit` of a session at most.
    init(_ configuration: ReferenceConfiguration) { limit = configuration.collectedByteLimit }

    /// A further response takes the place of the one before (R26).
    mutating func startOver() { bytes = [] }

    mutating func append(_ more: [UInt8]) throws(LoadError) {
        guard limit - bytes.count >= more.count else {
            throw LoadError(
                .dataLengthExceedsMaximum,
                "the content is longer than the \(limit) bytes that are kept in memory; use a download")
        }
        if bytes.isEmpty { bytes = more } else { bytes += more }
    }
}
