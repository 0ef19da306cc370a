internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One line for each answered request, in the order of the replies; safe from any thread.
///
/// The task in ``run(_:)`` prints the lines, so a slow terminal does not slow replies; lines beyond a bound are
/// dropped and counted.
///
///     12:00:01.123  plain/get  GET /hello  200  5 bytes  0.4 ms
public final class RequestLines: Sendable {
    private let lines: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation
    private let dropped = Locked(0)

    /// The most lines that wait to be printed.
    static let waitingLimit = 1_000

    /// Lines are printed while ``run(_:)`` runs.
    public init() {
        (lines, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// Calls `print` with each line, without line feed, until ``finish()``; to be called once.
    public func run(_ print: (String) -> Void) async {
        for await line in lines {
            print(line)
            let count = dropped.withLock { count in
                defer { count = 0 }
                return count
            }
            if count > 0 { print("(\(count) requests more, which were faster than they could be printed)") }
        }
    }

    /// Ends ``run(_:)`` after the lines that wait.
    public func finish() { sink.finish() }

    /// For one journal; without `scenario`, of the shared port.
    func source(scenario: String?, run: String? = nil) -> Source {
        Source(lines: self, name: [scenario ?? "-", run].compactMap(\.self).joined(separator: " "))
    }

    private func add(_ line: String) {
        if case .dropped = sink.yield(line) { dropped.withLock { $0 += 1 } }
    }

    final class Source: Sendable {
        private let lines: RequestLines
        private let name: String
        private let open = Locked(OpenRequests())

        init(lines: RequestLines, name: String) {
            self.lines = lines
            self.name = name
        }

        /// To be called in the journal's order.
        func take(_ entry: JournalEntry) {
            guard let connection = entry.connection else { return }
            if let line = open.withLock({ $0.line(of: entry, connection: connection) }) {
                lines.add("\(Self.clock())  \(name)  \(line)")
            }
        }

        /// Local time of day.
        private static func clock() -> String {
            var now = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &now)
            var parts = unsafe tm()
            unsafe localtime_r(&now.tv_sec, &parts)
            func digits(_ number: Int, _ count: Int) -> String {
                let text = String(number)
                return String(repeating: "0", count: max(0, count - text.count)) + text
            }
            let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }
            return "\(time.joined(separator: ":")).\(digits(Int(now.tv_nsec) / 1_000_000, 3))"
        }
    }
}

private struct OpenRequests {
    private var requests: [Key: Request] = [:]

    private struct Key: Hashable {
        let connection: Int
        let request: Int
    }

    private struct Request {
        let text: String
        let start: UInt64
        var remarks: [String] = []

        func line(status: String, byteCount: Int, at nanoseconds: UInt64) -> String {
            let tenths = (nanoseconds >= start ? nanoseconds - start : 0) / 100_000
            let time = "\(tenths / 10).\(tenths % 10) ms"
            return ([text, status, Plural.count(byteCount, "byte"), time] + remarks).joined(separator: "  ")
        }
    }

    /// The most requests that are tracked; further ones have no line.
    private static let limit = 10_000
    private static let remarkLimit = 5

    /// The line of a request that the entry ends; nil where it ends none.
    mutating func line(of entry: JournalEntry, connection: Int) -> String? {
        guard let request = entry.request else { return line(of: entry.event, connection: connection) }
        let key = Key(connection: connection, request: request)
        switch entry.event {
        case .requestHead(let head, let target):
            guard requests.count < Self.limit else { return nil }
            let text = "\(EscapedText.of(head.methodBytes, limit: 40)) \(EscapedText.of(target))"
            requests[key] = Request(text: text, start: entry.nanoseconds)
        case .violation(let violation): remark("violation: \(violation.kind.rawValue)", on: key)
        case .missed(let miss):
            let difference = miss.differences.first.map { ": \($0)" } ?? ""
            remark("nothing expects it\(difference)", on: key)
        case .replySent(let status, let byteCount):
            return requests.removeValue(forKey: key)?.line(
                status: status.map { "\($0)" } ?? "raw", byteCount: byteCount, at: entry.nanoseconds)
        case .replyAborted(let byteCount, let reason):
            requests[key]?.remarks.append("broken off: \(reason)")
            return requests.removeValue(forKey: key)?.line(status: "-", byteCount: byteCount, at: entry.nanoseconds)
        default: break
        }
        return nil
    }

    /// The line of an event without a request: a malformed head, or an end before a reply.
    private mutating func line(of event: JournalEvent, connection: Int) -> String? {
        switch event {
        case .violation(let violation) where violation.isFatal:
            return "a request that can't be read  \(violation.status)  \(violation.kind.rawValue)"
        case .connectionClosed:
            guard let key = requests.keys.first(where: { $0.connection == connection }) else { return nil }
            return requests.removeValue(forKey: key).map { "\($0.text)  not answered" }
        default: return nil
        }
    }

    private mutating func remark(_ text: String, on key: Key) {
        guard let count = requests[key]?.remarks.count, count < Self.remarkLimit else { return }
        requests[key]?.remarks.append(text)
    }
}
