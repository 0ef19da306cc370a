internal import ProctorHTTP
internal import ProctorScenario

extension CompiledExchange {
    /// Whether the pattern matches the request; turns are not checked.
    func matches(_ request: RequestView) -> Bool {
        matchesHead(of: request) && (!looksAtBody || exchange.request.matchesBody(of: request))
    }

    func matchesHead(of request: RequestView) -> Bool {
        guard request.hasMethod(in: methods) else { return false }
        if let exactTarget {
            guard exactTarget == request.target || exactTarget == request.absoluteTarget else { return false }
        } else if !exchange.request.matchesTarget(of: request) {
            return false
        }
        return headers.allSatisfy { $0.holds(for: request.head) }
    }
}

extension RequestPattern {
    func matchesTarget(of request: RequestView) -> Bool { targetCaptures(of: request) != nil }

    /// The values of the holes in path and query; nil when the target does not match.
    func targetCaptures(of request: RequestView) -> Captures? {
        guard let query else {
            return target.match(request.target.span) ?? request.absoluteTarget.flatMap { target.match($0.span) }
        }
        guard var captures = target.match(request.path.span),
            let queryCaptures = Self.match(query, Self.pairs(of: request.query))
        else { return nil }
        captures.merge(queryCaptures)
        return captures
    }

    /// Each wanted item needs a pair of its own, and no pair may be left; exact values choose first.
    static func match(_ wanted: [QueryItem], _ pairs: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)])
        -> Captures?
    {
        var left = pairs
        guard left.count == wanted.count else { return nil }
        var captures = Captures()
        let exact = wanted.filter { $0.value.exactBytes != nil }
        for item in exact + wanted.filter({ $0.value.exactBytes == nil }) {
            var found: Captures?
            let index = left.firstIndex { pair in
                guard pair.name.elementsEqual(item.name) else { return false }
                found = item.value.match(pair.value.span)
                return found != nil
            }
            guard let index, let found else { return nil }
            captures.merge(found)
            left.remove(at: index)
        }
        return captures
    }

    private static func pairs(of query: ArraySlice<UInt8>?) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        guard let query, !query.isEmpty else { return [] }
        return query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, pair[pair.endIndex...]) }
            return (pair[..<equals], pair[(equals + 1)...])
        }
    }
}

extension RequestPattern {
    /// False also for a body that was not kept completely.
    func matchesBody(of request: RequestView) -> Bool {
        switch body {
        case nil: return true
        case .exact(let source):
            guard let got = request.body else { return false }
            return source.equals(got, request.decoded)
        case .form(let items):
            guard case .value(let pairs) = request.decoded?.form else { return false }
            return Self.match(items, pairs.map { ($0.name[...], $0.value[...]) }) != nil
        case .parts(let wanted):
            guard case .value(let parts) = request.decoded?.parts, parts.count == wanted.count else { return false }
            return zip(wanted, parts).allSatisfy { $0.matches($1, request.decoded) }
        }
    }
}

extension PartPattern {
    fileprivate func matches(_ part: FormData.Part, _ decoded: DecodedBody?) -> Bool {
        guard part.name == name else { return false }
        for (pattern, value) in [(fileName, part.fileName), (contentType, part.contentType)] {
            guard let pattern else { continue }
            guard let value, pattern.matches(value) else { return false }
        }
        return body.map { $0.equals(part.content, decoded) } ?? true
    }
}

extension ByteSource {
    /// Compares with a generated source without building its bytes, and reads a sidecar file.
    func equals(_ bytes: [UInt8], _ decoded: DecodedBody?) -> Bool {
        switch self {
        case .literal(let wanted): return wanted == bytes
        case .template(let template):
            return (template.literalBytes ?? decoded?.context.map { template.rendered(in: $0) }) == bytes
        case .repeated(let unit, let byteCount):
            guard bytes.count == byteCount, !unit.isEmpty else { return false }
            return bytes.indices.allSatisfy { bytes[$0] == unit[$0 % unit.count] }
        case .pattern(let pattern, let byteCount):
            return bytes.count == byteCount && bytes.indices.allSatisfy { bytes[$0] == pattern.byte(at: $0) }
        case .file(let file):
            guard let decoded else { return file.byteCount == bytes.count && file.wholeBytes == bytes }
            return decoded.equals(file, bytes)
        }
    }
}

extension RequestPattern.HeaderCondition {
    func holds(for head: RequestHead) -> Bool {
        let name = Array(name.utf8)
        guard let value else { return !head.fields.contains(named: name) }
        return head.fields.values(named: name).contains { value.match($0.span) != nil }
    }
}
