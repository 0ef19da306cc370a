internal import ProctorBase
internal import ProctorDocument
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

// Calls that make a scenario of what was seen.
extension ControlAPI {
    func draft(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        return try await draft(
            of: run.journal, request,
            from: ScenarioDraft.Source(
                name: "\(run.scenario.id), run \(run.id)", scenario: run.scenario, base: run.base,
                origins: Dictionary(run.origins) { first, _ in first }))
    }

    /// Requests of the shared port that belong to no scenario.
    func sharedDraft(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await draft(
            of: sharedJournal, request,
            from: ScenarioDraft.Source(name: "the shared port", scenario: nil, base: request.base, origins: [:]))
    }

    private func draft(
        of journal: Journal, _ request: ControlRequest, from source: ScenarioDraft.Source
    ) async throws(ControlError) -> BuiltInReply {
        let chosen = try Self.entries(of: request)
        let entries = journal.snapshot().entries
        let draft = await WorkThreads.streaming.run(within: .ofInput) { _ in
            ScenarioDraft(of: entries, from: source, choosing: chosen)
        }
        guard let yaml = draft.yaml else {
            throw ControlError(
                409, "no-requests",
                message: "there is no request to make a scenario of: "
                    + (draft.remarks.first
                        ?? (chosen == nil ? "none has come" : "no entry that was named is about one")))
        }
        return .object { json in
            json.member("requests", draft.requestCount)
            json.member("yaml", yaml)
            json.texts("remarks", draft.remarks)
        }
    }

    /// The `entries` of the body; nil for an empty body, which means all of them.
    private static func entries(of request: ControlRequest) throws(ControlError) -> Set<UInt64>? {
        guard request.body.contains(where: { !" \t\r\n".utf8.contains($0) }) else { return nil }
        guard let list = try request.members(allowed: ["entries"])["entries"] else { return nil }
        guard let items = list.items, items.count <= entryLimit else {
            throw .badRequest("'entries' is a list of up to \(entryLimit) numbers, the 'seq' of lines of the journal")
        }
        var numbers: Set<UInt64> = []
        for item in items {
            guard let number = item.plainText.flatMap({ UInt64($0) }) else {
                throw .badRequest("'entries' is a list of numbers, the 'seq' of lines of the journal")
            }
            numbers.insert(number)
        }
        return numbers
    }

    private static let entryLimit = 5_000
}
