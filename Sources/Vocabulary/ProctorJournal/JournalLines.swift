import ProctorBase
package import ProctorEvents
import ProctorHTTP

/// The journal of one run, read from JSON lines as ``JournalEncoder`` writes them.
///
/// A request head is parsed again from its bytes, so that it has the same values as on the server.
package struct JournalLines: Sendable {
    /// In the order of the file, without header lines and events of later versions.
    package let entries: [JournalEntry]
    package let unknownCount: Int
    /// Entries that the lines report as missing: dropped from memory, or not written to the file.
    package let droppedCount: Int

    /// Takes the lines of `scenario` where it is given and the lines name theirs; errors use the name `file`.
    ///
    /// Lines of several runs or of several starts of a server are refused, because their numbers overlap. Unreadable
    /// lines are refused too, except a line that broke off when a server was killed and another start went on with the
    /// file.
    package init(_ bytes: [UInt8], file: String, scenario: String? = nil) throws(TraceReadingError) {
        var collector = Collector()
        _ = try JournalLine.read(bytes, file: file, wanted: scenario) { (line, number) throws(LineFault) in
            try collector.addLine(line, number)
        }
        if let scenario, collector.isEmpty, let other = collector.other {
            throw TraceReadingError(
                location: SourceLocation(file: file, line: 1, column: 1),
                sentence:
                    "no line is of scenario '\(scenario)'; some are of '\(EscapedText.escape(other.utf8, limit: 100))'")
        }
        entries = collector.lines.entries
        unknownCount = collector.unknownCount
        droppedCount = collector.lines.droppedCount + collector.lostCount
    }

    /// Keeps the lines of one journal in a file that holds several.
    private struct Collector {
        /// Lines that name their journal; where there are any, the shared port's own lines, which name none, are left
        /// out.
        private var named = Part()
        private var unnamed = Part()
        private var owner: JournalLine.Owner?
        private var header = 0
        private(set) var other: String?
        private(set) var unknownCount = 0
        private(set) var lostCount = 0

        struct Part {
            var entries: [JournalEntry] = []
            var droppedCount = 0
            var contents = SharedContents()
            /// The line number of the header before this part's first line; nil before the first line.
            var header: Int?
        }

        var lines: Part { owner == nil ? unnamed : named }
        var isEmpty: Bool { owner == nil && unnamed.entries.isEmpty }

        mutating func addLine(_ line: JournalLine, _ number: Int) throws(LineFault) {
            switch line {
            case .header: header = number
            case .lost(let count): lostCount += count
            case .other(let scenario): other = other ?? scenario
            case .unknown: unknownCount += 1
            case .dropped(let count, let owner): try add(owner) { $0.droppedCount += count }
            case .entry(let entry, let owner):
                let lostCount = lostCount
                try add(owner) { (part) throws(LineFault) in
                    part.entries.append(
                        try part.contents.complete(entry, mayLackLines: lostCount + part.droppedCount > 0))
                }
            }
        }

        private mutating func add(
            _ owner: JournalLine.Owner, _ change: (inout Part) throws(LineFault) -> Void
        ) throws(LineFault) {
            guard let words = owner.words else {
                // Lines without an owner are left out once other lines have one.
                if self.owner == nil { try check(unnamed, "the shared port") }
                unnamed.header = unnamed.header ?? header
                try change(&unnamed)
                return
            }
            if let known = self.owner?.words, self.owner != owner {
                throw LineFault(
                    0,
                    EscapedText.escape(
                        "this line is of \(words), those before are of \(known): give the lines of one run".utf8,
                        limit: 400))
            }
            try check(named, words)
            named.header = named.header ?? header
            self.owner = owner
            try change(&named)
        }

        /// A server that starts again counts from the beginning.
        private func check(_ part: Part, _ words: String) throws(LineFault) {
            guard let start = part.header, start != header else { return }
            throw LineFault(
                0,
                EscapedText.escape(
                    "this line is of \(words) as those before, but of another start of the server, which line \(header) "
                        .utf8, limit: 400) + "begins: give the lines of one start")
        }
    }
}

enum JournalLine {
    /// The first line of a file, or of the part that a later start of a server appended.
    case header
    case lost(Int)
    case dropped(Int, Owner)
    case entry(JournalEntry, Owner)
    case unknown(Owner)
    /// A line of another scenario, of which nothing more is read.
    case other(scenario: String)

    struct Owner: Hashable {
        let scenario: String?
        let run: String?

        /// nil for the shared port's own lines.
        var words: String? {
            let words = [scenario.map { "scenario '\($0)'" }, run.map { "run '\($0)'" }].compactMap { $0 }
            return words.isEmpty ? nil : words.joined(separator: ", ")
        }
    }

    /// Lines of scenarios other than `wanted` are not read.
    init(_ line: [UInt8], wanted: String? = nil) throws(LineFault) {
        guard case .object(let members) = try JSONTree.read(line.span) else {
            throw LineFault(0, "expected an entry as an object of JSON")
        }
        let fields = JournalFields(members)
        if members["journal"] != nil, members["ev"] == nil {
            try Self.check(fields)
            self = .header
            return
        }
        let name = try fields.text("ev")
        if name == JournalTable.linesLost.name {
            self = .lost(try JournalTable.linesLost.read(fields).count)
            return
        }
        let owner = Owner(scenario: try fields.textIfAny("scenario"), run: try fields.textIfAny("run"))
        if let wanted, let scenario = owner.scenario, scenario != wanted {
            self = .other(scenario: scenario)
        } else if name == JournalTable.entriesDropped.name {
            self = .dropped(try JournalTable.entriesDropped.read(fields).count, owner)
        } else if let entry = try fields.entry() {
            self = .entry(entry, owner)
        } else {
            self = .unknown(owner)
        }
    }

    private static func check(_ fields: JournalFields) throws(LineFault) {
        let version: Int = try fields.number("version")
        guard version <= JournalEncoder.version else {
            throw LineFault(
                0,
                "the journal is of version \(version), and this proctor reads up to \(JournalEncoder.version): "
                    + "take a newer one")
        }
    }

    /// Reads line after line; an error has the place of its line.
    ///
    /// A line that breaks off right before a header is the last one of a server that was killed: it is left out and
    /// counted. So is the last line of the file, where `forgivesEnd` is true and the line has no line feed.
    static func read(
        _ bytes: [UInt8], file: String, wanted: String? = nil, forgivesEnd: Bool = false,
        _ take: (JournalLine, Int) throws(LineFault) -> Void
    ) throws(TraceReadingError) -> Int {
        var cutCount = 0
        var broken: (fault: LineFault, number: Int)?
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do throws(LineFault) {
                let read = try JournalLine(Array(line), wanted: wanted)
                if let (fault, _) = broken {
                    guard case .header = read else { throw fault }
                    broken = nil
                    cutCount += 1
                }
                try take(read, number)
            } catch {
                if let (fault, place) = broken { throw Self.error(fault, file, line: place) }
                guard error.isEnd else { throw Self.error(error, file, line: number) }
                broken = (error, number)
            }
        }
        guard let (fault, place) = broken else { return cutCount }
        guard forgivesEnd, place == number, bytes.last != 0x0A else { throw Self.error(fault, file, line: place) }
        return cutCount + 1
    }

    private static func error(_ fault: LineFault, _ file: String, line: Int) -> TraceReadingError {
        TraceReadingError(
            location: SourceLocation(file: file, line: line, column: fault.offset + 1), sentence: fault.sentence)
    }
}

/// A file that several journals share, as one part for each journal, in the order in which they begin.
package struct JournalParts: Sendable {
    package let parts: [Part]
    /// How often a server started writing to the file.
    package let startCount: Int
    package let lostLineCount: Int
    package let unknownCount: Int
    /// Lines that broke off when a server was killed; the last one may still be written.
    package let cutCount: Int

    package struct Part: Sendable {
        /// nil for the shared port's own lines.
        package let scenario: String?
        package let run: String?
        /// The start of the server in the file, from 1.
        package let start: Int
        package internal(set) var entries: [JournalEntry] = []
        package internal(set) var droppedCount = 0
        var contents = SharedContents()
    }

    private struct Key: Hashable {
        let owner: JournalLine.Owner
        let start: Int
    }

    /// Reads the whole file; errors use the name `file`.
    package init(_ bytes: [UInt8], file: String) throws(TraceReadingError) {
        var parts: [Part] = []
        var places: [Key: Int] = [:]
        var (start, lost, unknown) = (0, 0, 0)
        func place(of owner: JournalLine.Owner) -> Int {
            let key = Key(owner: owner, start: max(1, start))
            if let place = places[key] { return place }
            places[key] = parts.count
            parts.append(Part(scenario: owner.scenario, run: owner.run, start: key.start))
            return parts.count - 1
        }
        cutCount = try JournalLine.read(bytes, file: file, forgivesEnd: true) { (line, _) throws(LineFault) in
            switch line {
            case .header: start += 1
            case .lost(let count): lost += count
            case .unknown: unknown += 1
            case .dropped(let count, let owner): parts[place(of: owner)].droppedCount += count
            case .entry(let entry, let owner):
                let place = place(of: owner)
                let lacks = lost + parts[place].droppedCount > 0
                parts[place].entries.append(try parts[place].contents.complete(entry, mayLackLines: lacks))
            case .other: break
            }
        }
        self.parts = parts
        startCount = max(start, 1)
        lostLineCount = lost
        unknownCount = unknown
    }
}
