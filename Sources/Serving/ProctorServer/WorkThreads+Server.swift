package import ProctorReplies

// Threads of what a server offers.
extension WorkThreads {
    /// For scenarios that a request asks for.
    package static let reading = WorkThreads(mostThreads: 2)
    /// For scenarios that no request has named: one thread reads them behind the requests, another one for callers that
    /// wait for all.
    static let readingAll = WorkThreads(mostThreads: 2)
    static let judgingLimit = 4
    /// For traces that are judged.
    static let judging = WorkThreads(mostThreads: judgingLimit)
}
