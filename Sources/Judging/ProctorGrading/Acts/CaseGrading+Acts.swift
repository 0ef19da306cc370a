import ProctorEvents
package import ProctorScenario

extension CaseGrading {
    /// What the program says and nothing shows, for each step; keys of the session are of every step.
    ///
    /// Empty where the client was stopped, or its trace need not have every event.
    func undoneActs() -> [[UndoneAct]] {
        guard stop == nil, !evidence.isPartial, !evidence.events.isEmpty else {
            return item.client.map { _ in [] }
        }
        let ofWhole = undone(step: 0, ofWhole: true)
        return item.client.indices.map { undone(step: $0, ofWhole: false) + ofWhole }
    }

    private func undone(step: Int, ofWhole: Bool) -> [UndoneAct] {
        ActRow.all.compactMap { row -> UndoneAct? in
            guard row.isOfWhole == ofWhole, let said = row.says(item, step) else { return nil }
            let control = row.evidence.control.flatMap { evidence.failedControls[$0] }
            guard let lack = row.evidence.inRun?(SeenActs(grading: self, step: step)) ?? control else { return nil }
            return UndoneAct(row, said: said, lack: lack)
        }
    }
}

/// A key of the program of which nothing shows that the client did what it says.
struct UndoneAct: Equatable {
    let ability: Ability?
    /// Half a sentence: what the program said, and what was seen in its place.
    let reason: String

    init(_ row: ActRow, said: String, lack: String) {
        ability = row.ability
        let key = row.key.split(separator: ".").last.map(String.init) ?? row.key
        reason = "the program said \(key): \(EventText.printable(said, limit: 120)), and \(lack)"
    }
}

extension [[UndoneAct]] {
    /// A sentence for each ability that a client declares and did not show, by its name.
    var remarks: [String] {
        var listed: Set<Ability> = []
        return joined().compactMap { act in
            guard let ability = act.ability, listed.insert(ability).inserted else { return nil }
            return "\(ability.rawValue) was declared and not shown: \(act.reason)"
        }
    }
}

extension Case {
    /// The steps whose acts a claim rests on; those that the server sees rest on all of them.
    func steps(of claim: Claim) -> Range<Int> {
        switch claim.saying {
        case .end(let step), .fact(.client(let step, _)):
            return client.indices.contains(step) ? step..<step + 1 : client.indices
        case .lane(let key):
            guard let lane = CaseLane(key), lane.lane == .task || lane.lane == .handler,
                client.indices.contains(lane.number)
            else { return client.indices }
            return lane.number..<lane.number + 1
        case .wire, .cookies, .edge, .fact, .always: return client.indices
        }
    }

    /// The controls of the keys that its program has.
    package var controlsOfKeys: [ControlKind] {
        let kinds = ActRow.all.filter { row in
            row.evidence.control != nil && client.indices.contains { row.says(self, $0) != nil }
        }.compactMap(\.evidence.control)
        return ControlKind.allCases.filter(kinds.contains)
    }
}
