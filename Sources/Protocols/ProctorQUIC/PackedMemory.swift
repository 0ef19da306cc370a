internal import CNGTCP2

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The memory that ngtcp2 has for one connection: a range of addresses of its own, whose pages the system gives when they are
/// written first, and has back with the connection.
///
/// ngtcp2 takes blocks for dozens of objects of each kind, of which a connection uses a few. While a connection is idle, ``pack(in:)``
/// keeps what its pages hold in fewer bytes; ngtcp2 is not called before ``unpack()``. Of one thread at a time.
@safe final class PackedMemory {
    private let base: UnsafeMutableRawPointer
    /// The content of the pages while they are given back to the system; nil while ngtcp2 may be called.
    private var packed: [UInt8]?

    /// Bytes of the range; what does not fit comes from the process's own allocator.
    static let byteCount = 512 << 10
    /// Blocks from this size on lie at the end of the range, so that short ones fill their pages.
    private static let longByteCount = 4 << 10
    /// Each block has its class before it.
    private static let headByteCount = 16

    /// The beginning of the range, which is packed with it; places are bytes from there.
    @safe private struct Head {
        var functions: ngtcp2_mem
        /// Where the short blocks end, and the long ones begin.
        var low: Int
        var high: Int
    }

    /// Where the first free block of each class is; 0: none.
    private static let freePlace = (MemoryLayout<Head>.size + 15) & ~15
    private static let firstBlock = (freePlace + BlockClass.count * MemoryLayout<UInt32>.size + 15) & ~15

    /// nil if the system has no addresses left.
    init?() {
        guard let base = unsafe SystemPages.reserve(Self.byteCount) else { return nil }
        unsafe self.base = unsafe base
        let functions = unsafe ngtcp2_mem(
            user_data: Unmanaged.passUnretained(self).toOpaque(), malloc: giveBytes, free: freeBytes, calloc: giveZeros,
            realloc: changeBytes)
        unsafe base.initializeMemory(
            as: Head.self, to: Head(functions: functions, low: Self.firstBlock, high: Self.byteCount))
    }

    deinit { unsafe SystemPages.release(base, Self.byteCount) }

    /// What ngtcp2 takes memory by; good as long as this object is.
    var functions: UnsafePointer<ngtcp2_mem> { unsafe UnsafePointer(base.assumingMemoryBound(to: ngtcp2_mem.self)) }

    private var head: UnsafeMutablePointer<Head> { unsafe base.assumingMemoryBound(to: Head.self) }

    private func firstFree(_ index: Int) -> UnsafeMutablePointer<UInt32> {
        unsafe (base + Self.freePlace).assumingMemoryBound(to: UInt32.self) + index
    }

    private func contains(_ block: UnsafeMutableRawPointer) -> Bool {
        unsafe block >= base && block < base + Self.byteCount
    }

    // MARK: Blocks

    /// `isFresh` is set where the block has never been used, so that it is all zeros.
    func takeBlock(_ byteCount: Int, isFresh: inout Bool) -> UnsafeMutableRawPointer? {
        isFresh = false
        guard byteCount <= Self.byteCount else { return unsafe malloc(byteCount) }
        let kind = BlockClass(holding: byteCount)
        let free = unsafe firstFree(kind.index)
        if unsafe free.pointee != 0 {
            let block = unsafe base + Int(free.pointee)
            unsafe free.pointee = unsafe block.load(as: UInt32.self)
            return unsafe block
        }
        let whole = Self.headByteCount + kind.byteCount
        guard unsafe head.pointee.high - head.pointee.low >= whole else { return unsafe malloc(byteCount) }
        var place = 0
        if kind.byteCount < Self.longByteCount {
            place = unsafe head.pointee.low
            unsafe head.pointee.low += whole
        } else {
            unsafe head.pointee.high -= whole
            place = unsafe head.pointee.high
        }
        unsafe (base + place).storeBytes(of: UInt32(kind.index), as: UInt32.self)
        isFresh = true
        return unsafe base + place + Self.headByteCount
    }

    func giveBack(_ block: UnsafeMutableRawPointer) {
        guard unsafe contains(block) else { return unsafe free(block) }
        let kind = unsafe kind(of: block)
        if kind.byteCount >= 2 * Self.longByteCount { unsafe SystemPages.renew(within: block, kind.byteCount) }
        let free = unsafe firstFree(kind.index)
        unsafe block.storeBytes(of: free.pointee, as: UInt32.self)
        unsafe free.pointee = unsafe UInt32(block - base)
    }

    func change(_ block: UnsafeMutableRawPointer, to byteCount: Int) -> UnsafeMutableRawPointer? {
        guard unsafe contains(block) else { return unsafe realloc(block, byteCount) }
        let room = unsafe kind(of: block).byteCount
        guard byteCount > room else { return unsafe block }
        var isFresh = false
        guard let other = unsafe takeBlock(byteCount, isFresh: &isFresh) else { return nil }
        unsafe other.copyMemory(from: block, byteCount: room)
        unsafe giveBack(block)
        return unsafe other
    }

    private func kind(of block: UnsafeMutableRawPointer) -> BlockClass {
        unsafe BlockClass(index: Int((block - Self.headByteCount).load(as: UInt32.self)))
    }

    // MARK: Packing

    /// Gives the pages back to the system, and keeps what they hold; no effect where that does not fit into `room`.
    func pack(in room: UnsafeMutableRawBufferPointer) {
        guard packed == nil, let start = room.baseAddress else { return }
        clearFreeBlocks()
        var writer = unsafe PackedWriter(next: start, end: start + room.count)
        let (low, high) = unsafe (head.pointee.low, head.pointee.high)
        for page in 0..<Self.byteCount / SystemPages.packedByteCount {
            let place = page * SystemPages.packedByteCount
            guard place < low || place + SystemPages.packedByteCount > high else { continue }
            guard unsafe writer.append(base + place, number: page) else { return }
        }
        packed = unsafe Array(UnsafeRawBufferPointer(rebasing: room[..<(writer.next - start)]))
        unsafe SystemPages.renew(within: base, Self.byteCount)
    }

    /// ngtcp2 may be called again.
    func unpack() {
        guard let bytes = packed else { return }
        unsafe bytes.withUnsafeBytes { unsafe PackedReader(bytes: $0).copyAll(to: base) }
        packed = nil
    }

    /// The bytes that are kept while the connection is idle; nil while it is not packed.
    var packedByteCount: Int? { packed?.count }

    /// What free blocks hold is worth nothing; long ones have given their pages back.
    private func clearFreeBlocks() {
        for index in 0..<BlockClass.count {
            let kind = BlockClass(index: index)
            guard kind.byteCount < 2 * Self.longByteCount else { return }
            var place = unsafe Int(firstFree(index).pointee)
            while place != 0 {
                let block = unsafe base + place
                unsafe memset(block + 4, 0, kind.byteCount - 4)
                place = unsafe Int(block.load(as: UInt32.self))
            }
        }
    }
}

/// Blocks of one size: by 16 bytes up to 1 KiB, and four sizes for each power of two above.
struct BlockClass: Equatable {
    let index: Int
    let byteCount: Int

    private static let exact = 64
    /// Up to those that hold ``PackedMemory/byteCount``.
    static let count = exact + 40

    init(holding byteCount: Int) {
        let units = max(1, (byteCount + 15) / 16)
        guard units > Self.exact else {
            self.init(index: units - 1)
            return
        }
        // Of the highest bit and the two behind it, rounded up.
        let shift = Int.bitWidth - 1 - (units - 1).leadingZeroBitCount - 2
        let quarters = ((units - 1) >> shift) + 1
        self.init(index: Self.exact + (shift - 4) * 4 + quarters - 5)
    }

    init(index: Int) {
        self.index = index
        let above = index - Self.exact
        byteCount = above < 0 ? (index + 1) * 16 : (above % 4 + 5) << (above / 4 + 4) * 16
    }
}

/// Pages of the system.
enum SystemPages {
    /// Pages are packed by so many bytes, whatever the system's size of them.
    static let packedByteCount = 4 << 10

    /// Addresses without pages; nil if there are none.
    static func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        guard unsafe start != MAP_FAILED else { return nil }
        #if !canImport(Darwin)
            // A page of 2 MiB would be written whole for each of a few bytes.
            unsafe _ = madvise(start, byteCount, MADV_NOHUGEPAGE)
        #endif
        return unsafe start
    }

    /// Gives the whole pages of a range back to the system; they are zeros from then on.
    static func renew(within start: UnsafeMutableRawPointer, _ byteCount: Int) {
        let size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let first = (UInt(bitPattern: start) + UInt(size - 1)) & ~UInt(size - 1)
        let end = (UInt(bitPattern: start) + UInt(byteCount)) & ~UInt(size - 1)
        guard first < end, let pages = unsafe UnsafeMutableRawPointer(bitPattern: first) else { return }
        #if canImport(Darwin)
            let protection = PROT_READ | PROT_WRITE
            unsafe _ = mmap(pages, Int(end - first), protection, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0)
        #else
            unsafe _ = madvise(pages, Int(end - first), MADV_DONTNEED)
        #endif
    }

    static func release(_ start: UnsafeMutableRawPointer, _ byteCount: Int) { unsafe _ = munmap(start, byteCount) }
}

// MARK: - What ngtcp2 calls

private func memory(_ data: UnsafeMutableRawPointer?) -> PackedMemory? {
    unsafe data.map { unsafe Unmanaged<PackedMemory>.fromOpaque($0).takeUnretainedValue() }
}

private func giveBytes(_ byteCount: Int, _ data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var isFresh = false
    return unsafe memory(data)?.takeBlock(byteCount, isFresh: &isFresh)
}

private func giveZeros(_ count: Int, _ each: Int, _ data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let (byteCount, isTooMuch) = count.multipliedReportingOverflow(by: each)
    var isFresh = false
    guard !isTooMuch, let block = unsafe memory(data)?.takeBlock(byteCount, isFresh: &isFresh) else { return nil }
    if !isFresh { unsafe memset(block, 0, byteCount) }
    return unsafe block
}

private func freeBytes(_ block: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
    if let block = unsafe block { unsafe memory(data)?.giveBack(block) }
}

private func changeBytes(
    _ block: UnsafeMutableRawPointer?, _ byteCount: Int, _ data: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    guard let block = unsafe block else { return unsafe giveBytes(byteCount, data) }
    return unsafe memory(data)?.change(block, to: byteCount)
}
