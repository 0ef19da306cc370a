#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a state of Lua has allocated; changed by its allocator alone.
@safe struct MemoryAccount: ~Copyable {
    fileprivate var blocks: LuaBlocks
    private(set) var byteCount = 0
    private let byteLimit: Int
    private let allocatedByteLimit: Int
    private(set) var allocatedByteCount = 0
    /// The bound for which an allocation was refused last; nil: none was.
    private(set) var refusal: ScriptBound?
    private(set) var allocationCount = 0
    /// Of the blocks in use that have ``largeByteCount`` and more.
    private var largeBlocksByteCount = 0
    /// How many instructions may run before the next look at the bounds; behind a large allocation it is one.
    private var hookInterval: UnsafeMutablePointer<Int32>?
    private let failingFrom: Int

    /// What one instruction compares, copies or reads as a number takes the longer the longer its texts are: with this
    /// many bytes not more than 2 ms.
    private static let largeByteCount = 256 << 10
    private static let usualInterval: Int32 = 100

    init(_ bounds: ScriptBounds, failingFrom: Int) {
        byteLimit = bounds.memoryByteCount
        allocatedByteLimit = bounds.allocatedByteCount
        self.failingFrom = failingFrom
        // Blocks of one size do not serve another, so that more is kept than is in use at once.
        blocks = LuaBlocks(chunksByteLimit: 2 * min(bounds.memoryByteCount, .max / 2))
    }

    mutating func begin(with allocatedByteCount: Int) {
        self.allocatedByteCount = allocatedByteCount
        refusal = nil
        didLook()
    }

    /// The bounds were looked at.
    mutating func didLook() { unsafe hookInterval?.pointee = interval }

    /// The owner keeps `interval` until the account is no more.
    mutating func setHookInterval(at interval: UnsafeMutablePointer<Int32>) {
        unsafe hookInterval = unsafe interval
        unsafe interval.pointee = self.interval
    }

    private var interval: Int32 {
        guard largeBlocksByteCount > Self.largeByteCount else { return Self.usualInterval }
        return max(1, Int32(clamping: Int(Self.usualInterval) * Self.largeByteCount / largeBlocksByteCount))
    }

    /// Whether a block may grow by so many bytes; shrinking never fails.
    ///
    /// `isNew`: it is a new block of no kind.
    mutating func allows(_ growth: Int, isNew: Bool) -> Bool {
        guard growth > 0 else { return true }
        allocationCount += 1
        guard allocationCount < failingFrom, growth <= byteLimit - byteCount else { return refuse(.memory) }
        if isNew, Self.isBeyondMembers(growth) { return refuse(.members) }
        return growth <= allocatedByteLimit - allocatedByteCount || refuse(.allocations)
    }

    /// Whether the block has the size of the members of a table, and those are more than ``ScriptBounds/memberCount``.
    ///
    /// Lua puts all of them into a larger block in one instruction, in a time that grows with the square of their number
    /// where the keys are chosen to collide. Their number is a power of two, and each takes 24 bytes in Lua 5.4.
    private static func isBeyondMembers(_ byteCount: Int) -> Bool {
        guard byteCount > memberByteCount * ScriptBounds.memberCount, byteCount % memberByteCount == 0 else {
            return false
        }
        return (byteCount / memberByteCount).nonzeroBitCount == 1
    }

    private static let memberByteCount = 24

    /// Lua collects everything before it fails, so the clock is looked at behind each refusal.
    private mutating func refuse(_ bound: ScriptBound) -> Bool {
        refusal = bound
        unsafe hookInterval?.pointee = 1
        return false
    }

    mutating func note(from old: Int, to new: Int) {
        byteCount += new - old
        if new > old { allocatedByteCount += new - old }
        guard max(old, new) >= Self.largeByteCount else { return }
        largeBlocksByteCount += (new >= Self.largeByteCount ? new : 0) - (old >= Self.largeByteCount ? old : 0)
        if new > old { unsafe hookInterval?.pointee = 1 }
    }
}

func allocateForLua(
    _ owner: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?, _ oldByteCount: Int, _ newByteCount: Int
) -> UnsafeMutableRawPointer? {
    guard let account = unsafe owner?.assumingMemoryBound(to: MemoryAccount.self) else { return nil }
    // Without a block the old size is the kind of the new object.
    let old = unsafe block == nil ? 0 : oldByteCount
    if newByteCount == 0 {
        unsafe account.pointee.blocks.give(back: block, byteCount: old)
        unsafe account.pointee.note(from: old, to: 0)
        return nil
    }
    let growth = newByteCount.subtractingReportingOverflow(old)
    guard !growth.overflow,
        unsafe account.pointee.allows(growth.partialValue, isNew: block == nil && oldByteCount == 0),
        let new = unsafe account.pointee.blocks.resize(block, from: old, to: newByteCount)
    else { return nil }
    unsafe account.pointee.note(from: old, to: newByteCount)
    return unsafe new
}

/// The blocks of one state of Lua: small ones are kept by their size when Lua gives them back, since a script that runs for each
/// request makes and drops the same few.
@safe struct LuaBlocks: ~Copyable {
    /// By size class, the first block that waits; the first word of each is the address of the next.
    private let waiting: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// The first word of each chunk is the address of the one before.
    private var lastChunk: UnsafeMutableRawPointer?
    /// What is left of the last chunk.
    private var rest: UnsafeMutableRawPointer?
    private var restByteCount = 0
    private var chunksByteCount = 0
    /// Of all chunks together; with fewer bytes left than a chunk has, no other one is made.
    private let chunksByteLimit: Int

    /// Larger blocks are the system's.
    private static let largestByteCount = 512
    private static let alignment = 16
    private static let chunkByteCount = 16 << 10

    init(chunksByteLimit: Int = .max) {
        self.chunksByteLimit = chunksByteLimit
        unsafe waiting = .allocate(capacity: Self.largestByteCount / Self.alignment)
        unsafe waiting.initialize(repeating: nil, count: Self.largestByteCount / Self.alignment)
    }

    /// Frees all small blocks; Lua has given back the others.
    deinit {
        var chunk = unsafe lastChunk
        while let one = unsafe chunk {
            unsafe chunk = one.load(as: UnsafeMutableRawPointer?.self)
            unsafe free(one)
        }
        unsafe waiting.deallocate()
    }

    private static func isSmall(_ byteCount: Int) -> Bool { 1...largestByteCount ~= byteCount }

    private static func sizeClass(_ byteCount: Int) -> Int { (byteCount &- 1) / alignment }

    /// Nil where the system has no memory, or the chunks have reached their limit; the block is as before then.
    mutating func resize(
        _ block: UnsafeMutableRawPointer?, from old: Int, to new: Int
    ) -> UnsafeMutableRawPointer? {
        guard let block = unsafe block else { return unsafe take(new) }
        if Self.isSmall(old), Self.isSmall(new), Self.sizeClass(old) == Self.sizeClass(new) { return unsafe block }
        if !Self.isSmall(old), !Self.isSmall(new) { return unsafe realloc(block, new) }
        guard let other = unsafe take(new) else {
            // A small block may go on as a smaller one.
            return unsafe Self.isSmall(old) && new < old ? block : nil
        }
        unsafe other.copyMemory(from: block, byteCount: min(old, new))
        unsafe give(back: block, byteCount: old)
        return unsafe other
    }

    mutating func give(back block: UnsafeMutableRawPointer?, byteCount: Int) {
        guard let block = unsafe block else { return }
        guard Self.isSmall(byteCount) else { return unsafe free(block) }
        let place = Self.sizeClass(byteCount)
        unsafe block.storeBytes(of: waiting[place], as: UnsafeMutableRawPointer?.self)
        unsafe waiting[place] = block
    }

    private mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard Self.isSmall(byteCount) else { return unsafe malloc(byteCount) }
        let place = Self.sizeClass(byteCount)
        if let block = unsafe waiting[place] {
            unsafe waiting[place] = block.load(as: UnsafeMutableRawPointer?.self)
            return unsafe block
        }
        return unsafe cut((place + 1) * Self.alignment)
    }

    /// What is left of a chunk that is too short is lost until the end: less than one block of each chunk.
    private mutating func cut(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        if restByteCount < byteCount {
            guard chunksByteLimit - chunksByteCount >= Self.chunkByteCount,
                let chunk = unsafe malloc(Self.chunkByteCount)
            else { return nil }
            chunksByteCount += Self.chunkByteCount
            unsafe chunk.storeBytes(of: lastChunk, as: UnsafeMutableRawPointer?.self)
            unsafe lastChunk = chunk
            unsafe rest = chunk + Self.alignment
            restByteCount = Self.chunkByteCount - Self.alignment
        }
        let block = unsafe rest
        unsafe rest = block.map { unsafe $0 + byteCount }
        restByteCount -= byteCount
        return unsafe block
    }
}
