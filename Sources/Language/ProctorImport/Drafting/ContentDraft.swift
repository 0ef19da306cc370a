import ProctorBase
import ProctorHTTP

/// What a fixture asks of a request's content: as JSON, as a form, as parts or as bytes.
struct ContentDraft {
    let pattern: TargetPattern

    private static let bodyLimit = 2_000
    private static let valueLimit = 1_000
    private static let depthLimit = 20
    /// One member of a request; nil where the content is too long to stand in a fixture.
    func member(for content: [UInt8], type: MediaType?) -> YAMLTree.Member? {
        guard !content.isEmpty else { return .init("body", .text("")) }
        if type?.isJSON == true, let json = json(content) { return .init("json", json) }
        if type?.essence == "application/x-www-form-urlencoded", let form = form(content) { return .init("form", form) }
        if type?.essence == "multipart/form-data", let boundary = type?.boundary,
            let parts = parts(content, boundary: boundary)
        {
            return .init("parts", parts)
        }
        return body(content).map { .init("body", $0) }
    }

    private func body(_ content: [UInt8]) -> YAMLTree? {
        guard content.count <= Self.bodyLimit, isWithoutSecrets(content) else { return nil }
        let words = pattern.placeholders.ranges(in: content)
        guard !words.isEmpty else { return .bytes(content) }
        // Any text stands in the place of each.
        guard String(validUTF8: content) != nil else { return nil }
        var expression = "(?s)"
        var end = 0
        for range in words {
            expression += RegexText.escape(String(decoding: content[end..<range.lowerBound], as: UTF8.self)) + ".*"
            end = range.upperBound
        }
        return ["matches": .text(expression + RegexText.escape(String(decoding: content[end...], as: UTF8.self)))]
    }

    private func isWithoutSecrets(_ content: [UInt8]) -> Bool {
        pattern.store.pieces(of: content).allSatisfy { if case .plain = $0 { true } else { false } }
    }

    // MARK: JSON

    private func json(_ content: [UInt8]) -> YAMLTree? {
        guard content.count <= Self.bodyLimit * 4, let document = try? JSONDocument(parsing: content),
            document.values.count <= Self.valueLimit
        else { return nil }
        return tree(document, 0, depth: 0)
    }

    /// Recursion is bounded by the depth limit.
    private func tree(_ document: JSONDocument, _ index: Int, depth: Int) -> YAMLTree? {
        guard depth <= Self.depthLimit else { return nil }
        let value = document.values[index]
        switch value.kind {
        case .null: return .null
        case .boolean(let flag): return .plain(flag ? "true" : "false")
        case .number:
            let text = String(decoding: document.text(of: index), as: UTF8.self)
            return ValueForms.isTimestamp(text.utf8) ? .plain("any number") : .plain(text)
        case .text(let bytes): return condition(on: bytes, name: value.name)
        case .list:
            var items: [YAMLTree] = []
            for child in document.children(of: index) {
                guard let item = tree(document, child, depth: depth + 1) else { return nil }
                items.append(item)
            }
            return .list(items)
        case .object:
            var members: [YAMLTree.Member] = []
            for child in document.children(of: index) {
                guard let bytes = document.values[child].name, let name = String(validUTF8: bytes),
                    let item = tree(document, child, depth: depth + 1)
                else { return nil }
                members.append(.init(name, item))
            }
            return FixtureJSON.wrapped(members)
        }
    }

    private func condition(on bytes: [UInt8], name: [UInt8]?) -> YAMLTree {
        let isSecret =
            !pattern.store.keepsSecrets
            && name.map { SecretNames.contains(String(decoding: $0, as: UTF8.self)) } == true
        let text = String(decoding: bytes, as: UTF8.self)
        let isNew = ValueForms.isUUID(bytes) && !pattern.givenIDs.contains(text)
        return isSecret || isNew || !isWithoutSecrets(bytes) || pattern.placeholders.stand(in: bytes)
            ? .plain("any string") : .text(text)
    }

    // MARK: Forms

    private func form(_ content: [UInt8]) -> YAMLTree? {
        guard content.count <= Self.bodyLimit * 4, let form = try? URLEncodedForm(parsing: content, pairLimit: 200)
        else {
            return nil
        }
        var names: [String] = []
        var values: [String: [YAMLTree]] = [:]
        for pair in form.pairs {
            guard let name = String(validUTF8: pair.name), !name.isEmpty, !name.utf8.contains(UInt8(ascii: "*")) else {
                return nil
            }
            guard let value = value(pair.value, name: name) else { return nil }
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
        return names.isEmpty
            ? nil
            : .map(
                names.map { name in
                    let all = values[name] ?? []
                    return .init(name, all.count == 1 ? all[0] : .list(all))
                })
    }

    private func value(_ bytes: [UInt8], name: String) -> YAMLTree? {
        if !pattern.store.keepsSecrets, SecretNames.contains(name) { return .text("*") }
        return String(validUTF8: bytes).map { .text(pattern.open($0)) }
    }

    private func parts(_ content: [UInt8], boundary: [UInt8]) -> YAMLTree? {
        let type = Array("multipart/form-data; boundary=\"".utf8) + boundary + [UInt8(ascii: "\"")]
        guard let form = try? FormData(parsing: content, contentType: type), !form.parts.isEmpty,
            form.parts.count <= 100
        else { return nil }
        var parts: [YAMLTree] = []
        for part in form.parts {
            guard let name = String(validUTF8: part.name) else { return nil }
            var members = [YAMLTree.Member("name", .text(name))]
            if let file = part.fileName {
                members.append(.init("filename", .text(pattern.open(String(decoding: file, as: UTF8.self)))))
            }
            if let type = part.contentType.flatMap({ String(validUTF8: $0) }) {
                members.append(.init("type", .text(pattern.open(type))))
            }
            let isSecret = !pattern.store.keepsSecrets && SecretNames.contains(name)
            if !isSecret, part.content.count <= 500, let body = body(part.content) {
                members.append(.init("body", body))
            }
            parts.append(.map(members))
        }
        return .list(parts)
    }
}
