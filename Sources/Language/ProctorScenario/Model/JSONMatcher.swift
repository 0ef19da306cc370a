package import ProctorBase
internal import ProctorRegex

/// Compares one JSON document with patterns, up to a bound on comparisons.
///
/// A `contains` compares its pattern with every value of the document. So a pattern costs at most the number of its
/// values times that of the document; a `contains` inside another one multiplies that, up to the bound.
package struct JSONMatcher {
    package let document: JSONDocument
    var comparisonCount = 0 {
        didSet { if comparisonCount - countedComparisons >= Self.countInterval { countComparisons() } }
    }
    /// The comparisons that were already subtracted from the budget.
    private var countedComparisons = 0
    private var isSpent = false
    package let budget: WorkBudget?

    /// The bound, which takes about 100 ms on a usual processor.
    package static let comparisonBound = 5_000_000
    private static let countInterval = 256

    /// Each comparison is a step of the budget.
    package init(_ document: JSONDocument, within budget: WorkBudget? = nil) {
        (self.document, self.budget) = (document, budget)
        isSpent = budget?.isSpent ?? false
    }

    private mutating func countComparisons() {
        guard let budget else { return }
        isSpent = (try? budget.spend(comparisonCount - countedComparisons)) == nil
        countedComparisons = comparisonCount
    }

    /// The verdict on the whole document; undecided when a bound was reached.
    package mutating func verdict(_ pattern: JSONPattern) -> Verdict { verdict(pattern, on: 0, isPart: false) }

    package var isExhausted: Bool { isSpent || comparisonCount >= Self.comparisonBound }

    /// `index` is nil when a pointer leads to no value.
    mutating func verdict(_ pattern: JSONPattern, on index: Int?, isPart: Bool) -> Verdict {
        comparisonCount += index.map { document.stepCount(of: $0) } ?? 1
        guard !isExhausted else { return .undecided }
        switch pattern {
        case .not(let inner): return !verdict(inner, on: index, isPart: isPart)
        case .anyOf(let patterns): return patterns.any { verdict($0, on: index, isPart: isPart) }
        default: break
        }
        guard let index else { return .fails }
        let value = document.values[index]
        let kind = value.type
        switch pattern {
        case .null: return Verdict(kind == .null)
        case .boolean(let flag): return Verdict(kind == .boolean(flag))
        case .number(let number, _): return Verdict(kind == .number(.zero) && value.kind == .number(number))
        case .text(let bytes): return Verdict(value.isText(bytes))
        case .any(let wanted): return Verdict(wanted.holds(for: kind))
        case .matches(let expression):
            guard case .text(let bytes) = value.kind else { return .fails }
            return expression.verdict(on: bytes, within: budget)
        case .object(let members):
            guard kind == .object else { return .fails }
            return memberVerdict(members, on: index, isPart: isPart)
        case .list(let patterns):
            guard kind == .list else { return .fails }
            return isPart ? inOrder(patterns, index) : equal(patterns, index)
        case .unordered(let patterns):
            guard kind == .list else { return .fails }
            return inAnyOrder(patterns, index, isPart: isPart)
        case .contains(let part): return contains(part, index)
        case .at(let places):
            return places.all { place in
                verdict(place.value, on: document.index(at: place.pointer, from: index), isPart: false)
            }
        case .not, .anyOf: return .fails
        }
    }

    private mutating func memberVerdict(_ members: [JSONPattern.Member], on index: Int, isPart: Bool) -> Verdict {
        let byName = self.members(of: index)
        if !isPart, byName.count != members.count { return .fails }
        return members.all { member in
            guard let value = byName[member.name] else {
                // For a missing member only `not` can hold, which means that the member must be absent.
                return isPart ? verdict(member.value, on: nil, isPart: true) : .fails
            }
            return verdict(member.value, on: value, isPart: isPart)
        }
    }

    /// The members of an object by name.
    package mutating func members(of index: Int) -> [[UInt8]: Int] {
        var members: [[UInt8]: Int] = [:]
        for child in document.children(of: index) {
            comparisonCount += document.stepCount(of: child)
            members[document.values[child].name ?? []] = child
        }
        return members
    }

    private mutating func equal(_ patterns: [JSONPattern], _ index: Int) -> Verdict {
        var all = Verdict.holds
        var rest = patterns[...]
        for child in document.children(of: index) {
            guard let pattern = rest.popFirst() else { return .fails }
            switch verdict(pattern, on: child, isPart: false) {
            case .holds: continue
            case .fails: return .fails
            case .undecided: all = .undecided
            }
        }
        return rest.isEmpty ? all : .fails
    }

    /// Choosing the first element that matches leaves the most elements for the other patterns.
    private mutating func inOrder(_ patterns: [JSONPattern], _ index: Int) -> Verdict {
        var rest = patterns[...]
        var isUncertain = false
        for child in document.children(of: index) {
            guard let pattern = rest.first else { break }
            switch verdict(pattern, on: child, isPart: true) {
            case .holds: rest.removeFirst()
            case .fails: continue
            case .undecided: isUncertain = true
            }
            if isExhausted { break }
        }
        if rest.isEmpty { return .holds }
        return isUncertain ? .undecided : .fails
    }

    private mutating func inAnyOrder(_ patterns: [JSONPattern], _ index: Int, isPart: Bool) -> Verdict {
        let children = Array(document.children(of: index))
        guard isPart ? children.count >= patterns.count : children.count == patterns.count else { return .fails }
        if let values = JSONPattern.values(of: patterns) {
            return Verdict(unpaired(values, children).missing == nil)
        }
        guard let (fits, isUncertain) = fits(patterns, children, isPart: isPart) else { return .undecided }
        var pairing = Pairing(fits: fits, secondCount: children.count)
        for first in patterns.indices where !pairing.pair(first: first) { return isUncertain ? .undecided : .fails }
        return .holds
    }

    /// Which pattern matches which element; nil when the bound was reached.
    mutating func fits(_ patterns: [JSONPattern], _ children: [Int], isPart: Bool) -> (
        fits: [[Bool]], isUncertain: Bool
    )? {
        // The pairing may look at each pair once for each pattern.
        let (count, overflow) = patterns.count.multipliedReportingOverflow(by: patterns.count)
        let (cost, isTooMuch) = count.multipliedReportingOverflow(by: children.count)
        guard !overflow, !isTooMuch, cost / 64 < Self.comparisonBound - comparisonCount else {
            isSpent = true
            return nil
        }
        comparisonCount += cost / 64
        var isUncertain = false
        var fits: [[Bool]] = []
        for pattern in patterns {
            var row: [Bool] = []
            for child in children {
                let verdict = verdict(pattern, on: child, isPart: isPart)
                if verdict == .undecided { isUncertain = true }
                row.append(verdict == .holds)
                if isExhausted { return nil }
            }
            fits.append(row)
        }
        return (fits, isUncertain)
    }

    private mutating func contains(_ part: JSONPattern, _ index: Int) -> Verdict {
        var isUncertain = false
        var next = index
        let end = document.values[index].end
        while next < end {
            // The value of a member that a later one of the same name replaces is skipped.
            if document.values[next].isShadowed {
                next = document.values[next].end
                continue
            }
            switch verdict(part, on: next, isPart: true) {
            case .holds: return .holds
            case .fails: next += 1
            case .undecided:
                isUncertain = true
                next += 1
            }
            if isExhausted { return .undecided }
        }
        return isUncertain ? .undecided : .fails
    }
}

extension JSONPattern.Kind {
    package func holds(for kind: JSONDocument.Kind) -> Bool {
        switch (self, kind) {
        case (.value, _), (.number, .number), (.string, .text), (.boolean, .boolean), (.array, .list),
            (.object, .object):
            true
        default: false
        }
    }
}
