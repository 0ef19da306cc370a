internal import ProctorBase
internal import ProctorDocument
internal import ProctorImport
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
package import ProctorServer

/// Recordings, and what was seen, as scenarios, for a page that shows, edits and saves them.
package enum ImportCalls {
    private static let width = 2
    private static let threads = WorkThreads(mostThreads: width)

    /// The calls of one server; other servers of the process have turns of their own, on the same threads.
    package static func ofServer() -> [ControlCall] {
        let work = LongWork(
            on: threads, width: width, time: .seconds(60), waiting: "recordings wait to be imported", doing: "importing"
        )
        return [
            ControlCall("POST", "import") { api in
                { request throws(ControlError) in try await importRecording(request, by: work, api) }
            },
            ControlCall("POST", "runs/RUN/scenario") { api in
                { request throws(ControlError) in
                    let run = try api.find(request)
                    return try await importJournal(
                        run.journal, request, by: work, api,
                        RunDraft.Source(
                            name: "\(run.scenario.id), run \(run.id)", scenario: run.scenario,
                            origins: Dictionary(run.origins) { first, _ in first }))
                }
            },
            // Requests of the shared port that belong to no scenario.
            ControlCall("POST", "shared/scenario") { api in
                { request throws(ControlError) in
                    try await importJournal(
                        api.sharedJournal, request, by: work, api,
                        RunDraft.Source(name: "the shared port", scenario: nil, origins: ["main": request.base]))
                }
            },
        ]
    }

    /// Makes the text of a scenario of the recording in the body; the server keeps nothing of it.
    private static func importRecording(
        _ request: ControlRequest, by work: LongWork, _ api: ControlAPI
    ) async throws(ControlError) -> BuiltInReply {
        try request.checkQuery(["kind"])
        let kinds = ImportKind.allCases.filter { $0 != .curl && !$0.isFolder }
        guard let word = request.query["kind"], let kind = kinds.first(where: { $0.rawValue == word }) else {
            throw .badRequest("'kind' is one of \(kinds.map(\.rawValue).joined(separator: ", "))")
        }
        let body = request.body
        return try await api.perform(work, body.count, for: request) { budget in
            let draft: Draft
            do throws(ImportFailure) {
                draft = try Importer(keepsSecrets: false, within: budget).draft(kind, body, file: "recording")
            } catch {
                try budget.checkBounds()
                throw ControlError(400, "broken-recording", message: error.description)
            }
            return try replyWithScenario(draft, head: "# A recording, imported", within: budget)
        }
    }

    /// Makes the text of a scenario of what was seen; the `entries` of the body choose requests.
    private static func importJournal(
        _ journal: Journal, _ request: ControlRequest, by work: LongWork, _ api: ControlAPI, _ source: RunDraft.Source
    ) async throws(ControlError) -> BuiltInReply {
        let chosen = try entries(of: request)
        let entries = journal.snapshot().entries
        return try await api.perform(work, request.body.count, for: request) { budget in
            let seen = RunDraft(of: entries, from: source, choosing: chosen)
            guard let draft = seen.draft else {
                throw ControlError(
                    409, "no-requests",
                    message: "there is no request to make a scenario of: "
                        + (seen.remarks.first { _ in true }?.description
                            ?? (chosen == nil ? "none has come" : "no entry that was named is about one")))
            }
            return try replyWithScenario(draft, of: seen.requestCount, head: source.head, within: budget)
        }
    }

    /// `requestCount` nil: as many as exchanges.
    private static func replyWithScenario(
        _ draft: Draft, of requestCount: Int? = nil, head: String, within budget: WorkBudget
    ) throws -> BuiltInReply {
        let sound: SoundDraft
        do throws(SoundDraft.Failure) {
            sound = try SoundDraft(draft, as: SoundDraft.Form(id: "recording", head: head), within: budget)
        } catch {
            try budget.checkBounds()
            throw ControlError(400, "broken-recording", message: error.description)
        }
        return .object { json in
            json.member("requests", requestCount ?? sound.draft.exchanges.count)
            json.member("yaml", sound.text.text)
            json.texts(
                "remarks",
                sound.warnings.map(\.description) + sound.draft.secrets.lines
                    + sound.draft.remarks.map(\.description)
                    + sound.differences.map { "not as the source says: \($0)" })
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
