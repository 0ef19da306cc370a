package import ProctorBase
internal import ProctorHTTP
internal import ProctorRegex
package import ProctorScenario

extension ValueCondition {
    /// `none` for an absent value.
    var wantedOrNone: String { self == .absent ? "none" : wanted }

    /// Text without quotes.
    var bareText: String {
        if case .text(let pattern) = self { pattern.text } else { wanted }
    }

    /// Where a value stops to match a regular expression, or the bound that ended the search; empty for others.
    package func explanation(of values: [[UInt8]], within budget: WorkBudget?) -> String {
        if let bound = bound(on: values, within: budget) { return "; no answer, since the search ends after \(bound)" }
        guard case .matches(let expression) = self, values.count == 1, let value = values.first,
            let offset = expression.reach(in: value, within: budget)
        else { return "" }
        guard offset < value.count else { return "; more is wanted behind byte \(offset)" }
        return
            "; from byte \(offset) on it does not match, \(QuotedText.quote(EscapedText.escape(value[offset...].prefix(32))))"
    }
}

extension RequestPattern {
    func targetExplanation(of request: RequestView) -> String {
        guard let expression else { return "" }
        return ValueCondition.matches(expression).explanation(
            of: [query == nil ? request.target : Array(request.path)], within: request.budget)
    }
}

extension MoreConditions {
    /// One sentence for each condition that does not hold; empty ones where they are not told.
    package func differences(from request: RequestView, captures: Captures, isTold: Bool) -> [String] {
        var sentences: [String] = []
        func add(_ sentence: @autoclosure () -> String) { sentences.append(isTold ? sentence() : "") }
        let budget = request.budget
        for condition in self.captures where captures.names.contains(condition.name) {
            let value = captures[condition.name] ?? []
            guard !condition.value.holds(for: value, within: budget) else { continue }
            add(NearestExchange.sentence("where \(condition.name)", condition.value, [value], budget))
        }
        if !cookies.isEmpty {
            let pairs = request.cookiePairs
            for condition in cookies {
                let values = pairs.values(named: condition.name)
                guard condition.value.verdict(onAnyOf: values, within: budget) != .holds else { continue }
                add(NearestExchange.sentence("cookie \(condition.name)", condition.value, values, budget))
            }
        }
        if let security, request.security == nil {
            add("tls: wanted \(security.wanted), got a connection without TLS")
        } else if let security {
            for item in security.items(request.security) {
                guard let condition = item.condition, !condition.holds(for: item.value, within: budget) else {
                    continue
                }
                add(
                    NearestExchange.sentence(
                        "tls \(item.word)", condition, [item.value].compactMap(\.self), budget))
            }
        }
        for condition in not {
            switch condition.verdict(of: request, seesContent: true) {
            case .fails: continue
            case .holds: add("not: wanted none of \(condition.wanted), got all of it")
            case .undecided: add("not: wanted none of \(condition.wanted), got \(Self.noAnswer)")
            }
        }
        let verdicts = anyOf.map { $0.verdict(of: request, seesContent: true) }
        if !anyOf.isEmpty, !verdicts.contains(.holds) {
            add(
                "any of: wanted \(anyOf.map(\.wanted).joined(separator: " or ")), got \(verdicts.contains(.undecided) ? Self.noAnswer : "neither")"
            )
        }
        return sentences
    }

    private static let noAnswer = "no answer, since a search reached its bound"
}

extension MoreConditions.SecurityConditions {
    fileprivate var wanted: String {
        let parts = items(nil).compactMap { item in item.condition.map { "\(item.word): \($0.wanted)" } }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}

extension RequestConditions {
    /// Cut when long.
    fileprivate var wanted: String { text.utf8.count > 120 ? text.prefix(119) + "…" : text }
}
