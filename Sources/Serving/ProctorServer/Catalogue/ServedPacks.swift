internal import ProctorFixtures
internal import ProctorReplies
internal import ProctorScenario

/// The packs that come with the program, of whose scenarios runs are made without `--pack`.
///
/// They stand in no catalogue: a pack is read when a call names it.
struct ServedPacks: Sendable {
    /// The folder with a folder for each pack; nil: there are none.
    let folder: String?

    /// The scenario `PACK/NAME`, or for `PACK` its only one; nil where no pack has it.
    ///
    /// Throws for a pack of several, and for a scenario with errors.
    func scenario(_ id: String) async throws(ControlError) -> Scenario? {
        guard let folder else { return nil }
        return try await WorkThreads.reading.attempt(within: .ofInput) { _ throws(ControlError) in
            let files = PackFiles(in: folder).files(of: id)
            if let mistake = PackFiles.mistake(files, named: id) {
                throw ControlError(409, "several-scenarios", message: mistake)
            }
            guard !files.ids.isEmpty else { return nil }
            let (scenario, diagnostics) = files.read(0)
            guard let scenario else { throw ControlError(id, LoadFailure(diagnostics: diagnostics)) }
            return scenario
        }
    }
}
