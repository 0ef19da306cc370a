import ProctorBase
import ProctorDocument

/// Why the whole of a client does something otherwise.
struct LedgerReason<Subject> {
    let subject: Subject
    let because: String
    let location: SourceLocation
}

extension LedgerReader {
    /// A mapping from what a client does otherwise to the reason; whatever is wrong with one entry is reported, and it is left out.
    func reasons<Subject: Equatable>(
        _ node: Node, _ key: String, of what: String, limit: Int, subject: (String, Node) -> Subject?
    ) -> [LedgerReason<Subject>] {
        if node.isNull { return [] }
        guard let entries = node.entries else {
            sink.report(node, "expected \(key) as a mapping from \(what) to reason, found \(node.found)")
            return []
        }
        guard entries.count <= limit else {
            sink.report(node, "there are \(entries.count) \(what)s; at most \(limit) are permitted")
            return []
        }
        var known: [LedgerReason<Subject>] = []
        for entry in entries {
            let because = sink.nonEmptyText(entry.value, "a reason")
            guard let subject = subject(entry.key, entry.keyNode), let because else { continue }
            guard !known.contains(where: { $0.subject == subject }) else {
                sink.report(entry.keyNode, "\(quoted(entry.key)) stands here twice")
                continue
            }
            known.append(LedgerReason(subject: subject, because: because, location: entry.keyNode.location))
        }
        return known
    }
}
