internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario

/// Finds what a test asks for, or says what there is instead.
enum ExamChoice {
    /// What was loaded stays, for many tests ask for the same.
    private static let loaded = Locked<[Position: Scenario]>([:])

    private struct Position: Hashable {
        let id: String
        let paths: [String]
    }

    /// The scenario of that id in `fixtures`, or in the first folder that has it of those where a test's scenarios are looked
    /// for.
    static func scenario(
        _ id: String, in fixtures: [String]?, for testFile: String
    ) throws(ExamFailure) -> Scenario {
        let places: [[String]] =
            if let fixtures { [fixtures] } else { try FixtureFolders.candidates(for: testFile).map { [$0] } }
        for paths in places {
            if let scenario = try load(Position(id: id, paths: paths)) { return scenario }
        }
        throw unknown(id, places.flatMap(\.self), testFile: testFile)
    }

    private static func load(_ place: Position) throws(ExamFailure) -> Scenario? {
        if let scenario = loaded.withLock({ $0[place] }) { return scenario }
        let (scenario, diagnostics) = ScenarioLoader.load(place.id, in: place.paths)
        guard diagnostics.isEmpty else { throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n")) }
        if let scenario { loaded.withLock { $0[place] = scenario } }
        return scenario
    }

    private static func unknown(_ id: String, _ folders: [String], testFile: String) -> ExamFailure {
        guard !folders.isEmpty else {
            return ExamFailure(
                "there is no scenario '\(id)', for there is no folder 'fixtures' above \(testFile); name one with fixtures: "
                    + "or PROCTOR_FIXTURES")
        }
        let names = near(id, in: ScenarioLoader.ids(in: folders)).map { "'\($0)'" }
        let hint = names.isEmpty ? "none has a name like it" : "did you mean \(names.joined(separator: ", "))?"
        return ExamFailure(
            "there is no scenario '\(id)'; \(hint) (looked in \(folders.joined(separator: ", ")); fixtures: and "
                + "PROCTOR_FIXTURES name other folders)")
    }

    /// The nearest name first, then such as end in the same word; three at most.
    private static func near(_ id: String, in ids: [String]) -> [String] {
        let last = id.split(separator: "/").last
        var names = NearestName.find(id, in: ids).map { [$0] } ?? []
        for other in ids where other.split(separator: "/").last == last && !names.contains(other) {
            names.append(other)
        }
        return Array(names.prefix(3))
    }

    static func item(_ name: String?, of scenario: Scenario) throws(ExamFailure) -> Case {
        let names = scenario.cases.map(\.name)
        guard let name else {
            if names.count == 1, let only = scenario.cases.first { return only }
            let choice = names.isEmpty ? "it has none" : "say case: with one of \(names.joined(separator: ", "))"
            throw ExamFailure("\(scenario.id) can't be judged without a case: \(choice)")
        }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw ExamFailure(error.description)
        }
    }
}

extension Duration {
    /// Rounded down; of what is longer than 292 years, those.
    var wholeMilliseconds: Int { Int(clamping: wholeNanoseconds / 1_000_000) }
}
