import CLua

// string.find and string.match, and the searches of string.gmatch and string.gsub in the prelude.
extension NativeCall {
    /// string.find(subject, pattern, init, plain): the first and the last byte, and the captures.
    func find() throws(ScriptFailure) -> Int32 {
        try unsafe search(name: "find", allowsPlain: true) { range, captures, subject in
            buffer.whole(Int64(range.lowerBound + 1))
            buffer.whole(Int64(range.upperBound))
            unsafe appendCaptures(captures, of: subject)
            return 2 + captures.count
        }
    }

    /// string.match(subject, pattern, init): the captures, or the whole match.
    func match() throws(ScriptFailure) -> Int32 {
        try unsafe search(name: "match") { range, captures, subject in
            if captures.isEmpty { unsafe buffer.rawText(UnsafeRawBufferPointer(rebasing: subject[range])) }
            unsafe appendCaptures(captures, of: subject)
            return max(1, captures.count)
        }
    }

    /// search(subject, pattern, init, name): the first byte, the last byte, and the captures or the whole match.
    func searchSubject() throws(ScriptFailure) -> Int32 {
        let name = stack.text(4).map { String(decoding: $0, as: UTF8.self) } ?? "gsub"
        return try unsafe search(name: name) { range, captures, subject in
            buffer.whole(Int64(range.lowerBound + 1))
            buffer.whole(Int64(range.upperBound))
            if captures.isEmpty { unsafe buffer.rawText(UnsafeRawBufferPointer(rebasing: subject[range])) }
            unsafe appendCaptures(captures, of: subject)
            return 2 + max(1, captures.count)
        }
    }

    private typealias MatchHandler = (Range<Int>, [LuaPattern.Capture], UnsafeRawBufferPointer) -> Int

    private func search(name: String, allowsPlain: Bool = false, _ found: MatchHandler) throws(ScriptFailure) -> Int32 {
        try unsafe withText(1, name) { subject throws(ScriptFailure) in
            try unsafe withText(2, name) { pattern throws(ScriptFailure) in
                let isPlain = unsafe allowsPlain && (stack.flag(4) || !pattern.contains(where: Self.isSpecial))
                return try unsafe search(subject, pattern, isPlain: isPlain, found)
            }
        }
    }

    private func withText(
        _ index: Int, _ function: String, _ body: (UnsafeRawBufferPointer) throws(ScriptFailure) -> Int32
    ) throws(ScriptFailure) -> Int32 {
        if let borrowed = unsafe stack.borrowed(index) { return try unsafe body(borrowed) }
        guard let number = stack.text(index) else {
            throw ScriptFailure(
                "bad argument #\(index) to '\(function)' (string expected, got \(stack.typeName(index)))")
        }
        return try unsafe number.withUnsafeBufferPointer { bytes throws(ScriptFailure) in
            try unsafe body(UnsafeRawBufferPointer(bytes))
        }
    }

    private func search(
        _ subject: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer, isPlain: Bool, _ found: MatchHandler
    ) throws(ScriptFailure) -> Int32 {
        guard let start = offset(stack.whole(3), in: subject.count) else { return nothing() }
        let isAnchored = unsafe !isPlain && pattern.first == UInt8(ascii: "^")
        var search = unsafe LuaPattern(pattern, in: subject, steps: Self.mostSteps)
        let range: Range<Int>?
        let fault: LuaPattern.Fault?
        do throws(LuaPattern.Fault) {
            range =
                isPlain
                ? try search.searchPlain(from: start)
                : try search.search(from: start, isAnchored: isAnchored, patternStart: isAnchored ? 1 : 0)
            fault = nil
        } catch {
            (range, fault) = (nil, error)
        }
        call.count(Int64((Self.mostSteps - search.stepsLeft) / 4), state.bounds)
        switch fault {
        case .malformed(let sentence): throw ScriptFailure(sentence)
        case .tooManySteps: throw ScriptFailure("the pattern takes more than \(Self.mostSteps) comparisons")
        case nil: break
        }
        if let bound = call.exceeded { throw ScriptFailure(state.bounds.sentence(bound)) }
        guard let range else { return nothing() }
        guard search.captures.allSatisfy({ $0.length != .open }) else { throw ScriptFailure("unfinished capture") }
        let byteCount = search.captures.reduce(range.count) { count, capture in
            if case .bytes(let own) = capture.length { count + own } else { count }
        }
        guard byteCount <= state.bounds.memoryByteCount else {
            throw ScriptFailure("the captures have more than \(state.bounds.memoryByteCount) bytes together")
        }
        return unsafe Int32(found(range, search.captures, subject))
    }

    /// The most steps of one search; less than 0.1 s.
    private static var mostSteps: Int { 10_000_000 }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"),
            UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "%"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private func nothing() -> Int32 {
        buffer.none()
        return 1
    }

    /// The offset from 0 of a position from 1; nil after the end.
    private func offset(_ position: Int64?, in count: Int) -> Int? {
        let position = position ?? 1
        if position > 0 { return position - 1 <= Int64(count) ? Int(position - 1) : nil }
        return position == 0 || position < -Int64(count) ? 0 : count + Int(position)
    }

    private func appendCaptures(_ captures: [LuaPattern.Capture], of subject: UnsafeRawBufferPointer) {
        for capture in captures {
            switch capture.length {
            case .bytes(let count):
                unsafe buffer.rawText(UnsafeRawBufferPointer(rebasing: subject[capture.start..<capture.start + count]))
            case .position, .open: buffer.whole(Int64(capture.start + 1))
            }
        }
    }
}
