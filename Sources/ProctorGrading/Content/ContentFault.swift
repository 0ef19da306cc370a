import ProctorScenario
import ProctorTrace

/// One thing that a callback says and that is otherwise.
struct ContentFault {
    /// The callback, or the `result`.
    let event: TraceEvent
    /// As traces name it: `url`, `realm`, `total`.
    let field: String
    /// What the server sent, or what the sum is.
    let wanted: String
    /// What the callback says.
    let got: String
    /// Where what is wanted comes from: a section, or what the server did.
    let reason: String
    /// The rule of callbacks that speaks of it; nil where there is none.
    var rule: Int?
    /// An observation where no document that binds the client demands it.
    var weight = Finding.Weight.failure
}

extension CaseSitting {
    /// What callbacks say that the server did not send, or that cannot be; each field once for each lane.
    func contentFindings() -> [Finding] {
        let scene = ContentScene(self)
        var order: [Key] = []
        var groups: [Key: [ContentFault]] = [:]
        for fault in ContentChecks.all.flatMap({ $0.faults(in: scene) }) {
            let key = Key(lane: fault.event.laneID, field: fault.field, weight: weight(of: fault))
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(fault)
        }
        return order.compactMap { key in groups[key].flatMap { finding(key.weight, $0) } }
    }

    private struct Key: Hashable {
        let lane: LaneID
        let field: String
        let weight: Finding.Weight
    }

    /// What a program breaks on purpose is no fault of the client.
    private func weight(of fault: ContentFault) -> Finding.Weight {
        fault.rule.map { item.breaks.contains(RuleNumber($0)) } ?? false ? .observation : fault.weight
    }

    private func finding(_ weight: Finding.Weight, _ faults: [ContentFault]) -> Finding? {
        guard let fault = faults.first else { return nil }
        let event = fault.event
        let name = "\(event.laneID): \(EventText.of(event)): \(fault.field)"
        var details = LabelledText.lines("at", [place(event)])
        if faults.count > 1 {
            let more = faults.count > 6 ? " and \(faults.count - 6) more" : ""
            let places = faults.dropFirst().prefix(5).map { String($0.event.sequence) }
            details += LabelledText.lines("again", ["at \(places.joined(separator: ", "))\(more)"])
        }
        var finding = Finding(
            .content(field: fault.field), weight,
            "\(name) is \(fault.got), wanted \(fault.wanted): \(fault.reason)", details: details,
            wanted: fault.wanted, got: fault.got)
        finding.rules = fault.rule.map { [RuleNumber($0)] } ?? []
        finding.lane = event.laneID
        finding.event = event.sequence > 0 ? event.sequence : nil
        return finding
    }
}
