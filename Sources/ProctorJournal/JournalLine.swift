import ProctorBase
import ProctorEvents

/// One line of a journal, by what it is.
enum JournalLine {
    /// The first line of a file, or of what a later start of a server appended to it.
    case header
    /// Lines could not be written, of whatever journal.
    case lost(Int)
    /// Entries had no room in memory.
    case dropped(Int, Owner)
    case entry(JournalEntry, Owner)
    /// An event of a later version.
    case unknown(Owner)
    /// Of a scenario that was not asked for; it is not read further.
    case other(scenario: String)

    /// The journal that a line belongs to.
    struct Owner: Hashable {
        let scenario: String?
        let run: String?

        /// nil for the shared port's own lines.
        var words: String? {
            let words = [scenario.map { "scenario '\($0)'" }, run.map { "run '\($0)'" }].compactMap { $0 }
            return words.isEmpty ? nil : words.joined(separator: ", ")
        }
    }

    /// `wanted` leaves out other scenarios.
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
        let version = try fields.integer("version")
        guard version <= JournalEncoder.version else {
            throw LineFault(
                0,
                "the journal is of version \(version), and this proctor reads up to \(JournalEncoder.version): "
                    + "take a newer one")
        }
    }

    /// Reads line after line; what is wrong with one is thrown with its place.
    ///
    /// A line that breaks off right before a header is the last one of a server that was killed: it is left out, and
    /// counted. So is the last line of all, where `forgivesEnd` and no line feed ends it.
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
