internal import ProctorBase
internal import ProctorHTTP

/// A request that has ended, as its journal told it.
package struct LoggedRequest: Sendable {
    /// nil: the shared port's own.
    package let scenario: String?
    package let run: String?
    package let notes: Notes

    /// What the journal's entries say of one request; making it costs no text.
    package struct Notes: Sendable {
        /// nil for bytes that could not be read as a request.
        var head: (head: RequestHead, target: [UInt8])?
        /// MonotonicClock nanoseconds of the head.
        let start: UInt64
        /// MonotonicClock nanoseconds of the end.
        var end: UInt64
        var ending = Ending.unanswered
        /// At most ``OpenRequests/remarkLimit``.
        var violations: [Remark] = []
        var miss: Miss?
    }

    /// A violation of whatever version of HTTP, as a line names it.
    struct Remark: Sendable {
        let kind: String
        let section: String

        init(_ violation: Violation) { (kind, section) = (violation.kind.rawValue, violation.section) }

        init(_ violation: FrameViolationNote) { (kind, section) = (violation.kind, violation.section) }
    }

    enum Ending: Sendable {
        /// `status` is nil for raw bytes.
        case replied(status: Int?, byteCount: Int)
        case aborted(byteCount: Int, reason: String)
        /// The connection ended first.
        case unanswered
        /// The bytes could not be read as a request; the status that says so.
        case refused(status: Int)
        /// The frames broke HTTP/2 before they were a request; the error code that ended the stream or the connection.
        case ended(code: String)
    }
}

/// The requests of one journal that have begun and not ended.
struct OpenRequests {
    private var requests: [Key: LoggedRequest.Notes] = [:]
    /// The numbers of those of each connection, so that its end costs no look at the others.
    private var numbers: [Int: Set<Int>] = [:]
    /// The requests of HTTP/2 by stream, since what is wrong with a stream names no request.
    private var streams: [StreamKey: Key] = [:]

    private struct StreamKey: Hashable {
        let connection: Int
        let stream: UInt32
    }

    private struct Key: Hashable {
        let connection: Int
        let request: Int
    }

    /// The most requests that are tracked; further ones have no line.
    private static let limit = 10_000
    static let remarkLimit = 5

    /// The requests that the entry ends, in their order.
    mutating func ended(by entry: JournalEntry, connection: Int) -> [LoggedRequest.Notes] {
        guard let request = entry.request else { return ended(by: entry, of: connection) }
        let key = Key(connection: connection, request: request)
        switch entry.event {
        case .requestHead(let head, let target):
            guard requests.count < Self.limit else { return [] }
            requests[key] = LoggedRequest.Notes(
                head: (head, target), start: entry.nanoseconds, end: entry.nanoseconds)
            numbers[connection, default: []].insert(request)
            if let stream = head.stream { streams[StreamKey(connection: connection, stream: stream)] = key }
        case .violation(let violation): addRemark(LoggedRequest.Remark(violation), of: key)
        case .frameViolation(let violation): addRemark(LoggedRequest.Remark(violation), of: key)
        case .missed(let miss): requests[key]?.miss = miss
        case .replySent(let status, let byteCount):
            return closeRequest(key, .replied(status: status, byteCount: byteCount), entry)
        case .replyAborted(let byteCount, let reason, _):
            return closeRequest(key, .aborted(byteCount: byteCount, reason: reason), entry)
        default: break
        }
        return []
    }

    private mutating func addRemark(_ remark: LoggedRequest.Remark, of key: Key) {
        guard let count = requests[key]?.violations.count, count < Self.remarkLimit else { return }
        requests[key]?.violations.append(remark)
    }

    private mutating func closeRequest(
        _ key: Key, _ ending: LoggedRequest.Ending, _ entry: JournalEntry
    ) -> [LoggedRequest.Notes] {
        guard var notes = requests.removeValue(forKey: key) else { return [] }
        numbers[key.connection]?.remove(key.request)
        if let stream = notes.head?.head.stream {
            streams[StreamKey(connection: key.connection, stream: stream)] = nil
        }
        notes.ending = ending
        notes.end = entry.nanoseconds
        return [notes]
    }

    /// The notes of what an event without a request ends: a malformed head, or an end before a reply.
    private mutating func ended(by entry: JournalEntry, of connection: Int) -> [LoggedRequest.Notes] {
        switch entry.event {
        case .violation(let violation) where violation.isFatal:
            var notes = LoggedRequest.Notes(start: entry.nanoseconds, end: entry.nanoseconds)
            notes.ending = .refused(status: violation.status)
            notes.violations = [LoggedRequest.Remark(violation)]
            return [notes]
        case .frameViolation(let violation):
            if let key = streams[StreamKey(connection: connection, stream: violation.stream)] {
                addRemark(LoggedRequest.Remark(violation), of: key)
                return []
            }
            guard violation.isFatal else { return [] }
            var notes = LoggedRequest.Notes(start: entry.nanoseconds, end: entry.nanoseconds)
            notes.ending = .ended(code: violation.code ?? "")
            notes.violations = [LoggedRequest.Remark(violation)]
            return [notes]
        case .connectionClosed:
            let rest = numbers.removeValue(forKey: connection) ?? []
            return rest.sorted().flatMap { closeRequest(Key(connection: connection, request: $0), .unanswered, entry) }
        default: return []
        }
    }
}
