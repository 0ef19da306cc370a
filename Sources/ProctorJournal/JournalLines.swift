import ProctorBase
public import ProctorEvents
import ProctorHTTP

/// The journal of one run, read back from JSON lines as ``JournalEncoder`` writes them.
///
/// A request head is read again from its bytes, so that it says what it said on the server.
public struct JournalLines: Sendable {
    /// In the order of the file; header lines and events of later versions are left out.
    public let entries: [JournalEntry]
    /// Lines with an event that this version does not know.
    public let unknownCount: Int
    /// Entries that the lines say are missing: dropped from memory, or lost on their way to the file.
    public let droppedCount: Int

    /// Takes the lines of `scenario` where it is given and lines say whose they are; `file` is what errors call it.
    ///
    /// Lines of several runs, or of several starts of a server, are refused, since they count on their own. So are lines
    /// that can't be read, but for one that a server was killed at before another one went on with the file.
    public init(_ bytes: [UInt8], file: String, scenario: String? = nil) throws(TraceReadingError) {
        var collector = Collector()
        _ = try JournalLine.read(bytes, file: file, wanted: scenario) { (line, number) throws(LineFault) in
            try collector.take(line, number)
        }
        if let scenario, collector.isEmpty, let other = collector.other {
            throw TraceReadingError(
                location: SourceLocation(file: file, line: 1, column: 1),
                sentence:
                    "no line is of scenario '\(scenario)'; some are of '\(EscapedText.of(other.utf8, limit: 100))'")
        }
        entries = collector.lines.entries
        unknownCount = collector.unknownCount
        droppedCount = collector.lines.droppedCount + collector.lostCount
    }

    /// Keeps the lines of one journal of those that share a file.
    private struct Collector {
        /// Lines that name their journal; where there are any, the shared port's own lines, which name none, are left out.
        private var named = Part()
        private var unnamed = Part()
        private var owner: JournalLine.Owner?
        /// The line of the last header.
        private var header = 0
        private(set) var other: String?
        private(set) var unknownCount = 0
        private(set) var lostCount = 0

        struct Part {
            var entries: [JournalEntry] = []
            var droppedCount = 0
            /// The number of the header line that the first line of this part stands behind; nil before the first line.
            var header: Int?
        }

        var lines: Part { owner == nil ? unnamed : named }
        var isEmpty: Bool { owner == nil && unnamed.entries.isEmpty }

        mutating func take(_ line: JournalLine, _ number: Int) throws(LineFault) {
            switch line {
            case .header: header = number
            case .lost(let count): lostCount += count
            case .other(let scenario): other = other ?? scenario
            case .unknown: unknownCount += 1
            case .dropped(let count, let owner): try add(owner) { $0.droppedCount += count }
            case .entry(let entry, let owner): try add(owner) { $0.entries.append(entry) }
            }
        }

        private mutating func add(
            _ owner: JournalLine.Owner, _ change: (inout Part) -> Void
        ) throws(LineFault) {
            guard let words = owner.words else {
                // Lines without an owner are left out once others name theirs.
                if self.owner == nil { try check(unnamed, "the shared port") }
                unnamed.header = unnamed.header ?? header
                change(&unnamed)
                return
            }
            if let known = self.owner?.words, self.owner != owner {
                throw LineFault(
                    0,
                    EscapedText.of(
                        "this line is of \(words), those before are of \(known): give the lines of one run".utf8,
                        limit: 400))
            }
            try check(named, words)
            named.header = named.header ?? header
            self.owner = owner
            change(&named)
        }

        /// A server that starts again counts from the beginning.
        private func check(_ part: Part, _ words: String) throws(LineFault) {
            guard let start = part.header, start != header else { return }
            throw LineFault(
                0,
                EscapedText.of(
                    "this line is of \(words) as those before, but of another start of the server, which line \(header) "
                        .utf8, limit: 400)
                    + "begins: give the lines of one start")
        }
    }
}
