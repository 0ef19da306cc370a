internal import ProctorBase

/// Bytes with holes: `*` matches any bytes, `{name}` one or more bytes without `/` and `?`.
package struct BytePattern: Sendable, Equatable {
    /// The parts in order; no two literals are adjacent.
    package let parts: [Part]

    /// Literal bytes, or a hole.
    package enum Part: Sendable, Equatable {
        case literal([UInt8])
        case capture(String)
        case wildcard
    }

    package init(parts: [Part]) {
        self.parts = parts
    }

    package init(exactly bytes: [UInt8]) {
        parts = bytes.isEmpty ? [] : [.literal(bytes)]
    }

    package var exactBytes: [UInt8]? {
        switch parts.count {
        case 0: return []
        case 1:
            guard case .literal(let bytes) = parts[0] else { return nil }
            return bytes
        default: return nil
        }
    }
}

/// The bytes that the holes of a pattern matched, by name.
package struct Captures: Sendable, Equatable {
    private var values: [(name: String, bytes: [UInt8])] = []

    package init() {}

    /// The bytes of a name; nil for a name that is not in the pattern.
    package subscript(name: String) -> [UInt8]? {
        values.first { $0.name == name }?.bytes
    }

    package var names: [String] { values.map(\.name) }

    /// Adds the captures of another pattern for the same request.
    package mutating func merge(_ other: Captures) {
        values += other.values
    }

    package mutating func append(_ name: String, _ bytes: [UInt8]) {
        values.append((name, bytes))
    }

    /// Compares names, bytes and order.
    package static func == (left: Captures, right: Captures) -> Bool {
        left.values.elementsEqual(right.values) { $0.name == $1.name && $0.bytes == $1.bytes }
    }
}

extension BytePattern {
    /// The captures when all of `bytes` matches, else nil.
    ///
    /// Each hole takes as few bytes as possible, the first one first. The time is bounded by parts times bytes.
    package func match(_ bytes: Span<UInt8>) -> Captures? {
        switch ends(of: bytes) {
        case .none: nil
        case .whole: Captures()
        case .hole(let part, let range): captures(of: parts[part], bytes, in: range)
        case .holes(let parts, let range): matchHoles(self.parts[parts], bytes, in: range)
        }
    }

    /// Whether all of `bytes` matches.
    package func matches(_ bytes: Span<UInt8>) -> Bool {
        switch ends(of: bytes) {
        case .none: false
        case .whole: true
        case .hole(let part, let range): parts[part].matches(bytes, in: range)
        case .holes(let parts, let range): matchHoles(self.parts[parts], bytes, in: range) != nil
        }
    }

    package func matches(_ bytes: [UInt8]) -> Bool { matches(bytes.span) }

    /// The part that remains after the literal ends of the pattern were compared.
    private enum Ends {
        /// The pattern does not match.
        case none
        case whole
        case hole(Int, Range<Int>)
        case holes(Range<Int>, Range<Int>)
    }

    private func ends(of bytes: Span<UInt8>) -> Ends {
        var start = 0
        var end = bytes.count
        var first = 0
        var last = parts.count
        // The literal ends are compared without a search, and most patterns have at most one hole.
        if case .literal(let prefix)? = parts.first {
            guard bytes.holds(prefix, at: 0) else { return .none }
            start = prefix.count
            first = 1
        }
        if first < last, case .literal(let suffix) = parts[last - 1] {
            guard end - start >= suffix.count, bytes.holds(suffix, at: end - suffix.count) else { return .none }
            end -= suffix.count
            last -= 1
        }
        switch last - first {
        case 0: return start == end ? .whole : .none
        case 1 where parts[first].isHole: return .hole(first, start..<end)
        default: return .holes(first..<last, start..<end)
        }
    }

    private func captures(of part: Part, _ bytes: Span<UInt8>, in range: Range<Int>) -> Captures? {
        guard part.matches(bytes, in: range) else { return nil }
        guard case .capture(let name) = part else { return Captures() }
        var captures = Captures()
        captures.append(name, bytes.copy(range))
        return captures
    }

    /// Works from the end: `reach[part][offset]` says whether the parts from `part` on match all bytes from `offset`
    /// on.
    private func matchHoles(_ parts: ArraySlice<Part>, _ bytes: Span<UInt8>, in range: Range<Int>) -> Captures? {
        let width = range.count + 1
        var reach = [Bool](repeating: false, count: (parts.count + 1) * width)
        reach[parts.count * width + range.count] = true
        for (row, part) in parts.enumerated().reversed() {
            let below = (row + 1) * width
            switch part {
            case .literal(let literal):
                guard literal.count <= range.count else { return nil }
                for offset in 0...(range.count - literal.count) where reach[below + offset + literal.count] {
                    reach[row * width + offset] = bytes.holds(literal, at: range.lowerBound + offset)
                }
            case .wildcard:
                var isReached = false
                for offset in (0...range.count).reversed() {
                    isReached = isReached || reach[below + offset]
                    reach[row * width + offset] = isReached
                }
            case .capture:
                // The hole takes at least one byte, and no byte that ends a segment.
                var isReached = false
                for offset in (0..<range.count).reversed() {
                    isReached =
                        (isReached || reach[below + offset + 1]) && Part.captures(bytes[range.lowerBound + offset])
                    reach[row * width + offset] = isReached
                }
            }
        }
        guard reach[0] else { return nil }
        var captures = Captures()
        var offset = 0
        for (row, part) in parts.enumerated() {
            let below = (row + 1) * width
            var next = offset
            switch part {
            case .literal(let literal): next += literal.count
            case .wildcard: while !reach[below + next] { next += 1 }
            case .capture(let name):
                repeat { next += 1 } while !reach[below + next]
                captures.append(name, bytes.copy(range.lowerBound + offset..<range.lowerBound + next))
            }
            offset = next
        }
        return captures
    }
}

extension BytePattern.Part {
    package static func captures(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") }

    /// Whether the part alone matches all bytes of the range.
    fileprivate func matches(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
        switch self {
        case .literal(let literal): return literal.count == range.count && bytes.holds(literal, at: range.lowerBound)
        case .wildcard: return true
        case .capture:
            for index in range where !Self.captures(bytes[index]) { return false }
            return !range.isEmpty
        }
    }
}

extension Span<UInt8> {
    fileprivate func holds(_ literal: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= literal.count else { return false }
        for index in 0..<literal.count where self[offset + index] != literal[index] { return false }
        return true
    }

    fileprivate func copy(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(self[index]) }
        return bytes
    }
}

extension BytePattern.Part {
    /// Whether the part is a hole.
    package var isHole: Bool {
        if case .literal = self { return false }
        return true
    }
}
