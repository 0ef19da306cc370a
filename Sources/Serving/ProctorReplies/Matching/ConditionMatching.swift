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
    /// The verdict on all pairs of a query or a form.
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
        do throws(SpentBudget) {
            return try verdict(of: request, within: request.budget)
        } catch {
            return .undecided
        }
    }

    private func verdict(of request: RequestView, within budget: WorkBudget?) throws(SpentBudget) -> Verdict {
        switch self {
        case .exact, .matches, .contains:
            guard case .value(let content) = try request.content(within: budget) else { return .fails }
            return try byteVerdict(on: content, of: request, within: budget)
        case .coded(let pattern):
            guard let body = request.body else { return .fails }
            return try pattern.byteVerdict(on: body, of: request, within: budget)
        case .form(let items):
            guard case .value(let pairs) = try request.decoded?.form(within: budget) else { return .fails }
            return items.verdict(on: pairs.map { ($0.name[...], $0.value[...]) }, within: budget)
        case .parts(let wanted):
            guard case .value(let parts) = try request.decoded?.parts(within: budget), parts.count == wanted.count
            else { return .fails }
            return zip(wanted, parts).all { $0.verdict(on: $1, request.decoded, within: budget) }
        case .json(let pattern):
            guard case .value(let document) = try request.decoded?.json(within: budget) else { return .fails }
            return JSONMatcher.verdict(pattern, on: document, within: budget)
        case .condition(let condition): return condition.verdict(on: request.decoded, within: budget)
        }
    }

    /// The verdict of a pattern that compares bytes.
    private func byteVerdict(
        on bytes: [UInt8], of request: RequestView, within budget: WorkBudget?
    ) throws(SpentBudget) -> Verdict {
        switch self {
        case .exact(let source): Verdict(source.equals(bytes, request.decoded))
        case .matches(let expression): expression.verdict(on: bytes, within: budget)
        case .contains(let part): Verdict(try bytes.contains(bytes: part, within: budget))
        default: .fails
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
    /// The pairs of all Cookie fields, in order.
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
        case .coded(let pattern): pattern.isCostly
        case .form, .parts, .matches, .contains, .json, .condition: true
        }
    }
}
