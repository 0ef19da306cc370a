internal import CPCRE2
package import ProctorBase

extension RegularExpression {
    /// The longest beginning of a value with which some other value could match, in bytes; for explanations.
    ///
    /// nil if it is unknown: for a long value, and for an expression that does not support partial matching.
    package func reach(in value: [UInt8], within budget: WorkBudget? = nil) -> Int? {
        guard value.count <= Self.explainedByteCount else { return nil }
        // Partial matching does not support PCRE2_ENDANCHORED; it supports `\z`.
        let text = ContiguousArray("(?:\(pattern))\\z".utf8)
        var failure: Int32 = 0
        var offset = 0
        let compiled = unsafe Self.withPointer(text.span) { start, count in
            unsafe pcre2_compile_8(start, count, PCRE2_ANCHORED | PCRE2_NEVER_BACKSLASH_C, &failure, &offset, nil)
        }
        guard let compiled = unsafe compiled else { return nil }
        defer { unsafe pcre2_code_free_8(compiled) }
        guard let data = unsafe pcre2_match_data_create_8(1, nil) else { return nil }
        defer { unsafe pcre2_match_data_free_8(data) }
        guard let bounds = unsafe pcre2_match_context_create_8(nil) else { return nil }
        defer { unsafe pcre2_match_context_free_8(bounds) }
        // Between two backtracking points the whole value may be read.
        let stepBound = min(Self.explainingStepBound, Self.explainingReadBound / (value.count + 1))
        _ = unsafe pcre2_set_match_limit_8(bounds, UInt32(stepBound))
        _ = unsafe pcre2_set_depth_limit_8(bounds, UInt32(stepBound))
        let value = ContiguousArray(value)
        func isBeginning(_ count: Int) -> Bool? {
            if let budget, (try? budget.spend(stepBound)) == nil { return nil }
            let result = unsafe Self.withPointer(value.span) { start, _ in
                unsafe pcre2_match_8(compiled, start, count, 0, PCRE2_PARTIAL_HARD, data, bounds)
            }
            return result >= 0 || result == PCRE2_ERROR_PARTIAL ? true : result == PCRE2_ERROR_NOMATCH ? false : nil
        }
        // If a beginning of the value can match partially, every shorter one can.
        var (least, most) = (0, value.count)
        while least < most {
            let middle = (least + most + 1) / 2
            guard let isBeginning = isBeginning(middle) else { return nil }
            if isBeginning { least = middle } else { most = middle - 1 }
        }
        return least
    }

    private static let explainedByteCount = 64 << 10
    private static let explainingStepBound = 20_000
    private static let explainingReadBound = 32 << 20
}
