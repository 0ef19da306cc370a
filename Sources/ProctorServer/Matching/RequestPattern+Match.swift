internal import ProctorScenario

extension CompiledExchange {
    /// Whether the request is one that this exchange waits for; says nothing about turns.
    func matches(_ request: RequestView) -> Bool {
        matchesHead(of: request) && exchange.request.matchesBody(of: request)
    }

    /// Everything but the body.
    func matchesHead(of request: RequestView) -> Bool {
        let pattern = exchange.request
        guard request.hasMethod(in: pattern.methods) else { return false }
        if let exactTarget {
            guard exactTarget == request.target || exactTarget == request.absoluteTarget else { return false }
        } else if !pattern.matchesTarget(of: request) {
            return false
        }
        return pattern.headers.allSatisfy { $0.holds(for: request.head) }
    }
}

extension RequestPattern {
    func matchesTarget(of request: RequestView) -> Bool { targetCaptures(of: request) != nil }

    /// What the holes of path and query took; nil when the target does not match.
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

    /// The pairs must be the same in number, and each wanted one must find one of its own; exact values choose first.
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
