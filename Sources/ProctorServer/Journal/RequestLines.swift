internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Every request that a server answers as one line for a person, in the order of the replies; safe from any thread.
///
/// Lines are made beside the journals and printed by whoever runs ``run(_:)``, so that a terminal that does not take
/// them holds nobody up: those that find no room are counted.
///
///     12:00:01.123  plain/get  GET /hello  200  5 bytes  0.4 ms
public final class RequestLines: Sendable {
    private let lines: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation
    private let dropped = Locked(0)

    /// Lines that wait to be printed.
    static let waitingLimit = 1_000

    /// Nothing is printed before ``run(_:)``.
    public init() {
        (lines, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// Prints lines, each without a line feed, until ``finish()``; to be called once.
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

    /// Nothing more comes; what waits is printed.
    public func finish() { sink.finish() }

    /// For one journal; nil for a `scenario` is the shared port itself.
    func source(scenario: String?, run: String? = nil) -> Source {
        Source(lines: self, name: [scenario ?? "-", run].compactMap(\.self).joined(separator: " "))
    }

    private func add(_ line: String) {
        if case .dropped = sink.yield(line) { dropped.withLock { $0 += 1 } }
    }

    /// Makes lines of the entries of one journal.
    final class Source: Sendable {
        private let lines: RequestLines
        private let name: String
        private let state = Locked<[Key: Open]>([:])

        private struct Key: Hashable {
            let connection: Int
            let request: Int
        }

        /// A request that was not answered yet.
        fileprivate struct Open {
            let text: String
            let start: UInt64
            var remarks: [String] = []
        }

        /// Requests that are followed at a time; those beyond it have no line.
        private static let openLimit = 10_000
        private static let remarkLimit = 5

        init(lines: RequestLines, name: String) {
            self.lines = lines
            self.name = name
        }

        /// In the journal's order.
        func take(_ entry: JournalEntry) {
            guard let connection = entry.connection else { return }
            let line = state.withLock { open in
                guard let request = entry.request else {
                    return Self.line(of: entry.event, connection, &open)
                }
                return Self.line(of: entry, Key(connection: connection, request: request), &open)
            }
            if let line { lines.add("\(Self.clock())  \(name)  \(line)") }
        }

        private static func line(of entry: JournalEntry, _ key: Key, _ open: inout [Key: Open]) -> String? {
            switch entry.event {
            case .requestHead(let head, let target):
                guard open.count < openLimit else { return nil }
                let text = "\(EscapedText.of(head.methodBytes, limit: 40)) \(EscapedText.of(target))"
                open[key] = Open(text: text, start: entry.nanoseconds)
            case .violation(let violation): remark("violation: \(violation.kind.rawValue)", key, &open)
            case .missed(let miss):
                let difference = miss.differences.first.map { ": \($0)" } ?? ""
                remark("nothing expects it\(difference)", key, &open)
            case .replySent(let status, let byteCount):
                return open.removeValue(forKey: key)?.line(
                    status.map { "\($0)" } ?? "raw", byteCount, at: entry.nanoseconds)
            case .replyAborted(let byteCount, let reason):
                open[key]?.remarks.append("broken off: \(reason)")
                return open.removeValue(forKey: key)?.line("-", byteCount, at: entry.nanoseconds)
            default: break
            }
            return nil
        }

        /// Of what belongs to no request: a head that can't be read, and an end that leaves requests unanswered.
        private static func line(of event: JournalEvent, _ connection: Int, _ open: inout [Key: Open]) -> String? {
            switch event {
            case .violation(let violation) where violation.isFatal:
                return "a request that can't be read  \(violation.status)  \(violation.kind.rawValue)"
            case .connectionClosed:
                guard let key = open.keys.first(where: { $0.connection == connection }) else { return nil }
                return open.removeValue(forKey: key).map { "\($0.text)  not answered" }
            default: return nil
            }
        }

        private static func remark(_ text: String, _ key: Key, _ open: inout [Key: Open]) {
            guard let count = open[key]?.remarks.count, count < remarkLimit else { return }
            open[key]?.remarks.append(text)
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

extension RequestLines.Source.Open {
    fileprivate func line(_ status: String, _ byteCount: Int, at nanoseconds: UInt64) -> String {
        let tenths = (nanoseconds >= start ? nanoseconds - start : 0) / 100_000
        let time = "\(tenths / 10).\(tenths % 10) ms"
        let parts = [text, status, Plural.count(byteCount, "byte"), time] + remarks
        return parts.joined(separator: "  ")
    }
}
