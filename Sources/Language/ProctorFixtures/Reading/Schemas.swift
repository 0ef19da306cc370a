import ProctorBase
package import ProctorDocument
package import ProctorScenario

extension ScenarioReader {
    /// The bounds of a schema or a description that stands in a file of its own.
    private static var documentLimits: Document.Limits {
        var limits = Document.Limits()
        limits.depth = JSONDocument.depthBound
        return limits
    }

    /// A schema of JSON by the names of the formats that it holds values to.
    package static let schema = LanguageSlot<(_ formats: [String]) -> (any ContentCondition)?>("JSON Schema")
    package static let schemaFormats = LanguageSlot<[String]>("JSON Schema")
    /// XML, and queries of content by XPath, with the namespaces of its prefixes, and by JSONPath.
    package static let xml = LanguageSlot<any ContentCondition>("XML as a condition")
    package static let xpath = LanguageSlot<(_ namespaces: Node?) -> (any ContentCondition)?>("XPath")
    package static let jsonPath = LanguageSlot<any ContentCondition>("JSONPath")

    /// The values of a file of YAML, or of JSON where its name ends in `.json`.
    package func sidecarDocument(_ node: Node) -> Node? {
        guard let file = sidecar(node) else { return nil }
        do throws(Diagnostic) {
            let bytes = try FileBytes.read(file.path, limit: Self.documentLimits.byteCount)
            guard literals.spend(bytes.count) else {
                return sink.refuse(
                    node, "all that is made while this file is loaded has more than \(literals.byteCount) bytes")
            }
            fingerprint.mix(bytes)
            let document =
                file.path.lowercased().hasSuffix(".json")
                ? Document.parseJSON(bytes, file: file.path, limits: Self.documentLimits)
                : Document.parse(bytes, file: file.path, limits: Self.documentLimits)
            for diagnostic in document.diagnostics { sink.add(diagnostic) }
            return document.root
        } catch {
            return sink.refuseFile(node, for: error, of: file.path)
        }
    }
}
