import ProctorBase
import ProctorDocument

/// Finds exchanges that no request can reach.
struct Reachability {
    let sequence: Scenario.Sequence
    let exchanges: [Exchange]

    /// One for each exchange all of whose requests an earlier one takes.
    func diagnostics() -> [Diagnostic] {
        // In a strict sequence the earlier exchange is used up before.
        guard sequence == .free else { return [] }
        // Only an exchange without a limit takes all requests.
        let takers = exchanges.filter { $0.times == nil }
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
        if let methods {
            guard let narrower = other.methods, narrower.allSatisfy(methods.contains) else { return false }
        }
        guard coversTarget(of: other) else { return false }
        for condition in headers {
            let isImplied = other.headers.contains { candidate in
                guard candidate.name.lowercased() == condition.name.lowercased() else { return false }
                guard let wide = condition.value, let narrow = candidate.value else {
                    return condition.value == nil && candidate.value == nil
                }
                return wide.covers(narrow)
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

extension BodyPattern {
    /// Whether both are the same content; false when unknown.
    fileprivate func isSurelySame(as other: BodyPattern) -> Bool {
        switch (self, other) {
        case (.exact(let mine), .exact(let theirs)): mine.isSurelySame(as: theirs)
        case (.form(let mine), .form(let theirs)): mine == theirs
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
