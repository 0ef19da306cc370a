#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The memory that a Lua state has allocated; only its allocator changes the account.
@safe struct MemoryAccount: ~Copyable {
    fileprivate var blocks: LuaBlocks
    private(set) var byteCount = 0
    private let byteLimit: Int
    private let allocatedByteLimit: Int
    private(set) var allocatedByteCount = 0
    /// The bound of the last refused allocation; nil if none was refused.
    private(set) var refusal: ScriptBound?
    private(set) var allocationCount = 0
    /// The total size of the blocks in use that have at least ``largeByteCount`` bytes.
    private var largeBlocksByteCount = 0
    /// How many instructions run before the next check of the bounds; after a large allocation it is one.
    private var hookInterval: UnsafeMutablePointer<Int32>?
    private let failingFrom: Int

    /// An instruction that compares, copies or converts long texts takes long: at most 2 ms for this many bytes.
    private static let largeByteCount = 256 << 10
    private static let usualInterval: Int32 = 100

    init(_ bounds: ScriptBounds, failingFrom: Int) {
        byteLimit = bounds.memoryByteCount
        allocatedByteLimit = bounds.allocatedByteCount
        self.failingFrom = failingFrom
        // A free block is used only for its own size class, so the chunks may need more than the memory bound.
        blocks = LuaBlocks(chunksByteLimit: 2 * min(bounds.memoryByteCount, .max / 2))
    }

    mutating func reset(with allocatedByteCount: Int) {
        self.allocatedByteCount = allocatedByteCount
        refusal = nil
        didLook()
    }

    /// Called after the bounds were checked.
    mutating func didLook() { unsafe hookInterval?.pointee = interval }

    /// `interval` must be valid as long as the account exists.
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
    /// `isNew` is true for a new block that belongs to no object, such as the members of a table.
    mutating func allows(_ growth: Int, isNew: Bool) -> Bool {
        guard growth > 0 else { return true }
        allocationCount += 1
        guard allocationCount < failingFrom, growth <= byteLimit - byteCount else { return refuse(.memory) }
        if isNew, Self.isBeyondMembers(growth) { return refuse(.members) }
        return growth <= allocatedByteLimit - allocatedByteCount || refuse(.allocations)
    }

    /// Whether the block has the size of a table's members, and those are more than ``ScriptBounds/memberCount``.
    ///
    /// Lua copies all members to a larger block in one instruction. With keys chosen to collide, the time grows with
    /// the square of their number. The number is a power of two, and a member takes 24 bytes in Lua 5.4.
    private static func isBeyondMembers(_ byteCount: Int) -> Bool {
        guard byteCount > memberByteCount * ScriptBounds.memberCount, byteCount % memberByteCount == 0 else {
            return false
        }
        return (byteCount / memberByteCount).nonzeroBitCount == 1
    }

    private static let memberByteCount = 24

    /// After a refusal Lua collects garbage before it fails, so the bounds are checked at the next instruction.
    private mutating func refuse(_ bound: ScriptBound) -> Bool {
        refusal = bound
        unsafe hookInterval?.pointee = 1
        return false
    }

    mutating func recordResize(from old: Int, to new: Int) {
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
    // For a new block Lua passes the kind of the object as the old size.
    let old = unsafe block == nil ? 0 : oldByteCount
    if newByteCount == 0 {
        unsafe account.pointee.blocks.deallocate(block, byteCount: old)
        unsafe account.pointee.recordResize(from: old, to: 0)
        return nil
    }
    let growth = newByteCount.subtractingReportingOverflow(old)
    guard !growth.overflow,
        unsafe account.pointee.allows(growth.partialValue, isNew: block == nil && oldByteCount == 0),
        let new = unsafe account.pointee.blocks.resize(block, from: old, to: newByteCount)
    else { return nil }
    unsafe account.pointee.recordResize(from: old, to: newByteCount)
    return unsafe new
}

/// The blocks of one Lua state; freed small blocks are kept by their size.
///
/// A script that runs for each request allocates and frees the same few blocks.
@safe struct LuaBlocks: ~Copyable {
    /// The first free block of each size class; the first word of a free block is the address of the next one.
    private let waiting: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// The first word of each chunk is the address of the chunk before.
    private var lastChunk: UnsafeMutableRawPointer?
    /// The unused part of the last chunk.
    private var rest: UnsafeMutableRawPointer?
    private var restByteCount = 0
    private var chunksByteCount = 0
    /// The most bytes of all chunks together; no chunk is allocated beyond it.
    private let chunksByteLimit: Int

    /// Larger blocks are allocated by `malloc`.
    private static let largestByteCount = 512
    private static let alignment = 16
    private static let chunkByteCount = 16 << 10

    init(chunksByteLimit: Int = .max) {
        self.chunksByteLimit = chunksByteLimit
        unsafe waiting = .allocate(capacity: Self.largestByteCount / Self.alignment)
        unsafe waiting.initialize(repeating: nil, count: Self.largestByteCount / Self.alignment)
    }

    /// Frees all small blocks; Lua has freed the others.
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

    /// nil if the system has no memory or the chunks have reached their limit; then the block is unchanged.
    mutating func resize(
        _ block: UnsafeMutableRawPointer?, from old: Int, to new: Int
    ) -> UnsafeMutableRawPointer? {
        guard let block = unsafe block else { return unsafe allocate(new) }
        if Self.isSmall(old), Self.isSmall(new), Self.sizeClass(old) == Self.sizeClass(new) { return unsafe block }
        if !Self.isSmall(old), !Self.isSmall(new) { return unsafe realloc(block, new) }
        guard let other = unsafe allocate(new) else {
            // A small block can stay in place when it shrinks.
            return unsafe Self.isSmall(old) && new < old ? block : nil
        }
        unsafe other.copyMemory(from: block, byteCount: min(old, new))
        unsafe deallocate(block, byteCount: old)
        return unsafe other
    }

    mutating func deallocate(_ block: UnsafeMutableRawPointer?, byteCount: Int) {
        guard let block = unsafe block else { return }
        guard Self.isSmall(byteCount) else { return unsafe free(block) }
        let place = Self.sizeClass(byteCount)
        unsafe block.storeBytes(of: waiting[place], as: UnsafeMutableRawPointer?.self)
        unsafe waiting[place] = block
    }

    private mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard Self.isSmall(byteCount) else { return unsafe malloc(byteCount) }
        let place = Self.sizeClass(byteCount)
        if let block = unsafe waiting[place] {
            unsafe waiting[place] = block.load(as: UnsafeMutableRawPointer?.self)
            return unsafe block
        }
        return unsafe cut((place + 1) * Self.alignment)
    }

    /// The rest of a chunk that is too short for the block is not used: less than one block of each chunk.
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
