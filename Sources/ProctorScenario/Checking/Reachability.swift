import ProctorBase
import ProctorDocument
import ProctorRegex

/// Finds exchanges that no request can reach.
struct Reachability {
    let sequence: Scenario.Sequence
    let exchanges: [Exchange]

    /// One for each exchange all of whose requests an earlier one takes.
    func diagnostics() -> [Diagnostic] {
        // In a strict sequence the earlier exchange is used up before.
        guard sequence == .free else { return [] }
        // Only an exchange without a limit and without a state takes all requests.
        let takers = exchanges.filter { $0.times == nil && $0.when.isEmpty }
        return exchanges.compactMap { exchange in
            let taker = takers.first { taker in
                taker.index < exchange.index && taker.origin == exchange.origin
                    && taker.request.covers(exchange.request)
            }
            guard let taker else { return nil }
            return Diagnostic(
                location: exchange.location,
                sentence: "\(quoted(exchange.request.text)) can never match: \(quoted(taker.request.text)) at line "
                    + "\(taker.location.line) takes every such request",
                hint: "put it before, or give the other one times:")
        }
    }
}

extension RequestPattern {
    /// Whether every request that `other` matches is matched here too; false when unknown.
    func covers(_ other: RequestPattern) -> Bool {
        // What a script takes is not known here.
        guard script == nil, protocolName == other.protocolName else { return false }
        if let methods {
            guard let narrower = other.methods, narrower.allSatisfy(methods.contains) else { return false }
        }
        if let expression {
            guard expression.takes(other, without: query == nil) else { return false }
        }
        guard coversTarget(of: other) else { return false }
        if let more {
            guard let others = other.more, more.covers(others) else { return false }
        }
        for condition in headers {
            let isImplied = other.headers.contains { candidate in
                guard candidate.name.lowercased() == condition.name.lowercased() else { return false }
                return condition.value.covers(candidate.value)
            }
            guard isImplied else { return false }
        }
        guard let body else { return true }
        return other.body.map { body.isSurelySame(as: $0) } ?? false
    }

    private func coversTarget(of other: RequestPattern) -> Bool {
        switch (query, other.query) {
        case (nil, nil): return target.covers(other.target)
        case (nil, let items?):
            // The other's query may come in any order, so only a pattern without a query condition covers it.
            if items.isEmpty { return target.covers(other.target) }
            return target.covers(BytePattern(parts: other.target.parts + [.literal([0x3F]), .wildcard]))
        case (.some, nil): return false
        case (let wide?, let narrow?):
            guard wide.count == narrow.count, target.covers(other.target) else { return false }
            return zip(wide, narrow).allSatisfy { $0.name == $1.name && $0.value.covers($1.value) }
        }
    }
}

extension RegularExpression {
    /// Whether it takes the target of every request for the pattern, or its path; false when unknown.
    fileprivate func takes(_ other: RequestPattern, without isWhole: Bool) -> Bool {
        guard isWhole == (other.query == nil) else { return false }
        if let expression = other.expression { return self == expression }
        return other.target.exactBytes.map { verdict(on: $0) == .holds } ?? false
    }
}

extension MoreConditions {
    /// Whether all of these hold where the others do; false when unknown.
    fileprivate func covers(_ other: MoreConditions) -> Bool {
        // The text of equal conditions is equal.
        guard not.isEmpty || not.map(\.text) == other.not.map(\.text),
            anyOf.isEmpty || anyOf.map(\.text) == other.anyOf.map(\.text)
        else { return false }
        if let security, security != other.security { return false }
        return [(captures, other.captures), (cookies, other.cookies)].allSatisfy { mine, theirs in
            mine.allSatisfy { one in theirs.contains { $0.name == one.name && one.value.covers($0.value) } }
        }
    }
}

extension BodyPattern {
    /// Whether all content for the other is content for this; false when unknown.
    fileprivate func isSurelySame(as other: BodyPattern) -> Bool {
        switch (self, other) {
        case (.exact(let mine), .exact(let theirs)): mine.isSurelySame(as: theirs)
        case (.form(let mine), .form(let theirs)): mine == theirs
        case (.matches(let mine), .matches(let theirs)): mine == theirs
        case (.contains(let mine), .contains(let theirs)): theirs.firstRange(ofBytes: mine) != nil
        case (.contains(let mine), .exact(let theirs)):
            theirs.literalBytes.map { $0.firstRange(ofBytes: mine) != nil } ?? false
        case (.matches(let mine), .exact(let theirs)):
            theirs.literalBytes.map { mine.verdict(on: $0) == .holds } ?? false
        case (.json(let mine), .json(let theirs)): mine == theirs
        case (.parts(let mine), .parts(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isSurelySame(as: $1) }
        default: false
        }
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
    /// Whether everything that `other` matches is matched here.
    ///
    /// Compares the other's bytes and holes as symbols, so it may say false for a covered pattern, but never true for
    /// another.
    func covers(_ other: BytePattern) -> Bool {
        let symbols = other.parts.flatMap { part -> [Symbol] in
            switch part {
            case .literal(let bytes): bytes.map { .byte($0) }
            case .capture: [.segment]
            case .wildcard: [.anything]
            }
        }
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
