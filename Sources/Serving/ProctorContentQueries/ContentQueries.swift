internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// XML, XPath and JSONPath as conditions on content: the keys `xml`, `xpath` and `jsonpath`.
package enum ContentQueries {
    /// Hands the keys over to the language, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture with such a key is refused.
    package static func register() {
        let document = Shape<[UInt8]>.literal("an XML document", limit: 1 << 20)
        ScenarioReader.xml.register(
            Shape { node, reader in document.read(node, reader).flatMap { reader.xml($0, node) } })
        ScenarioReader.xpath.register(Shape { node, reader in { reader.xpath(node, namespaces: $0) } })
        ScenarioReader.jsonPath.register(
            Shape { node, reader in
                reader.queries(node, "jsonpath", "query of JSONPath (RFC 9535)") { text throws(LineFault) in
                    .json(try JSONPath(text))
                }
            })
    }
}

extension ScenarioReader {
    fileprivate func xml(_ bytes: [UInt8], _ node: Node) -> (any ContentCondition)? {
        do throws(LineFault) {
            return XMLCondition(
                wanted: try XMLDocument(parsing: bytes), text: String(decoding: bytes, as: UTF8.self))
        } catch {
            return sink.refuse(node, "this is no XML: \(error.sentence), at byte \(error.offset)")
        }
    }

    /// `namespaces` is the mapping beside it, from the prefixes of its expressions.
    fileprivate func xpath(_ node: Node, namespaces: Node?) -> (any ContentCondition)? {
        var prefixes: [String: String] = [:]
        for entry in namespaces?.entries ?? [] {
            guard let text = sink.text(entry.value, "a namespace") else { return nil }
            prefixes[entry.key] = text
        }
        return queries(node, "xpath", "expression of XPath 1.0") { text throws(LineFault) in
            .xml(try XPath(text, namespaces: prefixes))
        }
    }

    /// Conditions by the queries of one language; nil after a diagnostic.
    fileprivate func queries(
        _ node: Node, _ key: String, _ language: String,
        _ read: (String) throws(LineFault) -> QueryCondition.Query
    ) -> (any ContentCondition)? {
        guard let paths = entries(node, key, from: "expression to condition", limit: 100) else { return nil }
        guard !paths.isEmpty else { return sink.refuse(node, "\(key) has one expression at least") }
        let values = paths.compactMap { entry -> QueryCondition.Value? in
            guard let condition = condition(entry.value, "what \(quoted(entry.key)) gives") else { return nil }
            do throws(LineFault) {
                return QueryCondition.Value(query: try read(entry.key), condition: condition)
            } catch {
                return sink.refuse(
                    entry.keyNode, "\(quoted(entry.key)) is no \(language): \(error.sentence), at byte \(error.offset)")
            }
        }
        return values.count == paths.count ? QueryCondition(values: values) : nil
    }
}
