internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
import ProctorReplies
import ProctorServer
internal import ProctorServing

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension ControlAPI {
    /// The numbers of the server as Prometheus reads them; each counter is that of the server's whole life.
    ///
    /// Nothing is counted for it on the road of a request but what journals count of themselves.
    func metrics() -> BuiltInReply {
        var text = MetricsText()
        let sums = numbers.tallies.sums
        for row in Self.countedRows {
            text.beginMetric(row.name, .counter, row.says)
            for place in JournalTally.Place.allCases {
                text.add(row.name, [("place", place.rawValue)], row.count(sums[place] ?? JournalTally.Counts()))
            }
        }
        text.beginMetric(
            "proctor_replies_total", .counter, "Replies that were sent whole, by the class of their status.")
        for place in JournalTally.Place.allCases {
            let counts = (sums[place] ?? JournalTally.Counts()).replyCounts
            for (digit, count) in counts.enumerated() {
                text.add(
                    "proctor_replies_total",
                    [("place", place.rawValue), ("status", digit == 0 ? "raw" : "\(digit)xx")], count)
            }
        }
        text.beginMetric("proctor_verdicts_total", .counter, "Verdicts that calls asked for, by their outcome.")
        for (outcome, count) in numbers.verdicts.sorted {
            text.add("proctor_verdicts_total", [("outcome", outcome)], count)
        }
        text.addOne("proctor_runs_total", .counter, "Runs that were made, standing ones too.", UInt64(runCounts.made))
        text.addOne("proctor_runs", .gauge, "Runs with ports of their own that live now.", UInt64(runCounts.living))
        text.addOne(
            "proctor_open_connections", .gauge, "Connections that are open now.",
            UInt64(max(0, numbers.usage.openConnectionCount)))
        let busy = Dictionary(
            numbers.watch.present.map { ($0.loop, $0.nanoseconds) }, uniquingKeysWith: { first, _ in first })
        text.beginMetric(
            "proctor_loop_busy_seconds", .gauge, "For how long a loop has worked at what it does now; 0 where it waits."
        )
        for loop in 0..<numbers.loopCount {
            text.add("proctor_loop_busy_seconds", [("loop", "\(loop)")], nanoseconds: busy[loop] ?? 0)
        }
        text.beginMetric("proctor_uptime_seconds", .gauge, "How long the server has run.")
        text.add("proctor_uptime_seconds", [], nanoseconds: MonotonicClock.nanoseconds &- start)
        if let byteCount = ProcessNumbers.residentByteCount {
            text.addOne("process_resident_memory_bytes", .gauge, "Memory of the process, in bytes.", byteCount)
        }
        text.beginMetric("process_cpu_seconds_total", .counter, "Processor time of the process, in seconds.")
        text.add("process_cpu_seconds_total", [], nanoseconds: ProcessNumbers.processorNanoseconds)
        return BuiltInReply(status: 200, contentType: MetricsText.contentType, bytes: text.bytes)
    }

    private struct Row: Sendable {
        let name: String
        let says: String
        let count: @Sendable (JournalTally.Counts) -> UInt64
    }

    private static let countedRows = [
        Row(name: "proctor_requests_total", says: "Requests whose head came whole.") { $0.requestCount },
        Row(name: "proctor_missed_requests_total", says: "Requests that no exchange expects.") { $0.missedCount },
        Row(name: "proctor_violations_total", says: "Departures of clients from a specification.") {
            $0.violationCount
        },
        Row(name: "proctor_connections_total", says: "Connections that were opened.") { $0.connectionCount },
        Row(name: "proctor_received_content_bytes_total", says: "Bytes of the content of requests.") {
            $0.receivedByteCount
        },
        Row(name: "proctor_sent_bytes_total", says: "Bytes of replies that were sent whole.") { $0.sentByteCount },
        Row(
            name: "proctor_refusals_total", says: "Bounds of the server and of runs at which something was refused."
        ) { $0.refusedCount },
        Row(name: "proctor_journal_dropped_entries_total", says: "Entries that journals had no room for.") {
            $0.droppedCount
        },
    ]
}

/// Appends metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    enum Kind: String {
        case counter, gauge
    }

    private(set) var bytes: [UInt8] = []

    /// Writes what stands before the samples of a name; `says` has neither a backslash nor a line end.
    mutating func beginMetric(_ name: String, _ kind: Kind, _ says: String) {
        append("# HELP \(name) \(says)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// A sample; values of labels have neither quotes, backslashes nor line ends.
    mutating func add(_ name: String, _ labels: [(name: String, value: String)], _ value: UInt64) {
        append("\(name)\(Self.text(of: labels)) \(value)\n")
    }

    /// A sample in seconds.
    mutating func add(_ name: String, _ labels: [(name: String, value: String)], nanoseconds: UInt64) {
        append("\(name)\(Self.text(of: labels)) \(Double(nanoseconds) / 1e9)\n")
    }

    /// A name with one sample and no labels.
    mutating func addOne(_ name: String, _ kind: Kind, _ says: String, _ value: UInt64) {
        beginMetric(name, kind, says)
        add(name, [], value)
    }

    private static func text(of labels: [(name: String, value: String)]) -> String {
        labels.isEmpty ? "" : "{" + labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }
}

/// What the system says of this process.
private enum ProcessNumbers {
    /// nil where the system does not tell it in /proc.
    static var residentByteCount: UInt64? {
        // The system says that the file is empty, and gives its bytes all the same.
        guard let text = try? OpenFile(path: "/proc/self/statm").bytes(from: 0, byteCount: 4 << 10) else { return nil }
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = UInt64(words[1]) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    static var processorNanoseconds: UInt64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
