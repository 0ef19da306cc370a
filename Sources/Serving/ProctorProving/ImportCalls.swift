internal import ProctorBase
internal import ProctorDocument
internal import ProctorImport
internal import ProctorReplies
internal import ProctorScenario
package import ProctorServer

/// Recordings as scenarios, for a page that shows, edits and saves them.
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
            }
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
            let sound: SoundDraft
            do throws(SoundDraft.Failure) {
                let form = SoundDraft.Form(id: "recording", head: "# A recording, imported")
                sound = try SoundDraft(draft, as: form, within: budget)
            } catch {
                try budget.checkBounds()
                throw ControlError(400, "broken-recording", message: error.description)
            }
            return .object { json in
                json.member("requests", sound.draft.exchanges.count)
                json.member("yaml", sound.text.text)
                json.texts(
                    "remarks",
                    sound.scenario.warnings.map(\.description) + sound.draft.secrets.lines
                        + sound.draft.remarks.map(\.description)
                        + sound.differences.map { "not as the source says: \($0)" })
            }
        }
    }
}
