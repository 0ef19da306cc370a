import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorScenario

extension CaseGrading {
    /// Marks the failures which show that the client told the server an error and did not act on it.
    ///
    /// Such an error ends the connection, or the stream (RFC 9113 §5.4, RFC 9114 §8, RFC 8446 §6.2): its loads fail, and
    /// no request follows.
    func markUnheededErrors(in findings: inout [Finding]) {
        guard let record, !record.toldErrors.isEmpty else { return }
        for index in findings.indices where findings[index].weight == .failure {
            guard let told = unheededError(shownBy: findings[index], record) else { continue }
            findings[index].unheeded = told
            let place = "on connection c\(record.connections[told.connection].number)"
            let rest = findings[index].plain ?? findings[index].sentence
            findings[index].plain =
                "the client sent \(EventText.printable("\(told.word) \(told.code)", limit: 100)) \(place) "
                + "and did not act on it: \(rest)"
        }
    }

    private func unheededError(shownBy finding: Finding, _ record: WireRecord) -> ToldError? {
        switch finding.subject {
        case .ending(.hung), .ending(.finished):
            return toldError(ofStep: finding.lane?.number ?? lastBegunStep, record)
        case .result(let step): return isSuccessWithoutRight(step) ? toldError(ofStep: step, record) : nil
        case .fact(.client(let step, "error")):
            return finding.mismatch == .missing ? toldError(ofStep: step, record) : nil
        case .expression where finding.laneKey != nil:
            guard let step = finding.lane?.number, isSuccessWithoutRight(step) else { return nil }
            return toldError(ofStep: step, record)
        case .fact(.run("connections")):
            return record.exchanges.indices.lazy.compactMap(record.toldError(beforeRequest:)).first
        case .fact(.wire(let index, "reused")), .fact(.wire(let index, "connection")):
            return record.toldError(beforeRequest: index)
        case .expression, .miss: return finding.request.flatMap { record.toldError(beforeRequest: $0.number) }
        default: return nil
        }
    }

    /// Whether a step succeeded that had to fail.
    func isSuccessWithoutRight(_ step: Int) -> Bool {
        guard results.hasEnd(ofStep: step), results.errorName(ofStep: step) == nil else { return false }
        if expectsError(ofStep: step) { return true }
        let ends = (item.endExpression(ofStep: step)?.symbols ?? []).filter {
            [EventName.complete, .handler, .awaited, .fileReady].map(\.rawValue).contains($0.name)
        }
        return !ends.isEmpty && ends.allSatisfy { !$0.arguments.isEmpty && !$0.arguments.contains(.exact("ok")) }
    }

    /// The last error that the client told on the connection, or on the stream, of a step's last request; of a step
    /// without a request, on the last connection that was opened.
    private func toldError(ofStep step: Int, _ record: WireRecord) -> ToldError? {
        let isOfStep = { (time: UInt64) in !trace.isMerged || isInWindow(time, ofStep: step) }
        let last = record.exchanges.last { isOfStep($0.nanoseconds) }
        return record.toldErrors.last { told in
            if record.requests(on: told.connection).isEmpty {
                return isOfStep(told.nanoseconds) && told.connection == record.connections.count - 1
            }
            guard let last, last.connection == told.connection else { return false }
            return told.stream.map { $0 == last.head.stream } ?? true
        }
    }

    private var lastBegunStep: Int {
        trace.events.last { $0.lane == .harness && $0.name == .resume }?.task ?? 0
    }
}

extension WireRecord {
    /// The error by which the client had ended the connection of a request before it sent the request.
    fileprivate func toldError(beforeRequest index: Int) -> ToldError? {
        guard exchanges.indices.contains(index) else { return nil }
        let exchange = exchanges[index]
        return toldErrors.first {
            $0.connection == exchange.connection && $0.stream == nil && $0.sequence < exchange.sequence
        }
    }
}
