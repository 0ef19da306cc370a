import ProctorBase
import ProctorHTTP

/// Descriptions in OpenAPI 3.0 and 3.1: an exchange for each operation, with a reply by its examples or its schema.
package enum OpenAPIReader {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Draft {
        let root = try SourceValue(parsing: bytes, file: file)
        guard let version = root["openapi"]?.text else {
            let old =
                root["swagger"]?.text.map { "; this is Swagger \($0), which converters turn into OpenAPI 3" } ?? ""
            throw ImportFailure(at: root.place, "this is no description in OpenAPI 3: expected the key openapi\(old)")
        }
        guard version.hasPrefix("3.") else {
            throw ImportFailure(
                at: root["openapi"]?.place ?? file, "OpenAPI \(version) is not known here; expected 3.0 or 3.1")
        }
        guard let paths = root["paths"]?.members, !paths.isEmpty else {
            throw ImportFailure(at: root.place, "the description has no paths, so there is nothing to answer")
        }
        var collector = OpenAPICollector(root: root)
        for (path, item) in paths where !path.hasPrefix("x-") { collector.addPath(path, item) }
        collector.tellWebhooks()
        var draft = try collector.draft(file: file)
        draft.description = SourceDescription(
            bytes: bytes, file: file, base: collector.prefix.isEmpty ? nil : collector.prefix)
        return draft
    }

    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
}

extension YAMLTree {
    /// The text of a scalar.
    var scalarText: String? {
        switch self {
        case .text(let text), .plain(let text): text
        case .list, .map: nil
        }
    }
}
