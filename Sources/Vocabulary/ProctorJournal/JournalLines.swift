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
        let journals = try JournalParts(bytes, file: file, wanted: scenario, forgivesEnd: false)
        // The shared port's own lines, which name no journal, are left out where others do.
        let named = journals.parts.filter { $0.owner.words != nil }
        let parts = named.isEmpty ? journals.parts : named
        if let scenario, let other = journals.otherScenario, parts.allSatisfy(\.isEmpty) {
            throw Self.error(
                file, 1,
                "no line is of scenario '\(scenario)'; some are of '\(EscapedText.escape(other.utf8, limit: 100))'")
        }
        if parts.count > 1 { throw Self.error(file, parts[1].firstLine, parts[1].sentence(behind: parts[0])) }
        entries = parts.first?.entries ?? []
        unknownCount = journals.unknownCount
        droppedCount = (parts.first?.droppedCount ?? 0) + journals.lostLineCount
    }

    private static func error(_ file: String, _ line: Int, _ sentence: String) -> TraceReadingError {
        TraceReadingError(location: SourceLocation(file: file, line: line, column: 1), sentence: sentence)
    }
}

extension JournalParts.Part {
    fileprivate var isEmpty: Bool { owner.words == nil && entries.isEmpty }

    /// Why its lines can't be read together with those of a journal before it.
    fileprivate func sentence(behind other: Self) -> String {
        let words = owner.words ?? "the shared port"
        if let known = other.owner.words, other.owner != owner {
            return EscapedText.escape(
                "this line is of \(words), those before are of \(known): give the lines of one run".utf8, limit: 400)
        }
        return EscapedText.escape(
            "this line is of \(words) as those before, but of another start of the server, which line \(header) ".utf8,
            limit: 400) + "begins: give the lines of one start"
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
    package private(set) var parts: [Part] = []
    /// How often a server started writing to the file.
    package private(set) var startCount = 0
    package private(set) var lostLineCount = 0
    package private(set) var unknownCount = 0
    /// Lines that broke off when a server was killed; the last one may still be written.
    package private(set) var cutCount = 0
    /// One that lines are of which were not read.
    private(set) var otherScenario: String?

    package struct Part: Sendable {
        let owner: JournalLine.Owner
        /// The start of the server in the file, from 1.
        package let start: Int
        /// The number of the line that begins the start.
        let header: Int
        let firstLine: Int
        package fileprivate(set) var entries: [JournalEntry] = []
        package fileprivate(set) var droppedCount = 0
        fileprivate var contents = SharedContents()

        /// nil for the shared port's own lines.
        package var scenario: String? { owner.scenario }
        package var run: String? { owner.run }
    }

    private struct Key: Hashable {
        let owner: JournalLine.Owner
        let start: Int
    }

    /// Reads the whole file; errors use the name `file`.
    package init(_ bytes: [UInt8], file: String) throws(TraceReadingError) {
        try self.init(bytes, file: file, wanted: nil, forgivesEnd: true)
    }

    init(_ bytes: [UInt8], file: String, wanted: String?, forgivesEnd: Bool) throws(TraceReadingError) {
        var places: [Key: Int] = [:]
        var header = 0
        cutCount = try JournalLine.read(bytes, file: file, wanted: wanted, forgivesEnd: forgivesEnd) {
            (line, number) throws(LineFault) in
            if case .header = line {
                (header, startCount) = (number, startCount + 1)
                return
            }
            startCount = max(1, startCount)
            func place(of owner: JournalLine.Owner) -> Int {
                let key = Key(owner: owner, start: startCount)
                if let place = places[key] { return place }
                places[key] = parts.count
                parts.append(Part(owner: owner, start: startCount, header: header, firstLine: number))
                return parts.count - 1
            }
            switch line {
            case .header: break
            case .lost(let count): lostLineCount += count
            case .other(let scenario): otherScenario = otherScenario ?? scenario
            case .unknown: unknownCount += 1
            case .dropped(let count, let owner): parts[place(of: owner)].droppedCount += count
            case .entry(let entry, let owner):
                let place = place(of: owner)
                let lacks = lostLineCount + parts[place].droppedCount > 0
                parts[place].entries.append(try parts[place].contents.complete(entry, mayLackLines: lacks))
            }
        }
        startCount = max(1, startCount)
    }
}
