extension LoaderTransitions {
    /// The table as a Mermaid state diagram, as Docs/reference-client.md shows it.
    public static var diagram: String {
        let lines = table.flatMap { from, ways in
            ways.map { "    \(name(from)) --> \(name($0.1)) : \($0.0.replacing(";", with: ","))" }
        }
        return (["stateDiagram-v2", "    [*] --> idle"] + lines + ["    ended --> [*]"]).joined(separator: "\n")
    }

    private static func name(_ phase: LoaderPhase.Name) -> String { phase.rawValue }
}
