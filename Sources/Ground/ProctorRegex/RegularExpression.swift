internal import CPCRE2
package import ProctorBase

/// A regular expression of PCRE2 over bytes that must match a whole value; any thread may match with it.
@safe package final class RegularExpression: Sendable {
    /// The pattern as the author wrote it.
    package let pattern: String
    /// In the order of the groups' opening parentheses.
    package let groupNames: [String]

    private let groupNumbers: [Int]
    private let pairCount: UInt32
    // Stored as addresses: PCRE2 does not change the objects after their creation, and any number of threads may match
    // with them.
    let code: UInt
    private let bounds: UInt
    /// The expression compiled with a callout before each item, for counted searches; made on first use.
    let countedCode = Locked<UInt?>(nil)
    let hasBackReferences: Bool

    /// Throws if the pattern is invalid or too long.
    package init(_ pattern: String) throws(RegularExpressionFault) {
        let text = ContiguousArray(pattern.utf8)
        guard text.count <= Self.patternByteCount else {
            throw RegularExpressionFault(
                offset: 0,
                sentence: "a regular expression has at most \(Self.patternByteCount) bytes, found \(text.count)")
        }
        var failure: Int32 = 0
        var offset = 0
        let compiled = unsafe Self.withPointer(text.span) { start, count in
            unsafe pcre2_compile_8(start, count, Self.options, &failure, &offset, nil)
        }
        guard let compiled = unsafe compiled else {
            throw RegularExpressionFault(offset: min(offset, text.count), sentence: Self.sentence(of: failure))
        }
        guard let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_code_free_8(compiled)
            throw RegularExpressionFault(offset: 0, sentence: "there is no memory for it")
        }
        _ = unsafe pcre2_set_match_limit_8(context, UInt32(Self.stepBound))
        _ = unsafe pcre2_set_depth_limit_8(context, UInt32(Self.depthBound))
        _ = unsafe pcre2_set_heap_limit_8(context, UInt32(Self.memoryByteCount / 1024))
        let groups = unsafe Self.groups(of: compiled)
        var captureCount: UInt32 = 0
        _ = unsafe pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_CAPTURECOUNT), &captureCount)
        var backReference: UInt32 = 0
        _ = unsafe pcre2_pattern_info_8(compiled, UInt32(PCRE2_INFO_BACKREFMAX), &backReference)
        hasBackReferences = backReference > 0
        self.pattern = pattern
        groupNames = groups.map(\.name)
        groupNumbers = groups.map(\.number)
        pairCount = groups.isEmpty ? 1 : captureCount + 1
        code = UInt(bitPattern: compiled)
        bounds = UInt(bitPattern: context)
    }

    deinit {
        unsafe pcre2_match_context_free_8(OpaquePointer(bitPattern: bounds))
        unsafe pcre2_code_free_8(OpaquePointer(bitPattern: code))
        if let counted = countedCode.withLock(\.self) { unsafe pcre2_code_free_8(OpaquePointer(bitPattern: counted)) }
    }

    // Both ends are anchored, since the whole value must match. `\C` could split a character of UTF-8.
    static let options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C

    private static func sentence(of failure: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBufferPointer {
            unsafe pcre2_get_error_message_8(failure, $0.baseAddress, $0.count)
        }
        return String(decoding: buffer.prefix(Int(max(0, count))), as: UTF8.self)
    }

    /// Each entry of the name table has a number in two bytes, and a name with a NUL after it (pcre2api).
    private static func groups(of code: OpaquePointer) -> [(name: String, number: Int)] {
        var count: UInt32 = 0
        var width: UInt32 = 0
        var table: UnsafePointer<UInt8>?
        _ = unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
        _ = unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &width)
        _ = unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
        guard let table = unsafe table, width > 2 else { return [] }
        let bytes = unsafe UnsafeBufferPointer(start: table, count: Int(count) * Int(width))
        let groups = (0..<Int(count)).map { index in
            let entry = unsafe bytes[index * Int(width)..<(index + 1) * Int(width)]
            let name = unsafe entry.dropFirst(2).prefix { $0 != 0 }
            let number = unsafe Int(entry[entry.startIndex]) << 8 | Int(entry[entry.startIndex + 1])
            return unsafe (name: String(decoding: name, as: UTF8.self), number: number)
        }
        return groups.sorted { $0.number < $1.number }
    }

    /// `body` gets a valid address even if there are no bytes.
    static func withPointer<Result>(
        _ bytes: Span<UInt8>, _ body: (UnsafePointer<UInt8>, Int) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { return unsafe body(start, buffer.count) }
            var none: UInt8 = 0
            return unsafe withUnsafePointer(to: &none) { unsafe body($0, 0) }
        }
    }
}

extension RegularExpression {
    // The just-in-time compiler is not used: it has no bound on depth and memory, and needs a stack for each thread.

    /// The longest pattern.
    package static let patternByteCount = 4096
    /// The most steps of one match; about 10 ms of a common processor.
    package static let stepBound = 500_000
    /// The greatest depth of backtracking.
    package static let depthBound = 50_000
    /// The most memory of one match.
    package static let memoryByteCount = 8 << 20
    /// The longest value that is searched.
    package static let valueByteCount = 4 << 20

    package enum Outcome: Sendable, Equatable {
        /// The range of each named group, in the order of the names; nil for a group that did not match.
        case matched([Range<Int>?])
        case unmatched
        /// A bound was reached; the text names it: `500000 steps`.
        case gaveUp(String)
    }

    /// Without a budget only the bounds of steps, decisions and memory apply, and one step may read the whole value.
    package func match(_ value: Span<UInt8>, within budget: WorkBudget? = nil) -> Outcome {
        guard value.count <= Self.valueByteCount else { return .gaveUp("a value of \(Self.valueByteCount) bytes") }
        guard let data = unsafe pcre2_match_data_create_8(pairCount, nil) else { return .gaveUp("memory") }
        defer { unsafe pcre2_match_data_free_8(data) }
        guard let budget else {
            let result = unsafe search(value, code, data, OpaquePointer(bitPattern: bounds))
            return unsafe outcome(result, data, of: value)
        }
        return unsafe match(value, within: budget, data)
    }

    func search(
        _ value: Span<UInt8>, _ code: UInt, _ data: OpaquePointer, _ context: OpaquePointer?
    ) -> Int32 {
        unsafe Self.withPointer(value) { start, count in
            unsafe pcre2_match_8(OpaquePointer(bitPattern: code), start, count, 0, 0, data, context)
        }
    }

    func outcome(_ result: Int32, _ data: OpaquePointer, of value: Span<UInt8>) -> Outcome {
        switch result {
        // 0 means that there are more groups than pairs; the caller does not need those.
        case 0...: return unsafe .matched(ranges(in: data, count: value.count))
        case PCRE2_ERROR_NOMATCH: return .unmatched
        case PCRE2_ERROR_MATCHLIMIT: return .gaveUp("\(Self.stepBound) steps")
        case PCRE2_ERROR_DEPTHLIMIT: return .gaveUp("\(Self.depthBound) decisions that wait to be taken back")
        case PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY: return .gaveUp("\(Self.memoryByteCount) bytes of memory")
        // Only an expression that begins with (*UTF) checks UTF-8.
        case PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1: return .unmatched
        default: return .gaveUp(Self.sentence(of: result))
        }
    }

    private func ranges(in data: OpaquePointer, count: Int) -> [Range<Int>?] {
        guard !groupNumbers.isEmpty, let pairs = unsafe pcre2_get_ovector_pointer_8(data) else { return [] }
        let pairCount = unsafe Int(pcre2_get_ovector_count_8(data))
        return groupNumbers.map { number in
            guard number < pairCount else { return nil }
            let (start, end) = unsafe (pairs[2 * number], pairs[2 * number + 1])
            guard 0 <= start, start <= end, end <= count else { return nil }
            return start..<end
        }
    }
}

extension RegularExpression: Equatable {
    package static func == (left: RegularExpression, right: RegularExpression) -> Bool { left.pattern == right.pattern }
}

/// Why a text is no regular expression.
package struct RegularExpressionFault: Error {
    /// A byte offset in the UTF-8 of the pattern.
    package let offset: Int
    package let sentence: String
}
