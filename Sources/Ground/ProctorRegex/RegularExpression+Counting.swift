internal import CPCRE2
internal import ProctorBase

/// Searches with a bound on steps: each item of the expression counts as a step, and so do the bytes that it reads.
///
/// PCRE2 itself counts only backtracking points, and between two of them it may read the whole value. So a search of a
/// short value first runs with a small bound of such points; a search that exceeds it starts again with a callout
/// before each item.
extension RegularExpression {
    /// The longest value of a search without callouts.
    private static let shortByteCount = 256
    /// The most backtracking points of a search without callouts.
    private static let shortSearch: UInt32 = 50
    /// How many bytes are read in the time of one item.
    private static let bytesOfStep = 32

    func match(_ value: Span<UInt8>, within budget: WorkBudget, _ data: OpaquePointer) -> Outcome {
        guard let context = unsafe pcre2_match_context_create_8(nil) else { return .gaveUp("memory") }
        defer { unsafe pcre2_match_context_free_8(context) }
        do throws(SpentBudget) {
            if value.count <= Self.shortByteCount, !hasBackReferences {
                try budget.spend(16 + value.count / 8)
                _ = unsafe pcre2_set_match_limit_8(context, Self.shortSearch)
                let result = unsafe search(value, code, data, context)
                if result != PCRE2_ERROR_MATCHLIMIT { return unsafe outcome(result, data, of: value) }
            } else {
                try budget.checkBounds()
            }
            return unsafe try matchCounted(value, within: budget, data, context)
        } catch {
            return .gaveUp("\(error)")
        }
    }

    private func matchCounted(
        _ value: Span<UInt8>, within budget: WorkBudget, _ data: OpaquePointer, _ context: OpaquePointer
    ) throws(SpentBudget) -> Outcome {
        guard let code = counted() else { return .gaveUp("memory") }
        let count = ItemCount(
            of: budget, stepsOfItem: hasBackReferences ? 1 + value.count / Self.bytesOfStep : 1,
            bytesOfStep: Self.bytesOfStep)
        _ = unsafe pcre2_set_match_limit_8(context, UInt32(Self.stepBound))
        _ = unsafe pcre2_set_depth_limit_8(context, UInt32(Self.depthBound))
        _ = unsafe pcre2_set_heap_limit_8(context, UInt32(Self.memoryByteCount / 1024))
        // The count lives longer than the search, the only caller.
        let address = unsafe Unmanaged.passUnretained(count).toOpaque()
        _ = unsafe pcre2_set_callout_8(
            context,
            { block, address in
                guard let block = unsafe block, let address = unsafe address else { return 0 }
                let count = unsafe Unmanaged<ItemCount>.fromOpaque(address).takeUnretainedValue()
                return unsafe count.add(position: block.pointee.current_position) ? 0 : PCRE2_ERROR_CALLOUT
            }, address)
        let result = withExtendedLifetime(count) { unsafe search(value, code, data, context) }
        if let spent = count.spent { throw spent }
        return unsafe outcome(result, data, of: value)
    }

    /// nil if there is no memory.
    private func counted() -> UInt? {
        countedCode.withLock { made in
            if let made { return made }
            let text = ContiguousArray(pattern.utf8)
            var failure: Int32 = 0
            var offset = 0
            let code = unsafe Self.withPointer(text.span) { start, count in
                unsafe pcre2_compile_8(
                    start, count, Self.options | UInt32(PCRE2_AUTO_CALLOUT), &failure, &offset, nil)
            }
            made = unsafe code.map { UInt(bitPattern: $0) }
            return made
        }
    }

    /// The steps of one search.
    private final class ItemCount {
        private let budget: WorkBudget
        private let stepsOfItem: Int
        private let bytesOfStep: Int
        private var position = 0
        private(set) var spent: SpentBudget?

        init(of budget: WorkBudget, stepsOfItem: Int, bytesOfStep: Int) {
            (self.budget, self.stepsOfItem, self.bytesOfStep) = (budget, stepsOfItem, bytesOfStep)
        }

        /// Called before each item; false if a bound is reached.
        func add(position: Int) -> Bool {
            let byteCount = abs(position - self.position)
            self.position = position
            do throws(SpentBudget) {
                try budget.spend(stepsOfItem + byteCount / bytesOfStep)
                return true
            } catch {
                spent = error
                return false
            }
        }
    }
}
