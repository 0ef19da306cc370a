import ProctorBase
package import ProctorScenario

/// A line of curl for each exchange; `$BASE` stands for the address.
package enum CurlExport {
    package static func write(_ scenario: Scenario, readFile: @escaping (SidecarFile) -> [UInt8]?) -> Exported {
        var text = "# \(PrintableText.sanitize(scenario.summary))\nBASE=${BASE:-http://127.0.0.1:8088/\(scenario.id)}\n"
        var remarks = ImportRemarks()
        var exporter = ReplyExporter(late: { _ in nil }, readFile: readFile)
        for exchange in scenario.exchanges {
            let request = ExportedTarget(exchange)
            remarks += request.remarks
            var words = ["curl", "-i"]
            switch request.method {
            case "GET": break
            case "HEAD": words.append("-I")
            default: words += ["-X", request.method]
            }
            for (name, value) in request.fields { words += ["-H", value.isEmpty ? "\(name);" : "\(name): \(value)"] }
            if let data = content(exchange, &exporter) { words += ["--data-binary", data] }
            if !exchange.guards.isEmpty {
                exporter.remark("its guards ask for a credential, which -u gives", at: exchange.location)
            }
            if exchange.origin != 0 {
                exporter.remark(
                    "it stands at the origin \(scenario.origins[exchange.origin].name), whose address BASE has to be",
                    at: exchange.location)
            }
            text +=
                words.map(ShellWords.quote).joined(separator: " ") + " \"$BASE\"\(ShellWords.quote(request.target))\n"
        }
        return Exported(text: text, remarks: remarks + exporter.remarks)
    }

    private static func content(_ exchange: Exchange, _ exporter: inout ReplyExporter) -> String? {
        switch exchange.request.body {
        case nil: return nil
        case .exact(let source):
            let bytes = exporter.bytes(source, at: exchange.location)
            guard let text = String(validUTF8: bytes), !bytes.contains(0), bytes.first != UInt8(ascii: "@") else {
                exporter.remark("content that is no text can't stand in a line", at: exchange.location)
                return nil
            }
            return text
        case .contains(let bytes): return String(validUTF8: bytes)
        case .json(let pattern): return pattern.example
        case .form(let pairs):
            return pairs.map { "\(String(decoding: $0.name, as: UTF8.self))=\($0.value.example)" }.joined(
                separator: "&")
        case .condition(let condition) where condition.example != nil: return condition.example
        case .parts, .matches, .condition, .coded:
            exporter.remark(
                "parts, content as it came, and content by an expression, a query or a JSON Schema, are not shown",
                at: exchange.location)
            return nil
        }
    }
}

extension JSONPattern {
    /// A value that it takes as a JSON text.
    var example: String {
        switch self {
        case .null: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .number(_, let text): return text
        case .text(let bytes): return FixtureJSON.json(.text(String(decoding: bytes, as: UTF8.self)))
        case .any(let kind): return kind.example
        case .matches, .not: return "\"\""
        case .anyOf(let patterns): return patterns.first?.example ?? "null"
        case .object(let members):
            return "{"
                + members.map {
                    "\(FixtureJSON.json(.text(String(decoding: $0.name, as: UTF8.self)))):\($0.value.example)"
                }
                .joined(separator: ",") + "}"
        case .list(let patterns), .unordered(let patterns):
            return "[" + patterns.map(\.example).joined(separator: ",") + "]"
        case .contains(let pattern): return pattern.example
        case .at: return "{}"
        }
    }
}

extension JSONPattern.Kind {
    fileprivate var example: String {
        switch self {
        case .number: "1"
        case .string, .value: "\"text\""
        case .boolean: "true"
        case .array: "[]"
        case .object: "{}"
        }
    }
}
