package import ProctorBase
package import ProctorHTTP
package import ProctorScenario

extension CompiledExchange {
    /// Whether the pattern matches the request; turns are not checked.
    ///
    /// Undecided where the budget for comparing the request ended before.
    func verdict(on request: RequestView) -> Verdict {
        if let comparison = request.comparison { return comparison.verdict(of: exchange.index) }
        guard isCostly else {
            return Verdict(matchesHead(of: request) && (!looksAtBody || exchange.request.matchesBody(of: request)))
        }
        // A script is asked before the stage's lock is taken, or not at all.
        return Verdict(
            exchange.request.script == nil && matchesHead(of: request) && exchange.request.matchesRest(of: request))
    }

    /// Whether method and `:protocol` match; without copies, since hardly any request names a protocol.
    private func matchesMethod(of request: RequestView) -> Bool {
        if protocolName != nil || request.head.namesProtocol {
            if answersExtendedConnect { return request.head.protocolName == Array("websocket".utf8) }
            guard protocolName == request.head.protocolName else { return false }
        }
        return request.hasMethod(in: methods)
    }

    func matchesHead(of request: RequestView) -> Bool {
        if let known = request.comparison?.head(of: exchange.index) { return known }
        guard matchesMethod(of: request) else { return false }
        if let exactTarget {
            guard exactTarget == request.target || exactTarget == request.absoluteTarget else { return false }
        } else if !exchange.request.matchesTarget(of: request) {
            return false
        }
        guard headers.allSatisfy({ $0.holds(for: request.head, within: request.budget) }) else { return false }
        return !isCostly || exchange.request.permits(request)
    }
}

extension RequestPattern {
    func matchesTarget(of request: RequestView) -> Bool {
        // Most patterns are texts with holes, whose values are not asked for here.
        guard query == nil, expression == nil else { return targetCaptures(of: request) != nil }
        return target.matches(request.target.span)
            || request.absoluteTarget.map { target.matches($0.span) } ?? false
    }

    /// The values of the holes in path and query; nil when the target does not match.
    func targetCaptures(of request: RequestView) -> Captures? {
        guard let query else {
            if let expression {
                return expression.captures(in: request.target.span, within: request.budget)
                    ?? request.absoluteTarget.flatMap { expression.captures(in: $0.span, within: request.budget) }
            }
            return target.match(request.target.span) ?? request.absoluteTarget.flatMap { target.match($0.span) }
        }
        guard var captures = pathCaptures(of: request),
            let queryCaptures = Self.match(query, request.queryPairs(for: query), within: request.budget)
        else { return nil }
        captures.merge(queryCaptures)
        return captures
    }

    private func pathCaptures(of request: RequestView) -> Captures? {
        guard let expression else { return target.match(request.path.span) }
        let path = Array(request.path)
        return expression.captures(in: path.span, within: request.budget)
    }

    /// The values of all holes.
    func captures(of request: RequestView) -> Captures {
        var captures = targetCaptures(of: request) ?? Captures()
        for condition in headers where condition.value.captures {
            let lines = request.head.fields.values(named: Array(condition.name.utf8))
            if let captured = lines.lazy.compactMap({ condition.value.match($0.span, within: request.budget) }).first {
                captures.merge(captured)
            }
        }
        return captures
    }

    /// Whether the conditions that few patterns have hold, or may hold where they ask for content.
    package func permits(_ request: RequestView) -> Bool {
        more.map { $0.verdict(of: request, captures: { captures(of: request) }, seesContent: false) != .fails } ?? true
    }

    /// Whether these conditions and those on content hold.
    func matchesRest(of request: RequestView) -> Bool {
        matchesBody(of: request)
            && more.map { $0.verdict(of: request, captures: { captures(of: request) }, seesContent: true) == .holds }
                ?? true
    }

    /// Each wanted item needs a pair of its own, and no pair may be left; exact values choose first.
    static func match(_ wanted: [QueryItem], _ pairs: [PairAssignment.Pair], within budget: WorkBudget? = nil)
        -> Captures?
    {
        // Items times pairs are compared, each with the name.
        _ = try? budget?.spend(min(wanted.count, pairs.count) * pairs.count)
        if wanted.contains(where: \.value.isMoreThanText) {
            return PairAssignment(wanted, pairs, within: budget).map(\.captures)
        }
        guard pairs.count == wanted.count else { return nil }
        var left = pairs
        var captures = Captures()
        let exact = wanted.filter { $0.value.exactBytes != nil }
        for item in exact + wanted.filter({ $0.value.exactBytes == nil }) {
            var captured: Captures?
            let index = left.firstIndex { pair in
                guard pair.name.elementsEqual(item.name) else { return false }
                captured = item.value.match(pair.value.span)
                return captured != nil
            }
            guard let index, let captured else { return nil }
            captures.merge(captured)
            left.remove(at: index)
        }
        return captures
    }

    /// The pairs of a query, decoded as those of a form are, unless `isRaw`.
    static func pairs(of query: ArraySlice<UInt8>?, isRaw: Bool) -> [PairAssignment.Pair] {
        guard let query, !query.isEmpty else { return [] }
        if !isRaw, query.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
            let form = try? URLEncodedForm(parsing: query, pairLimit: query.count)
            return form?.pairs.map { ($0.name[...], $0.value[...]) } ?? []
        }
        // Empty text between ampersands is none of a form.
        return query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: !isRaw).map { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, pair[pair.endIndex...]) }
            return (pair[..<equals], pair[(equals + 1)...])
        }
    }
}

extension RequestPattern {
    /// False also for a body that was not kept completely.
    func matchesBody(of request: RequestView) -> Bool { body.map { $0.verdict(of: request) == .holds } ?? true }
}

extension ByteSource {
    /// Compares with a generated source without building its bytes, and reads a sidecar file.
    package func equals(_ bytes: [UInt8], _ decoded: DecodedBody?) -> Bool {
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
    package func verdict(for head: RequestHead, within budget: WorkBudget?) -> Verdict {
        value.verdict(onAnyOf: head.fields.values(named: Array(name.utf8)).map { Array($0) }, within: budget)
    }

    func holds(for head: RequestHead, within budget: WorkBudget?) -> Bool {
        let name = Array(name.utf8)
        switch value {
        case .absent: return !head.fields.contains(named: name)
        case .text(let pattern): return head.fields.values(named: name).contains { pattern.match($0.span) != nil }
        default: return verdict(for: head, within: budget) == .holds
        }
    }
}
