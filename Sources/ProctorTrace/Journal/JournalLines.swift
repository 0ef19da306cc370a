import ProctorBase
import ProctorHTTP

/// The journal of one run, read back from JSON lines as ``JournalEncoder`` writes them.
///
/// A request head is read again from its bytes, so that it says what it said on the server.
public struct JournalLines: Sendable {
    /// In the order of the file; the header line and events of later versions are left out.
    public let entries: [JournalEntry]
    /// Lines with an event that this version does not know.
    public let unknownCount: Int

    /// Takes the lines of `scenario` where it is given and lines say whose they are; `file` is what errors call it.
    ///
    /// Lines of several runs are refused, since they count on their own. So are lines that can't be read.
    public init(_ bytes: [UInt8], file: String, scenario: String? = nil) throws(TraceReadingError) {
        var collector = Collector(scenario: scenario)
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do throws(LineFault) {
                try collector.take(Array(line), isFirst: number == 1)
            } catch {
                throw TraceReadingError(
                    location: SourceLocation(file: file, line: number, column: error.offset + 1),
                    sentence: error.sentence)
            }
        }
        if let scenario, collector.isEmpty, let other = collector.other {
            throw TraceReadingError(
                location: SourceLocation(file: file, line: 1, column: 1),
                sentence:
                    "no line is of scenario '\(scenario)'; some are of '\(EscapedText.of(other.utf8, limit: 100))'")
        }
        entries = collector.entries
        unknownCount = collector.unknownCount
    }

    /// Keeps the lines of one journal of those that share a file.
    private struct Collector {
        let scenario: String?
        /// Of lines that say whose they are; then the shared port's own, which do not, are left out.
        private var named: [JournalEntry] = []
        private var unnamed: [JournalEntry] = []
        private var owner: Owner?
        private(set) var other: String?
        private(set) var unknownCount = 0

        private struct Owner: Equatable {
            let scenario: String?
            let run: String?

            var words: String {
                [scenario.map { "scenario '\($0)'" }, run.map { "run '\($0)'" }].compactMap { $0 }
                    .joined(separator: ", ")
            }
        }

        init(scenario: String?) { self.scenario = scenario }

        var entries: [JournalEntry] { owner == nil ? unnamed : named }
        var isEmpty: Bool { owner == nil && unnamed.isEmpty }

        mutating func take(_ line: [UInt8], isFirst: Bool) throws(LineFault) {
            guard case .object(let members) = try JSONTree.read(line.span) else {
                throw LineFault(0, "expected an entry as an object of JSON")
            }
            let fields = JournalFields(members)
            if isFirst, members["journal"] != nil { return try Self.check(fields) }
            let owner = Owner(scenario: try fields.textIfAny("scenario"), run: try fields.textIfAny("run"))
            if let scenario, let other = owner.scenario, other != scenario {
                self.other = self.other ?? other
                return
            }
            guard let entry = try fields.entry() else {
                unknownCount += 1
                return
            }
            guard owner.scenario != nil || owner.run != nil else {
                unnamed.append(entry)
                return
            }
            if let known = self.owner, known != owner {
                throw LineFault(
                    0,
                    EscapedText.of(
                        "this line is of \(owner.words), those before are of \(known.words): give the lines of one run"
                            .utf8,
                        limit: 400))
            }
            self.owner = owner
            named.append(entry)
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
    }
}
