package import ProctorReplies

// Threads of what serves.
extension WorkThreads {
    /// For keys, certificates and their files.
    package static let security = WorkThreads(mostThreads: 4)
    /// For large keys, whose primes take seconds; they delay only one another.
    static let largeKeys = WorkThreads(mostThreads: 1)
    /// For the text of streams, and for lists of runs.
    package static let streaming = WorkThreads(mostThreads: 1)
}
