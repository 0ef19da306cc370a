import ProctorBase
package import ProctorDocument
import ProctorRegex

/// Finds exchanges that no request can reach.
package struct Reachability {
    package let sequence: Scenario.Sequence
    package let exchanges: [Exchange]

    package init(sequence: Scenario.Sequence, exchanges: [Exchange]) {
        (self.sequence, self.exchanges) = (sequence, exchanges)
    }

    /// The most steps of the search: pairs of exchanges, bytes of their targets and steps of expressions.
    ///
    /// After that, a file is not checked further.
    package static let stepLimit = 10_000_000

    /// One error for each exchange whose requests all match an earlier exchange.
    package func diagnostics() -> [Diagnostic] {
        // In a strict sequence, the earlier exchange has been used before.
        guard sequence == .free else { return [] }
        let budget = WorkBudget(stepLimit: Self.stepLimit)
        var takers = Takers()
        return exchanges.compactMap { exchange in
            // Only an exchange without a limit and without a state condition answers every matching request.
            defer { if exchange.times == nil, exchange.when.isEmpty { takers.add(exchange) } }
            let covering = takers.candidates(for: exchange).compactMap { candidates in
                candidates.first { taker in
                    guard taker.origin == exchange.origin,
                        (try? budget.spend(1 + exchange.request.target.parts.count)) != nil
                    else { return false }
                    return taker.request.covers(exchange.request, within: budget) && !budget.isSpent
                }
            }
            let taker = covering.min { $0.index < $1.index }
            guard let taker else { return nil }
            return Diagnostic(
                location: exchange.location,
                sentence: "\(quoted(exchange.request.text)) can never match: \(quoted(taker.request.text)) at line "
                    + "\(taker.location.line) takes every such request",
                hint: "put it before, or give the other one times:")
        }
    }
}

/// Exchanges that may cover others, by the literal bytes at the beginning of their targets, so that few pairs are
/// compared.
private struct Takers {
    /// Exchanges with a literal target, which cover only the same target.
    private var exact: [[UInt8]: [Exchange]] = [:]
    /// Exchanges whose targets have holes after literal bytes; a covered target begins with the same bytes.
    private var beginning: [[UInt8]: [Exchange]] = [:]
    private var beginningCounts: Set<Int> = []
    /// All other exchanges.
    private var open: [Exchange] = []

    mutating func add(_ exchange: Exchange) {
        let pattern = exchange.request
        if pattern.expression == nil, let target = pattern.target.exactBytes {
            exact[target, default: []].append(exchange)
        } else if pattern.expression == nil, case .literal(let start)? = pattern.target.parts.first {
            beginning[start, default: []].append(exchange)
            beginningCounts.insert(start.count)
        } else {
            open.append(exchange)
        }
    }

    /// Lists of all exchanges that may cover this one, each in the order of the file.
    func candidates(for exchange: Exchange) -> [[Exchange]] {
        let target = exchange.request.target
        var lists = [open]
        if let same = target.exactBytes.flatMap({ exact[$0] }) { lists.append(same) }
        guard case .literal(let start)? = target.parts.first else { return lists }
        for count in beginningCounts where count <= start.count {
            if let list = beginning[Array(start.prefix(count))] { lists.append(list) }
        }
        return lists
    }
}

extension RequestPattern {
    /// Whether this pattern matches every request that `other` matches; false when unknown.
    func covers(_ other: RequestPattern, within budget: WorkBudget) -> Bool {
        // Which requests a script accepts is unknown.
        guard script == nil, protocolName == other.protocolName else { return false }
        if let methods {
            guard let narrower = other.methods, narrower.allSatisfy(methods.contains) else { return false }
        }
        if let expression {
            guard expression.takes(other, without: query == nil, within: budget) else { return false }
        }
        guard coversTarget(of: other, within: budget) else { return false }
        if let more {
            guard let others = other.more, more.covers(others, within: budget) else { return false }
        }
        for condition in headers {
            let isImplied = other.headers.contains { candidate in
                guard candidate.name.lowercased() == condition.name.lowercased() else { return false }
                return condition.value.covers(candidate.value, within: budget)
            }
            guard isImplied else { return false }
        }
        guard let body else { return true }
        return other.body.map { body.isSurelySame(as: $0, within: budget) } ?? false
    }

    private func coversTarget(of other: RequestPattern, within budget: WorkBudget) -> Bool {
        switch (query, other.query) {
        case (nil, nil): return target.covers(other.target, within: budget)
        case (nil, let items?):
            // `other` allows its query items in any order, so only a pattern without conditions on the query covers it.
            if items.isEmpty { return target.covers(other.target, within: budget) }
            return target.covers(
                BytePattern(parts: other.target.parts + [.literal([0x3F]), .wildcard]), within: budget)
        case (.some, nil): return false
        case (let wide?, let narrow?):
            guard wide.count == narrow.count, target.covers(other.target, within: budget) else { return false }
            return zip(wide, narrow).allSatisfy {
                $0.name == $1.name && $0.isRaw == $1.isRaw && $0.value.covers($1.value, within: budget)
            }
        }
    }
}

extension RegularExpression {
    /// Whether the expression matches the target, or the path, of every request that the pattern matches; false when
    /// unknown.
    fileprivate func takes(
        _ other: RequestPattern, without isWhole: Bool, within budget: WorkBudget
    ) -> Bool {
        guard isWhole == (other.query == nil) else { return false }
        if let expression = other.expression { return self == expression }
        return other.target.exactBytes.map { verdict(on: $0, within: budget) == .holds } ?? false
    }
}

extension MoreConditions {
    /// Whether these conditions hold for every request for which the others hold; false when unknown.
    fileprivate func covers(_ other: MoreConditions, within budget: WorkBudget) -> Bool {
        // The text of equal conditions is equal.
        guard not.isEmpty || not.map(\.text) == other.not.map(\.text),
            anyOf.isEmpty || anyOf.map(\.text) == other.anyOf.map(\.text)
        else { return false }
        if let security, security != other.security { return false }
        return [(captures, other.captures), (cookies, other.cookies)].allSatisfy { mine, theirs in
            mine.allSatisfy { one in
                theirs.contains { $0.name == one.name && one.value.covers($0.value, within: budget) }
            }
        }
    }
}

extension BodyPattern {
    /// Whether this pattern matches all content that the other matches; false when unknown.
    fileprivate func isSurelySame(as other: BodyPattern, within budget: WorkBudget) -> Bool {
        switch (self, other) {
        case (.exact(let mine), .exact(let theirs)): mine.isSurelySame(as: theirs)
        case (.form(let mine), .form(let theirs)): mine == theirs
        case (.matches(let mine), .matches(let theirs)): mine == theirs
        case (.contains(let mine), .contains(let theirs)): theirs.surelyContain(mine, within: budget)
        case (.contains(let mine), .exact(let theirs)):
            theirs.literalBytes.map { $0.surelyContain(mine, within: budget) } ?? false
        case (.matches(let mine), .exact(let theirs)):
            theirs.literalBytes.map { mine.verdict(on: $0, within: budget) == .holds } ?? false
        case (.json(let mine), .json(let theirs)): mine == theirs
        case (.parts(let mine), .parts(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isSurelySame(as: $1) }
        case (.coded(let mine), .coded(let theirs)): mine.isSurelySame(as: theirs, within: budget)
        default: false
        }
    }
}

extension [UInt8] {
    /// Whether these bytes contain the others; false when the budget is spent before that is known.
    ///
    /// Each byte is a step of the budget.
    fileprivate func surelyContain(_ bytes: [UInt8], within budget: WorkBudget) -> Bool {
        guard bytes.count <= count, (try? budget.spend(count)) != nil else { return false }
        return (try? contains(bytes: bytes, within: budget)) == true
    }
}

extension PartPattern {
    fileprivate func isSurelySame(as other: PartPattern) -> Bool {
        guard name == other.name, fileName == other.fileName, contentType == other.contentType else { return false }
        guard let body, let others = other.body else { return body == nil && other.body == nil }
        return body.isSurelySame(as: others)
    }
}

extension ByteSource {
    fileprivate func isSurelySame(as other: ByteSource) -> Bool {
        guard let bytes = literalBytes, let others = other.literalBytes else { return false }
        return bytes == others
    }
}

extension BytePattern {
    /// Whether this pattern matches everything that `other` matches.
    ///
    /// Compares the bytes and holes of `other` as symbols. So the result may be false for a covered pattern, but never
    /// true for a pattern that is not covered. A budget counts the compared symbols.
    func covers(_ other: BytePattern, within budget: WorkBudget? = nil) -> Bool {
        // Most pairs of patterns differ in their first bytes, and most patterns are one text.
        if case .literal(let mine)? = parts.first, case .literal(let theirs)? = other.parts.first {
            if parts.count == 1, other.parts.count == 1 { return mine == theirs }
            for index in 0..<min(mine.count, theirs.count) where mine[index] != theirs[index] { return false }
        }
        let symbols = other.parts.flatMap { part -> [Symbol] in
            switch part {
            case .literal(let bytes): bytes.map { .byte($0) }
            case .capture: [.segment]
            case .wildcard: [.anything]
            }
        }
        _ = try? budget?.spend(symbols.count * (parts.count + 1))
        var reach = [Bool](repeating: false, count: symbols.count + 1)
        reach[symbols.count] = true
        for part in parts.reversed() {
            var next = [Bool](repeating: false, count: symbols.count + 1)
            switch part {
            case .literal(let bytes):
                for offset in 0...symbols.count where offset + bytes.count <= symbols.count {
                    next[offset] =
                        reach[offset + bytes.count]
                        && zip(bytes, symbols[offset...]).allSatisfy { .byte($0) == $1 }
                }
            case .wildcard:
                var isReached = false
                for offset in (0...symbols.count).reversed() {
                    isReached = isReached || reach[offset]
                    next[offset] = isReached
                }
            case .capture:
                var isReached = false
                for offset in (0..<symbols.count).reversed() {
                    isReached = (isReached || reach[offset + 1]) && symbols[offset].isWithinSegment
                    next[offset] = isReached
                }
            }
            reach = next
        }
        return reach[0]
    }

    private enum Symbol: Equatable {
        case byte(UInt8)
        case segment
        case anything

        var isWithinSegment: Bool {
            switch self {
            case .byte(let byte): Part.captures(byte)
            case .segment: true
            case .anything: false
            }
        }
    }
}
