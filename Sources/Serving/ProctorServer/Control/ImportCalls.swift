internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorImport
internal import ProctorReplies
internal import ProctorServing

// Recordings as scenarios, for a page that shows, edits and saves them.
extension ControlAPI {
    /// Makes the text of a scenario of the recording in the body; the server keeps nothing of it.
    func importRecording(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try request.checkQuery(["kind"])
        let kinds = ImportKind.allCases.filter { $0 != .curl && $0 != .wiremock }
        guard let word = request.query["kind"], let kind = kinds.first(where: { $0.rawValue == word }) else {
            throw .badRequest("'kind' is one of \(kinds.map(\.rawValue).joined(separator: ", "))")
        }
        let body = request.body
        return try await perform(importing, body.count, for: request) { budget in
            let draft: Draft
            do throws(ImportFailure) {
                draft = try Importer(keepsSecrets: false, within: budget).draft(kind, body, file: "recording")
            } catch {
                try budget.checkBounds()
                throw ControlError(400, "broken-recording", message: error.description)
            }
            let text = ScenarioText(draft, name: "scenario", head: "# A recording, imported", isAlone: true).text
            try budget.checkBounds()
            let (_, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "recording", file: "scenario")
            return .object { json in
                json.member("requests", draft.exchanges.count)
                json.member("yaml", text)
                json.texts(
                    "remarks",
                    diagnostics.map(\.description) + draft.secrets.lines + draft.remarks.map(\.description))
            }
        }
    }
}
