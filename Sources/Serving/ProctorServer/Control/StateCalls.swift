internal import ProctorBase
internal import ProctorDocument
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

// The state of a run: read, replaced, changed.
extension ControlAPI {
    func state(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try Self.state(of: await runOrStanding(request))
    }

    func putState(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try Self.setState(of: await runOrStanding(request), request, replaces: true)
    }

    func patchState(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try Self.setState(of: await runOrStanding(request), request, replaces: false)
    }

    private static func state(of run: Run) throws(ControlError) -> BuiltInReply {
        guard let values = run.stage.state else { throw withoutState(run) }
        let sorted = values.all.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return .object { json in
            json.object("state") { json in
                for (name, value) in sorted {
                    let text = String(decoding: name, as: UTF8.self)
                    json.member(
                        named: Array(text.utf8) == name ? text : EscapedText.escape(name, limit: name.count),
                        orBase64: value)
                }
            }
        }
    }

    /// Sets the values of the body's object, all or none; text, numbers and booleans are text, null removes a name.
    private static func setState(
        of run: Run, _ request: ControlRequest, replaces: Bool
    ) throws(ControlError) -> BuiltInReply {
        guard run.stage.state != nil else { throw withoutState(run) }
        var values: [(name: [UInt8], value: [UInt8]?)] = []
        for entry in try request.entries() {
            let name = Array(entry.key.utf8)
            if let refusal = run.scenario.refusal(ofStateName: name) { throw .badRequest(refusal) }
            if entry.value.isNull {
                values.append((name, nil))
            } else if let text = entry.value.text {
                values.append((name, Array(text.utf8)))
            } else {
                throw .badRequest(
                    "the value of '\(EscapedText.escape(name, limit: 60))' is a text, or null to remove it, found "
                        + entry.value.found)
            }
        }
        do throws(StateRefusal) {
            try run.stage.setState(values, replaces: replaces)
        } catch {
            throw .badRequest(error.sentence)
        }
        return try state(of: run)
    }

    private static func withoutState(_ run: Run) -> ControlError {
        ControlError(
            409, "no-state",
            message:
                "scenario \(run.scenario.id) has no state; write state: at the top of its file, or sets: in a reply")
    }
}

extension Scenario {
    /// Why no value of the state can have the name; nil where one can.
    fileprivate func refusal(ofStateName name: [UInt8]) -> String? {
        let wanted = Template(parts: [.literal(name)])
        let used = exchanges.flatMap { exchange in
            exchange.when.map(\.name) + exchange.replies.flatMap { $0.sets.map(\.name) }
        }
        guard !state.contains(where: { $0.name == name }), !used.contains(where: { $0.mayBe(wanted) }) else {
            return nil
        }
        let names = state.map { String(decoding: $0.name, as: UTF8.self) } + used.map(\.shown)
        let hint = NearestName.find(String(decoding: name, as: UTF8.self), in: names).map { "; did you mean '\($0)'?" }
        return "the scenario has no state '\(EscapedText.escape(name, limit: 60))'\(hint ?? "")"
    }
}
