internal import ProctorBase
internal import ProctorRegex

/// The first difference between a JSON document and a pattern.
package struct JSONDifference: Sendable, Equatable {
    /// The JSON pointer (RFC 6901) to the difference; empty for the whole document.
    package let pointer: String
    /// The expected value as the fixture writes it, shortened when long.
    package let wanted: String
    /// The value in the document, shortened when long; `nothing` where there is no value.
    package let got: String

    /// `json /a/0: wanted 1, got "x"`.
    package var sentence: String {
        "json\(pointer.isEmpty ? "" : " " + EscapedText.escape(pointer.utf8)): wanted \(wanted), got \(got)"
    }
}

extension JSONMatcher {
    /// The first difference; nil when the pattern matches.
    package mutating func difference(_ pattern: JSONPattern) -> JSONDifference? {
        difference(pattern, at: 0, pointer: "", isPart: false)
    }

    mutating func difference(
        _ pattern: JSONPattern, at index: Int?, pointer: String, isPart: Bool
    ) -> JSONDifference? {
        let verdict = verdict(pattern, on: index, isPart: isPart)
        guard verdict != .holds else { return nil }
        if isExhausted { return gaveUp(pattern, pointer, "\(Self.comparisonBound) comparisons") }
        guard let index else { return here(pattern, nil, pointer) }
        switch (pattern, document.values[index].kind) {
        case (.object(let members), .object): return memberDifference(members, index, pointer, isPart: isPart)
        case (.list(let patterns), .list):
            return isPart ? outOfOrder(patterns, index, pointer) : unequal(patterns, index, pointer)
        case (.unordered(let patterns), .list): return unpaired(patterns, index, pointer, isPart: isPart)
        case (.contains(let part), _): return absent(part, index, pointer)
        case (.at(let places), _):
            for place in places {
                let target = document.index(at: place.pointer, from: index)
                let inner = difference(place.value, at: target, pointer: pointer + place.pointer.text, isPart: false)
                if let inner { return inner }
            }
            return nil
        case (.matches(let expression), .text(let bytes)):
            guard case .gaveUp(let bound) = expression.match(bytes.span, within: budget) else {
                return here(pattern, index, pointer)
            }
            return gaveUp(pattern, pointer, bound)
        default: return here(pattern, index, pointer)
        }
    }

    func here(_ pattern: JSONPattern, _ index: Int?, _ pointer: String) -> JSONDifference {
        JSONDifference(
            pointer: pointer, wanted: Self.cut(pattern.wanted), got: index.map(excerpt) ?? "nothing")
    }

    private func gaveUp(_ pattern: JSONPattern, _ pointer: String, _ bound: String) -> JSONDifference {
        JSONDifference(
            pointer: pointer, wanted: Self.cut(pattern.wanted), got: "no answer, since the search ends after \(bound)")
    }

    func excerpt(_ index: Int) -> String { document.excerpt(index, limit: Self.excerptByteCount) }

    private static let excerptByteCount = 60

    private static func cut(_ text: String) -> String {
        text.utf8.count > 120 ? text.prefix(119) + "…" : text
    }

    // MARK: Inside

    private mutating func memberDifference(
        _ members: [JSONPattern.Member], _ index: Int, _ pointer: String, isPart: Bool
    ) -> JSONDifference? {
        let byName = self.members(of: index)
        for member in members {
            let inner = difference(
                member.value, at: byName[member.name], pointer: pointer + Self.token(member.name), isPart: isPart)
            if let inner { return inner }
            if !isPart, byName[member.name] == nil { return here(member.value, nil, pointer + Self.token(member.name)) }
        }
        let wanted = Set(members.map(\.name))
        for child in document.children(of: index) {
            guard let name = document.values[child].name, !wanted.contains(name) else { continue }
            return JSONDifference(
                pointer: pointer + Self.token(name), wanted: "nothing", got: excerpt(child))
        }
        return nil
    }

    static func token(_ name: [UInt8]) -> String {
        JSONPointer(tokens: [String(decoding: name, as: UTF8.self)]).text
    }

    private mutating func unequal(_ patterns: [JSONPattern], _ index: Int, _ pointer: String) -> JSONDifference? {
        let children = Array(document.children(of: index))
        for (position, pattern) in patterns.enumerated() {
            let child = children.indices.contains(position) ? children[position] : nil
            let inner = difference(pattern, at: child, pointer: pointer + "/\(position)", isPart: false)
            if let inner { return inner }
            if child == nil { return here(pattern, nil, pointer + "/\(position)") }
        }
        guard children.count > patterns.count else { return nil }
        return JSONDifference(
            pointer: pointer + "/\(patterns.count)", wanted: "nothing", got: excerpt(children[patterns.count]))
    }

    /// The first wanted element that is not in the list after the elements wanted before it.
    private mutating func outOfOrder(_ patterns: [JSONPattern], _ index: Int, _ pointer: String) -> JSONDifference? {
        var rest = patterns[...]
        for child in document.children(of: index) {
            guard let pattern = rest.first else { return nil }
            if verdict(pattern, on: child, isPart: true) == .holds { rest.removeFirst() }
        }
        guard let missing = rest.first else { return nil }
        let before = patterns.count - rest.count
        return JSONDifference(
            pointer: pointer,
            wanted: Self.cut(
                "the element \(missing.wanted)" + (before == 0 ? "" : " behind \(Plural.count(before, "other"))")),
            got: excerpt(index))
    }

    /// The first wanted element without a partner in the list.
    private mutating func unpaired(
        _ patterns: [JSONPattern], _ index: Int, _ pointer: String, isPart: Bool
    ) -> JSONDifference? {
        let children = Array(document.children(of: index))
        let (missing, left): (Int?, Int?)
        if let values = JSONPattern.values(of: patterns) {
            (missing, left) = unpaired(values, children)
        } else if let (fits, _) = fits(patterns, children, isPart: isPart) {
            var pairing = Pairing(fits: fits, secondCount: children.count)
            missing = patterns.indices.first { !pairing.pair(first: $0) }
            left = children.indices.first { pairing.firstOfSecond[$0] == nil }
        } else {
            return gaveUp(.unordered(patterns), pointer, "\(Self.comparisonBound) comparisons")
        }
        if let missing {
            let element = "the element \(patterns[missing].wanted), in any order"
            return JSONDifference(pointer: pointer, wanted: Self.cut(element), got: excerpt(index))
        }
        return left.map { left in
            JSONDifference(pointer: pointer + "/\(left)", wanted: "nothing", got: excerpt(children[left]))
        }
    }

    /// The first value that the list has less often than it is wanted, and the first element that has it more often.
    mutating func unpaired(
        _ values: [JSONDocument.Kind], _ children: [Int]
    ) -> (missing: Int?, left: Int?) {
        comparisonCount += values.count + children.count
        let kinds = children.map { document.values[$0].kind }
        return (values.firstBeyond(kinds), kinds.firstBeyond(values))
    }

    /// The difference to the value most similar to the part; for an object, the value with the most names in common.
    private mutating func absent(_ part: JSONPattern, _ index: Int, _ pointer: String) -> JSONDifference? {
        guard let nearest = nearest(to: part, in: index) else { return here(.contains(part), index, pointer) }
        let path = pointer + self.pointer(to: nearest, from: index)
        guard let inner = difference(part, at: nearest, pointer: path, isPart: true) else { return nil }
        return JSONDifference(
            pointer: pointer, wanted: Self.cut(JSONPattern.contains(part).wanted),
            got: "none; nearest at \(path.isEmpty ? "the top" : EscapedText.escape(path.utf8)), where "
                + "\(inner.pointer.isEmpty ? "the top" : EscapedText.escape(inner.pointer.utf8)) wants \(inner.wanted) "
                + "and is \(inner.got)")
    }

    mutating func nearest(to part: JSONPattern, in index: Int) -> Int? {
        switch part {
        case .object(let members):
            var best: (index: Int, count: Int)?
            var next = index
            while next < document.values[index].end, !isExhausted {
                if document.values[next].isShadowed {
                    next = document.values[next].end
                    continue
                }
                comparisonCount += 1
                if document.values[next].type == .object {
                    let byName = self.members(of: next)
                    let count = members.count { member in
                        comparisonCount += 1
                        return byName[member.name] != nil
                    }
                    if count > best?.count ?? 0 { best = (next, count) }
                }
                next += 1
            }
            return best?.index
        case .list, .unordered:
            var next = index
            while next < document.values[index].end {
                if document.values[next].isShadowed {
                    next = document.values[next].end
                } else if document.values[next].type == .list {
                    return next
                } else {
                    next += 1
                }
            }
            return nil
        default: return nil
        }
    }

    /// The pointer from a value to a value inside it.
    private func pointer(to target: Int, from start: Int) -> String {
        var pointer = ""
        var index = start
        while index != target {
            var inside: (position: Int, index: Int)?
            for (position, child) in document.children(of: index).enumerated()
            where child <= target && target < document.values[child].end {
                inside = (position, child)
            }
            guard let inside else { return pointer }
            pointer += document.values[inside.index].name.map(Self.token) ?? "/\(inside.position)"
            index = inside.index
        }
        return pointer
    }
}

extension [JSONDocument.Kind] {
    /// The position of the first value that `others` has no equal left for.
    fileprivate func firstBeyond(_ others: Self) -> Int? {
        var rest = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
        return firstIndex { value in
            guard let count = rest[value], count > 0 else { return true }
            rest[value] = count - 1
            return false
        }
    }
}
