public import ProctorGrading
public import ProctorHarness
public import ProctorRules
public import Testing

extension Trait where Self == ScenarioTrait {
    /// Runs the whole test inside ``withScenario``.
    public static func scenario(
        _ id: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
        within patience: Duration = .seconds(30), fixtures: [String]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait { body in
            try await withScenario(
                id, case: name, platform: platform, ledger: ledger, within: patience, fixtures: fixtures,
                fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
                column: sourceLocation.column, body)
        }
    }
}

extension Trait where Self == ScenarioTrait {
    /// Runs the whole test inside ``withScenario``, with a scenario in YAML.
    public static func scenario(
        yaml: String, case name: String? = nil, platform: Platform = .neutral, ledger: Ledger? = nil,
        within patience: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait { body in
            try await withScenario(
                yaml: yaml, case: name, platform: platform, ledger: ledger, within: patience,
                fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
                column: sourceLocation.column, body)
        }
    }
}
