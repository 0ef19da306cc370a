/// Which phase may follow on which, and what brings it; the diagram of the documentation is made from it.
public enum LoaderTransitions {
    /// One way from phase to phase.
    public struct Row: Sendable, Hashable {
        /// The name of a ``LoaderPhase``.
        public let from: String
        /// What brings it, in a few words.
        public let cause: String
        /// The name of a ``LoaderPhase``.
        public let to: String
    }

    /// Every way there is; a test walks the loader through random events and finds each row and no other.
    public static let rows: [Row] =
        table.flatMap { from, ways in ways.map { Row(from: from.rawValue, cause: $0.0, to: $0.1.rawValue) } }

    static let table: [(LoaderPhase.Name, [(String, LoaderPhase.Name)])] = [
        (
            .idle,
            [
                ("start of an old shape", .announcing), ("start, streamed body", .openingBody),
                ("start", .sending), ("start without a URL, cancel, time-out", .ended),
            ]
        ),
        (
            .announcing,
            [
                ("accepted, streamed body", .openingBody), ("accepted", .sending),
                ("refused, cancel, time-out", .ended),
            ]
        ),
        (.openingBody, [("stream given", .sending), ("no stream, cancel, time-out", .ended)]),
        (
            .sending,
            [
                ("interim head, progress, safe retry, a tunnel to be asked for", .sending),
                ("safe retry of a stream", .openingBody),
                ("a handshake asks", .securing), ("3xx with a usable Location", .redirecting),
                ("401 or 407 with a known scheme, also of a tunnel", .challenging),
                ("the same, of a stale nonce or with a credential in the URL", .leaving),
                ("any other head", .disposing), ("head of multipart/x-mixed-replace", .receiving),
                (
                    "connection failed, tunnel refused, too many redirects, proof of the server wrong, cancel, time-out",
                    .ended
                ),
            ]
        ),
        (.securing, [("answered", .sending), ("cancelled, connection failed, cancel, time-out", .ended)]),
        (
            .redirecting,
            [
                ("progress", .redirecting), ("followed", .leaving), ("refused", .disposing),
                ("refused, multipart/x-mixed-replace", .receiving),
                ("followed to no URL, connection failed, cancel, time-out", .ended),
            ]
        ),
        (
            .challenging,
            [
                ("rejected, another space is left; progress", .challenging), ("credential", .leaving),
                ("no credential, or the last space rejected", .disposing),
                ("no credential, multipart/x-mixed-replace", .receiving),
                ("connection failed, cancelled, no credential for a tunnel, cancel, time-out", .ended),
            ]
        ),
        (
            .leaving,
            [
                ("rest of the reply gone", .sending), ("rest gone, streamed body", .openingBody),
                ("cancel, time-out", .ended),
            ]
        ),
        (
            .disposing,
            [
                ("allowed", .receiving), ("allowed, next part is there", .disposing),
                ("allowed, complete already and may be stored", .storing),
                ("allowed and complete, connection failed, not allowed, cancel, time-out", .ended),
            ]
        ),
        (
            .receiving,
            [
                ("content", .receiving), ("next part", .disposing), ("reply ended, may be stored", .storing),
                ("reply ended, connection failed, cancel, time-out", .ended),
            ]
        ),
        (.storing, [("answered, cancel, time-out", .ended)]),
        (.ended, []),
    ]
}
