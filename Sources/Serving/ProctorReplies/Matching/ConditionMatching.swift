package import ProctorBase
internal import ProctorHTTP
package import ProctorScenario

extension MoreConditions {
    /// Without content what asks for it is undecided.
    package func verdict(of request: RequestView, captures: @escaping () -> Captures?, seesContent: Bool) -> Verdict {
        var verdicts: [() -> Verdict] = []
        if !self.captures.isEmpty {
            verdicts.append {
                guard let values = captures() else { return .fails }
                return self.captures.all { $0.value.verdict(on: values[$0.name] ?? [], within: request.budget) }
            }
        }
        if !cookies.isEmpty {
            verdicts.append {
                let pairs = request.cookiePairs
                return self.cookies.all {
                    $0.value.verdict(onAnyOf: pairs.values(named: $0.name), within: request.budget)
                }
            }
        }
        if let security { verdicts.append { security.verdict(on: request.security, within: request.budget) } }
        verdicts.append { self.not.all { !$0.verdict(of: request, seesContent: seesContent) } }
        if !anyOf.isEmpty { verdicts.append { self.anyOf.any { $0.verdict(of: request, seesContent: seesContent) } } }
        return verdicts.all { $0() }
    }
}

extension RequestConditions {
    package func verdict(of request: RequestView, seesContent: Bool) -> Verdict {
        let parts: [() -> Verdict] = [
            { self.headers.all { $0.verdict(for: request.head, within: request.budget) } },
            {
                self.query.map { $0.verdict(on: request.queryPairs(for: $0), within: request.budget) } ?? .holds
            },
            { self.more?.verdict(of: request, captures: { nil }, seesContent: seesContent) ?? .holds },
            { self.body.map { seesContent ? $0.verdict(of: request) : .undecided } ?? .holds },
        ]
        return parts.all { $0() }
    }
}

extension [RequestPattern.QueryItem] {
    /// Of all pairs of a query or a form.
    func verdict(on pairs: [PairAssignment.Pair], within budget: WorkBudget?) -> Verdict {
        if RequestPattern.match(self, pairs, within: budget) != nil { return .holds }
        let isUncertain = contains { item in
            item.value.isMoreThanText
                && pairs.contains {
                    $0.name.elementsEqual(item.name)
                        && item.value.verdict(on: [UInt8]($0.value), within: budget) == .undecided
                }
        }
        return isUncertain ? .undecided : .fails
    }
}

extension BodyPattern {
    /// Fails for a body that was not kept completely.
    package func verdict(of request: RequestView) -> Verdict {
        switch self {
        case .exact(let source): Verdict(request.body.map { source.equals($0, request.decoded) } ?? false)
        case .form(let items):
            if case .value(let pairs) = request.decoded?.form {
                items.verdict(on: pairs.map { ($0.name[...], $0.value[...]) }, within: request.budget)
            } else {
                .fails
            }
        case .parts(let wanted):
            if case .value(let parts) = request.decoded?.parts, parts.count == wanted.count {
                zip(wanted, parts).all { $0.verdict(on: $1, request.decoded, within: request.budget) }
            } else {
                .fails
            }
        case .matches(let expression): request.body.map { expression.verdict(on: $0, within: request.budget) } ?? .fails
        case .contains(let bytes):
            request.body.map { content in
                (try? content.contains(bytes: bytes, within: request.budget)).map { Verdict($0) } ?? .undecided
            } ?? .fails
        case .json(let pattern):
            if case .value(let document) = request.decoded?.json {
                JSONMatcher.verdict(pattern, on: document, within: request.budget)
            } else {
                .fails
            }
        case .condition(let condition): condition.verdict(on: request.decoded, within: request.budget)
        }
    }
}

extension PartPattern {
    fileprivate func verdict(
        on part: FormData.Part, _ decoded: DecodedBody?, within budget: WorkBudget?
    ) -> Verdict {
        guard part.name == name else { return .fails }
        let verdict = [(fileName, part.fileName), (contentType, part.contentType)].all { condition, value in
            condition?.verdict(on: value, within: budget) ?? .holds
        }
        guard verdict != .fails else { return .fails }
        return body.map { $0.equals(part.content, decoded) } ?? true ? verdict : .fails
    }
}

extension JSONMatcher {
    package static func verdict(
        _ pattern: JSONPattern, on document: JSONDocument, within budget: WorkBudget?
    ) -> Verdict {
        var matcher = JSONMatcher(document, within: budget)
        return matcher.verdict(pattern)
    }
}

extension RequestHead {
    /// Of all Cookie fields, in order.
    var cookiePairs: [CookieField.Pair] {
        fields.values(named: Array("Cookie".utf8)).flatMap { CookieField(parsing: Array($0)).pairs }
    }
}

extension [CookieField.Pair] {
    /// Names are case-sensitive.
    func values(named name: String) -> [[UInt8]] {
        filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }
}

// MARK: Cost

extension RequestPattern {
    /// Whether matching may take long, by an expression or in JSON, so that it has a budget.
    var isCostly: Bool {
        expression != nil || query?.contains(where: \.value.isMoreThanText) == true
            || headers.contains(where: \.value.isMoreThanText) || body?.isCostly == true || more != nil || script != nil
    }

    /// How often a comparison with the pattern may read a head, for those that are not costly by themselves.
    ///
    /// Texts without holes end at the first byte that differs.
    var readCount: Int {
        (target.parts.count > 1 ? target.parts.count : 0) + 4 * (query?.count ?? 0) + headers.count
    }
}

extension BodyPattern {
    fileprivate var isCostly: Bool {
        switch self {
        case .exact: false
        case .form(let items): items.contains(where: \.value.isMoreThanText)
        case .parts(let parts):
            parts.contains { $0.fileName?.isMoreThanText == true || $0.contentType?.isMoreThanText == true }
        case .matches, .contains, .json, .condition: true
        }
    }
}
