public import ProctorHarness
public import Testing

extension Trait where Self == ScenarioTrait {
    /// Runs the whole test inside ``withScenario``.
    public static func scenario(
        _ id: String, case name: String? = nil, on server: RemoteServer = .environment, platform: String? = nil,
        ledger: String? = nil, within patience: Duration = .seconds(30),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait { body in
            try await withScenario(
                id, case: name, on: server, platform: platform, ledger: ledger, within: patience,
                fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
                column: sourceLocation.column, body)
        }
    }
}

extension Trait where Self == ScenarioTrait {
    /// Runs the whole test inside ``withScenario``, with a scenario in YAML.
    public static func scenario(
        yaml: String, case name: String? = nil, on server: RemoteServer = .environment, platform: String? = nil,
        ledger: String? = nil, within patience: Duration = .seconds(30),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> ScenarioTrait {
        ScenarioTrait { body in
            try await withScenario(
                yaml: yaml, case: name, on: server, platform: platform, ledger: ledger, within: patience,
                fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
                column: sourceLocation.column, body)
        }
    }
}
