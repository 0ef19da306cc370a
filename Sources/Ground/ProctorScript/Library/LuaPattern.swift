/// Lua patterns (manual §6.4.1), matched with a bound on steps.
///
/// The search of Lua's own library has no bound, and a pattern of ten bytes can keep it busy for years.
@safe struct LuaPattern {
    private let subject: UnsafeRawBufferPointer
    private let pattern: UnsafeRawBufferPointer
    private let subjectCount: Int
    private let patternCount: Int
    /// The number of comparisons that are left; at 0 the search fails.
    private(set) var stepsLeft: Int
    private(set) var captures: [Capture] = []
    private var depth = 0

    struct Capture {
        var start: Int
        var length: Length

        enum Length: Equatable {
            case open
            case bytes(Int)
            /// `()`, which captures a position.
            case position
        }
    }

    enum Fault: Error {
        /// The pattern is invalid; the text is that of Lua's error.
        case malformed(String)
        case tooManySteps
    }

    private static let deepest = 200
    private static let mostCaptures = 32

    /// The memory must be valid as long as the value exists.
    init(_ pattern: UnsafeRawBufferPointer, in subject: UnsafeRawBufferPointer, steps: Int) {
        unsafe self.pattern = pattern
        unsafe self.subject = subject
        (patternCount, subjectCount) = (pattern.count, subject.count)
        stepsLeft = steps
    }

    /// The first match from an offset on; with `isAnchored` only a match at the offset.
    mutating func search(from offset: Int, isAnchored: Bool, patternStart: Int) throws(Fault) -> Range<Int>? {
        var start = offset
        while start <= subjectCount {
            captures = []
            depth = 0
            if let end = try match(start, patternStart) { return start..<end }
            if isAnchored { return nil }
            start += 1
        }
        return nil
    }

    /// The first occurrence of the pattern's bytes, without special characters.
    mutating func searchPlain(from offset: Int) throws(Fault) -> Range<Int>? {
        var start = offset
        while start + patternCount <= subjectCount {
            try step()
            var count = 0
            while count < patternCount, unsafe subject[start + count] == byte(count) { count += 1 }
            if count == patternCount { return start..<start + count }
            stepsLeft = max(0, stepsLeft - count)
            start += 1
        }
        return nil
    }

    private mutating func step() throws(Fault) {
        guard stepsLeft > 0 else { throw .tooManySteps }
        stepsLeft -= 1
    }

    private func byte(_ index: Int) -> UInt8 { unsafe pattern[index] }

    // MARK: Matching

    /// The end of a match of the rest of the pattern at an offset; nil if there is none.
    private mutating func match(_ start: Int, _ patternStart: Int) throws(Fault) -> Int? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw .malformed("pattern too complex") }
        var (at, item) = (start, patternStart)
        while item < patternCount {
            try step()
            switch byte(item) {
            case UInt8(ascii: "("):
                let isPosition = item + 1 < patternCount && byte(item + 1) == UInt8(ascii: ")")
                return try openCapture(at, item + (isPosition ? 2 : 1), isPosition ? .position : .open)
            case UInt8(ascii: ")"): return try closeCapture(at, item + 1)
            case UInt8(ascii: "$") where item + 1 == patternCount: return at == subjectCount ? at : nil
            case UInt8(ascii: "%") where item + 1 < patternCount && byte(item + 1) == UInt8(ascii: "b"):
                guard let end = try balanced(at, item + 2) else { return nil }
                (at, item) = (end, item + 4)
                continue
            case UInt8(ascii: "%") where item + 1 < patternCount && byte(item + 1) == UInt8(ascii: "f"):
                item += 2
                guard item < patternCount, byte(item) == UInt8(ascii: "[") else {
                    throw .malformed("missing '[' after '%f' in pattern")
                }
                let end = try classEnd(item)
                let before = at == 0 ? 0 : unsafe subject[at - 1]
                let here = at < subjectCount ? unsafe subject[at] : 0
                guard !isInSet(before, item, end - 1), isInSet(here, item, end - 1) else { return nil }
                item = end
                continue
            case UInt8(ascii: "%") where item + 1 < patternCount && Self.isDigit(byte(item + 1)):
                guard let end = try backReference(at, byte(item + 1)) else { return nil }
                (at, item) = (end, item + 2)
                continue
            default: break
            }
            let end = try classEnd(item)
            switch end < patternCount ? byte(end) : 0 {
            case UInt8(ascii: "?"):
                if isSingle(at, item, end), let matchEnd = try match(at + 1, end + 1) { return matchEnd }
                item = end + 1
            case UInt8(ascii: "+"): return isSingle(at, item, end) ? try most(at + 1, item, end) : nil
            case UInt8(ascii: "*"): return try most(at, item, end)
            case UInt8(ascii: "-"): return try least(at, item, end)
            default:
                guard isSingle(at, item, end) else { return nil }
                (at, item) = (at + 1, end)
            }
        }
        return at
    }

    private mutating func most(_ start: Int, _ item: Int, _ end: Int) throws(Fault) -> Int? {
        var count = 0
        while isSingle(start + count, item, end) {
            try step()
            count += 1
        }
        while count >= 0 {
            if let matchEnd = try match(start + count, end + 1) { return matchEnd }
            count -= 1
        }
        return nil
    }

    private mutating func least(_ start: Int, _ item: Int, _ end: Int) throws(Fault) -> Int? {
        var at = start
        while true {
            if let matchEnd = try match(at, end + 1) { return matchEnd }
            guard isSingle(at, item, end) else { return nil }
            at += 1
        }
    }

    private mutating func openCapture(
        _ at: Int, _ item: Int, _ length: Capture.Length
    ) throws(Fault) -> Int? {
        guard captures.count < Self.mostCaptures else { throw .malformed("too many captures") }
        captures.append(Capture(start: at, length: length))
        if let end = try match(at, item) { return end }
        captures.removeLast()
        return nil
    }

    private mutating func closeCapture(_ at: Int, _ item: Int) throws(Fault) -> Int? {
        guard let index = captures.lastIndex(where: { $0.length == .open }) else {
            throw .malformed("invalid pattern capture")
        }
        captures[index].length = .bytes(at - captures[index].start)
        if let end = try match(at, item) { return end }
        captures[index].length = .open
        return nil
    }

    private mutating func backReference(_ at: Int, _ digit: UInt8) throws(Fault) -> Int? {
        let index = Int(digit) - Int(UInt8(ascii: "1"))
        guard captures.indices.contains(index), case .bytes(let count) = captures[index].length else {
            throw .malformed("invalid capture index %\(index + 1)")
        }
        guard subjectCount - at >= count else { return nil }
        for offset in 0..<count {
            try step()
            guard unsafe subject[captures[index].start + offset] == subject[at + offset] else { return nil }
        }
        return at + count
    }

    private mutating func balanced(_ at: Int, _ item: Int) throws(Fault) -> Int? {
        guard item + 1 < patternCount else { throw .malformed("missing arguments to '%b'") }
        guard at < subjectCount, unsafe subject[at] == byte(item) else { return nil }
        var level = 1
        var index = at + 1
        while index < subjectCount {
            try step()
            let here = unsafe subject[index]
            if here == byte(item + 1) {
                level -= 1
                if level == 0 { return index + 1 }
            } else if here == byte(item) {
                level += 1
            }
            index += 1
        }
        return nil
    }

    // MARK: Classes

    /// The offset after the single character class that begins at `item`.
    private func classEnd(_ item: Int) throws(Fault) -> Int {
        var index = item + 1
        switch byte(item) {
        case UInt8(ascii: "%"):
            guard index < patternCount else { throw .malformed("malformed pattern (ends with '%')") }
            return index + 1
        case UInt8(ascii: "["):
            if index < patternCount, byte(index) == UInt8(ascii: "^") { index += 1 }
            repeat {
                guard index < patternCount else { throw .malformed("malformed pattern (missing ']')") }
                index += byte(index) == UInt8(ascii: "%") && index + 1 < patternCount ? 2 : 1
            } while index >= patternCount || byte(index) != UInt8(ascii: "]")
            return index + 1
        default: return index
        }
    }

    private func isSingle(_ at: Int, _ item: Int, _ end: Int) -> Bool {
        guard at < subjectCount else { return false }
        let here = unsafe subject[at]
        switch byte(item) {
        case UInt8(ascii: "."): return true
        case UInt8(ascii: "%"): return Self.isInClass(here, byte(item + 1))
        case UInt8(ascii: "["): return isInSet(here, item, end - 1)
        default: return byte(item) == here
        }
    }

    /// `closing` is the offset of the `]`.
    private func isInSet(_ here: UInt8, _ opening: Int, _ closing: Int) -> Bool {
        var index = opening + 1
        let isNegated = byte(index) == UInt8(ascii: "^")
        if isNegated { index += 1 }
        while index < closing {
            if byte(index) == UInt8(ascii: "%") {
                if Self.isInClass(here, byte(index + 1)) { return !isNegated }
                index += 2
            } else if index + 2 < closing, byte(index + 1) == UInt8(ascii: "-") {
                if byte(index) <= here, here <= byte(index + 2) { return !isNegated }
                index += 3
            } else {
                if byte(index) == here { return !isNegated }
                index += 1
            }
        }
        return isNegated
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// ASCII only, as in the C locale; an upper-case letter means the complement of the class.
    private static func isInClass(_ here: UInt8, _ letter: UInt8) -> Bool {
        let lower = here | 0x20
        let isLetter = 0x61...0x7A ~= lower
        let result: Bool
        switch letter | 0x20 {
        case UInt8(ascii: "a"): result = isLetter
        case UInt8(ascii: "c"): result = here < 0x20 || here == 0x7F
        case UInt8(ascii: "d"): result = isDigit(here)
        case UInt8(ascii: "g"): result = 0x21...0x7E ~= here
        case UInt8(ascii: "l"): result = 0x61...0x7A ~= here
        case UInt8(ascii: "p"): result = 0x21...0x7E ~= here && !isLetter && !isDigit(here)
        case UInt8(ascii: "s"): result = here == 0x20 || 0x09...0x0D ~= here
        case UInt8(ascii: "u"): result = 0x41...0x5A ~= here
        case UInt8(ascii: "w"): result = isLetter || isDigit(here)
        case UInt8(ascii: "x"): result = isDigit(here) || 0x61...0x66 ~= lower
        default: return letter == here
        }
        guard 0x41...0x5A ~= letter || 0x61...0x7A ~= letter else { return letter == here }
        return 0x41...0x5A ~= letter ? !result : result
    }
}
