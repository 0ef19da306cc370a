import ProctorDocument
import ProctorTrace

extension LedgerReader {
    /// `never:`, as a mapping from event to reason.
    func neverEvents(_ node: Node) -> [Ledger.NeverEvent] {
        if node.isNull { return [] }
        guard let entries = node.entries else {
            sink.report(node, "expected never as a mapping from event to reason, found \(node.found)")
            return []
        }
        guard entries.count <= Self.mostParts else {
            sink.report(node, "there are \(entries.count) events; at most \(Self.mostParts) are permitted")
            return []
        }
        var never: [Ledger.NeverEvent] = []
        for entry in entries {
            let because = sink.nonEmptyText(entry.value, "a reason")
            guard let symbol = neverEvent(entry.key, at: entry.keyNode), let because else { continue }
            guard !never.contains(where: { $0.symbol == symbol }) else {
                sink.report(entry.keyNode, "\(quoted(entry.key)) stands here twice")
                continue
            }
            never.append(Ledger.NeverEvent(symbol: symbol, because: because, location: entry.keyNode.location))
        }
        return never
    }

    private func neverEvent(_ text: String, at node: Node) -> TraceEventSymbol? {
        do throws(NotationError) {
            let event = try NotationSymbol(parsing: text, lane: .task)
            if event.name == EventName.complete.rawValue {
                sink.report(node, "every load ends; what it says then is judged case by case")
                return nil
            }
            switch event.arguments.first {
            case nil: return TraceEventSymbol(event.name)
            case .exact(let argument)? where event.arguments.count == 1: return TraceEventSymbol(event.name, argument)
            default:
                sink.report(node, "expected an event with one argument or none, found \(quoted(text))")
                return nil
            }
        } catch {
            sink.report(node, error.sentence)
            return nil
        }
    }
}
