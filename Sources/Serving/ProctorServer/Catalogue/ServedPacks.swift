internal import ProctorBase
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
        guard let folder, let name = id.split(separator: "/", maxSplits: 1).first.map(String.init),
            name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        return try await WorkThreads.reading.attempt(within: .ofInput) { _ throws(ControlError) in
            let path = FixturePath("\(folder)/\(name)", prefix: "\(name)/")
            let files = name == id ? ScenarioLoader.findFixtures([path]) : ScenarioLoader.find(id, in: [path])
            guard !files.ids.isEmpty else { return nil }
            guard files.ids.count == 1 else {
                throw ControlError(
                    409, "several-scenarios",
                    message: "'\(name)' is a pack of \(files.ids.count) scenarios, and a run has one; name one of "
                        + files.ids.joined(separator: ", ") + ", or serve all with 'proctor serve --pack \(name)'")
            }
            let (scenario, diagnostics) = files.read(0)
            guard let scenario else { throw ControlError(id, LoadFailure(diagnostics: diagnostics)) }
            return scenario
        }
    }
}
