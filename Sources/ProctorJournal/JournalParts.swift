import ProctorBase
public import ProctorEvents

/// A file that several journals share, taken apart: one part for each, in the order in which they begin.
public struct JournalParts: Sendable {
    /// One part for each journal that has a line.
    public let parts: [Part]
    /// How many starts of a server the file holds.
    public let startCount: Int
    /// Lines that could not be written.
    public let lostLineCount: Int
    /// Lines with an event that this version does not know.
    public let unknownCount: Int
    /// Lines that were broken off when a server was killed; the last one may still be written.
    public let cutCount: Int

    /// One journal.
    public struct Part: Sendable {
        /// nil for the shared port's own lines.
        public let scenario: String?
        /// nil where lines name none.
        public let run: String?
        /// Counts the starts of the server in the file, from 1.
        public let start: Int
        /// In the order of the file.
        public internal(set) var entries: [JournalEntry] = []
        /// Entries that the lines say were dropped.
        public internal(set) var droppedCount = 0
    }

    private struct Key: Hashable {
        let owner: JournalLine.Owner
        let start: Int
    }

    /// Reads all of it; `file` is what errors call it.
    public init(_ bytes: [UInt8], file: String) throws(TraceReadingError) {
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
            case .entry(let entry, let owner): parts[place(of: owner)].entries.append(entry)
            case .other: break
            }
        }
        self.parts = parts
        startCount = max(start, 1)
        lostLineCount = lost
        unknownCount = unknown
    }
}
