public import ProctorDocument

extension ScenarioLoader {
    /// Loads the scenario of that id, where the paths have it, and reads no other scenario.
    ///
    /// Without a scenario the diagnostics say what is wrong with it; where none has the id there are none.
    public static func load(
        _ id: String, in paths: [String]
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        // What is wrong with other files is not this one's business.
        var others: [Diagnostic] = []
        guard let file = FixtureFinder.files(at: paths, diagnostics: &others).first(where: { $0.id == id }) else {
            return (nil, [])
        }
        return load(file)
    }

    /// The ids of all scenarios at the paths, sorted; no file is read.
    public static func ids(in paths: [String]) -> [String] {
        var others: [Diagnostic] = []
        return FixtureFinder.files(at: paths, diagnostics: &others).map(\.id).sorted()
    }
}
