import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorServing

/// Lines such as `headDuration 80ms` and `keptBodyByteCount 4`.
enum LimitWords {
    private static let durations: [String: any WritableKeyPath<ServerLimits, Duration> & Sendable] = [
        "handshakeDuration": \.handshakeDuration, "headDuration": \.headDuration, "idleDuration": \.idleDuration,
        "restDuration": \.restDuration, "progressDuration": \.progressDuration, "stallDuration": \.stallDuration,
        "awaitDuration": \.awaitDuration, "unreportedAwaitDuration": \.unreportedAwaitDuration,
        "settleDuration": \.settleDuration, "lingerDuration": \.lingerDuration,
        "wholeLingerDuration": \.wholeLingerDuration, "heldLoopDuration": \.heldLoopDuration,
    ]
    private static let counts: [String: any WritableKeyPath<ServerLimits, Int> & Sendable] = [
        "connectionCount": \.connectionCount, "wholeConnectionCount": \.wholeConnectionCount,
        "awakeConnectionCount": \.awakeConnectionCount, "runCount": \.runCount,
        "streamCount": \.streamCount, "lingerByteCount": \.lingerByteCount,
        "keptBodyByteCount": \.keptBodyByteCount, "codedByteCount": \.codedByteCount,
        "request.headByteCount": \.request.headByteCount, "request.bodyByteCount": \.request.bodyByteCount,
        "request.fieldCount": \.request.fieldCount, "request.targetByteCount": \.request.targetByteCount,
        "journal.entryCount": \.journal.entryCount, "journal.byteCount": \.journal.byteCount,
    ]

    static func apply(_ line: String, at number: Int, to configuration: inout ServerConfiguration) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2 else { throw RowError(number, "expected NAME VALUE, as in headDuration 80ms") }
        if let path = durations[words[0]] {
            configuration.limits[keyPath: path] = try duration(words[1], at: number)
        } else if let path = counts[words[0]], let count = Int(words[1]) {
            configuration.limits[keyPath: path] = count
        } else if words[0] == "seed", let seed = UInt64(words[1]) {
            configuration.seed = seed
        } else {
            let known = (durations.keys.sorted() + counts.keys.sorted()).joined(separator: ", ")
            throw RowError(number, "unknown limit \"\(line)\"; limits: \(known)")
        }
    }

    /// `80ms` or `2s`.
    static func duration(_ text: String, at number: Int) throws -> Duration {
        if text.hasSuffix("ms"), let count = Int(text.dropLast(2)) { return .milliseconds(count) }
        if text.hasSuffix("s"), let count = Int(text.dropLast()) { return .seconds(count) }
        throw RowError(number, "expected a duration such as 80ms or 2s, found \"\(text)\"")
    }
}
