import ProctorTrace

extension WireRecord {
    /// Why nothing can be judged by a journal, a sentence; nil where it is whole.
    static func fault(in entries: [JournalEntry], droppedCount: Int) -> String? {
        guard droppedCount == 0 else {
            return "the journal was full and dropped \(WireText.count(droppedCount, "entry", "entries"))"
        }
        let gap = zip(entries, entries.dropFirst()).first { $1.sequence != $0.sequence &+ 1 }
        return gap.map { "the journal has a gap after entry \($0.0.sequence)" }
    }
}
