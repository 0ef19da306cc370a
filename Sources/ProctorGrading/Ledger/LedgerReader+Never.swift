import ProctorDocument
import ProctorTrace

extension LedgerReader {
    /// `never:`, as a mapping from event to reason.
    func neverEvents(_ node: Node) -> [Ledger.NeverEvent] {
        reasons(node, "never", of: "event", limit: Self.mostParts) { neverEvent($0, at: $1) }
            .map { Ledger.NeverEvent(symbol: $0.subject, because: $0.because, location: $0.location) }
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
