package import ProctorBase
package import ProctorRegex

/// A condition on a value, such as that of a field, a query parameter or a cookie; it may also require that there is
/// none.
package enum ValueCondition: Sendable, Equatable {
    case text(BytePattern)
    /// An expression that matches the whole value.
    case matches(RegularExpression)
    /// There is no value.
    case absent
    indirect case not(ValueCondition)
    /// One of these conditions; never empty.
    indirect case anyOf([ValueCondition])
}

/// Whether a condition holds; undecided when a regular expression reached a bound.
package enum Verdict: Sendable, Equatable {
    case holds, fails, undecided

    package init(_ holds: Bool) { self = holds ? .holds : .fails }

    package static prefix func ! (verdict: Verdict) -> Verdict {
        switch verdict {
        case .holds: .fails
        case .fails: .holds
        case .undecided: .undecided
        }
    }
}

extension Sequence {
    /// The verdict that all conditions hold; stops at the first that fails.
    package func all(_ verdict: (Element) -> Verdict) -> Verdict {
        var all = Verdict.holds
        for element in self {
            switch verdict(element) {
            case .holds: continue
            case .fails: return .fails
            case .undecided: all = .undecided
            }
        }
        return all
    }

    /// The verdict that any condition holds; stops at the first that holds.
    package func any(_ verdict: (Element) -> Verdict) -> Verdict { !all { !verdict($0) } }
}

extension ValueCondition {
    /// The verdict on a value; nil: there is no value.
    package func verdict(on value: [UInt8]?, within budget: WorkBudget? = nil) -> Verdict {
        switch self {
        case .text(let pattern): Verdict(value.map(pattern.matches) ?? false)
        case .matches(let expression): value.map { expression.verdict(on: $0, within: budget) } ?? .fails
        case .absent: Verdict(value == nil)
        case .not(let condition): !condition.verdict(on: value, within: budget)
        case .anyOf(let conditions): conditions.any { $0.verdict(on: value, within: budget) }
        }
    }

    /// The verdict on a name with several values: texts and expressions hold for at least one of them, `not` for none.
    package func verdict(onAnyOf values: [[UInt8]], within budget: WorkBudget? = nil) -> Verdict {
        switch self {
        case .text(let pattern): Verdict(values.contains(where: pattern.matches))
        case .matches(let expression): values.any { expression.verdict(on: $0, within: budget) }
        case .absent: Verdict(values.isEmpty)
        case .not(let condition): !condition.verdict(onAnyOf: values, within: budget)
        case .anyOf(let conditions): conditions.any { $0.verdict(onAnyOf: values, within: budget) }
        }
    }

    /// Whether the condition certainly holds; nil: there is no value.
    package func holds(for value: [UInt8]?, within budget: WorkBudget? = nil) -> Bool {
        verdict(on: value, within: budget) == .holds
    }

    /// The captures of a text and the named groups of an expression; empty when the value does not match.
    package func match(_ value: Span<UInt8>, within budget: WorkBudget? = nil) -> Captures? {
        switch self {
        case .text(let pattern): return pattern.match(value)
        case .matches(let expression): return expression.captures(in: value, within: budget)
        case .absent: return nil
        case .not, .anyOf:
            var bytes: [UInt8] = []
            bytes.reserveCapacity(value.count)
            for index in value.indices { bytes.append(value[index]) }
            return holds(for: bytes, within: budget) ? Captures() : nil
        }
    }

    /// Whether a match may have captures.
    package var captures: Bool {
        switch self {
        case .text(let pattern): pattern.exactBytes == nil
        case .matches(let expression): !expression.groupNames.isEmpty
        case .absent, .not, .anyOf: false
        }
    }

    /// Whether any part is more than plain text, so that the condition may hold without a value, or be undecided.
    package var isMoreThanText: Bool {
        if case .text = self { false } else { true }
    }

    /// The bytes that are the only match; nil when other bytes match too.
    package var exactBytes: [UInt8]? {
        guard case .text(let pattern) = self else { return nil }
        return pattern.exactBytes
    }

    /// The bound that a regular expression reached on one of the values; nil when none did.
    package func bound(on values: [[UInt8]], within budget: WorkBudget? = nil) -> String? {
        switch self {
        case .text, .absent: return nil
        case .matches(let expression):
            for value in values {
                if case .gaveUp(let bound) = expression.match(value.span, within: budget) { return bound }
            }
            return nil
        case .not(let condition): return condition.bound(on: values, within: budget)
        case .anyOf(let conditions): return conditions.lazy.compactMap { $0.bound(on: values, within: budget) }.first
        }
    }
}

extension RegularExpression {
    package func verdict(on value: [UInt8], within budget: WorkBudget? = nil) -> Verdict {
        switch match(value.span, within: budget) {
        case .matched: .holds
        case .unmatched: .fails
        case .gaveUp: .undecided
        }
    }

    /// The captures; nil when the value does not match.
    ///
    /// A group that did not take part in the match captures empty text.
    package func captures(in value: Span<UInt8>, within budget: WorkBudget? = nil) -> Captures? {
        guard case .matched(let ranges) = match(value, within: budget) else { return nil }
        var captures = Captures()
        for (name, range) in zip(groupNames, ranges) {
            var bytes: [UInt8] = []
            for index in range ?? 0..<0 { bytes.append(value[index]) }
            captures.append(name, bytes)
        }
        return captures
    }
}

extension ValueCondition {
    /// Whether this condition holds for every value for which `other` holds; false when unknown.
    package func covers(_ other: ValueCondition, within budget: WorkBudget? = nil) -> Bool {
        switch (self, other) {
        case (.text(let wide), .text(let narrow)): return wide.covers(narrow, within: budget)
        case (.anyOf(let wide), .anyOf(let narrow)):
            return narrow.allSatisfy { one in wide.contains { $0.covers(one, within: budget) } }
        case (.anyOf(let wide), _): return wide.contains { $0.covers(other, within: budget) }
        case (_, .anyOf(let narrow)): return narrow.allSatisfy { covers($0, within: budget) }
        case (.not(let wide), .not(let narrow)): return narrow.covers(wide, within: budget)
        case (.matches(let expression), .text(let narrow)):
            return narrow.exactBytes.map { expression.verdict(on: $0, within: budget) == .holds } ?? false
        default: return self == other
        }
    }

    /// Whether one condition requires a value and the other requires that there is none; false when unknown.
    package func contradicts(_ other: ValueCondition) -> Bool {
        (self == .absent && other.needsValue) || (needsValue && other == .absent)
    }

    /// Whether the condition never holds without a value.
    package var needsValue: Bool {
        switch self {
        case .text, .matches: true
        case .absent: false
        case .not(let condition): condition == .absent
        case .anyOf(let conditions): conditions.allSatisfy(\.needsValue)
        }
    }

    /// The condition as the fixture has it: `"a*"`, `{ matches: "[0-9]+" }`, `null`.
    package var wanted: String {
        switch self {
        case .text(let pattern): QuotedText.quote(pattern.text)
        case .matches(let expression): "{ matches: \(QuotedText.quote(EscapedText.escape(expression.pattern.utf8))) }"
        case .absent: "null"
        case .not(let condition): "{ not: \(condition.wanted) }"
        case .anyOf(let conditions): "{ any of: [\(conditions.map(\.wanted).joined(separator: ", "))] }"
        }
    }
}

extension BytePattern {
    /// The text as the fixture has it, with escapes for bytes that are not printable.
    package var text: String {
        parts.map { part in
            switch part {
            case .literal(let bytes): EscapedText.escape(bytes)
            case .capture(let name): "{\(name)}"
            case .wildcard: "*"
            }
        }.joined()
    }
}
