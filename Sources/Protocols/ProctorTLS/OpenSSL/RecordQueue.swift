internal import ProctorBase

/// Records to be sent, as bytes; offsets count from the first byte that was ever queued.
@safe struct RecordQueue: ~Copyable {
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0
    private var end = 0
    /// The offset of the first byte still in the queue.
    private(set) var sentByteCount = 0

    deinit {
        unsafe QueueMemory.shared.takeBack(memory)
    }

    var count: Int { end - start }
    /// The offset after the last byte in the queue.
    var queuedByteCount: Int { sentByteCount + count }

    /// Valid until the queue changes.
    var unsent: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        makeRoom(for: bytes.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    /// Removes bytes that the system has accepted.
    mutating func didSend(_ byteCount: Int) {
        start += byteCount
        sentByteCount += byteCount
        if start == end { giveMemoryBack() }
    }

    /// Keeps only the first `byteCount` bytes.
    mutating func cut(to byteCount: Int) {
        end = min(end, start + byteCount)
        if start == end { giveMemoryBack() }
    }

    /// Changes the byte at an index of the queue.
    mutating func flip(at index: Int) {
        guard index >= 0, index < count else { return }
        unsafe memory[start + index] ^= 0xFF
    }

    /// The length of the first record with its header of five bytes (RFC 8446 §5.1); nil if it is incomplete.
    var firstRecordByteCount: Int? {
        guard count >= 5 else { return nil }
        let length = unsafe 5 + Int(memory[start + 3]) << 8 + Int(memory[start + 4])
        return length <= count ? length : nil
    }

    private mutating func makeRoom(for byteCount: Int) {
        if unsafe memory.baseAddress == nil, byteCount <= QueueMemory.blockByteCount {
            unsafe memory = QueueMemory.shared.lend()
        }
        guard unsafe memory.count - end < byteCount else { return }
        let held = count
        let needed = held + byteCount
        if unsafe needed <= memory.count {
            unsafe memory.copyMemory(from: unsent)
        } else {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: needed * 2, alignment: 16)
            unsafe larger.copyMemory(from: unsent)
            unsafe QueueMemory.shared.takeBack(memory)
            unsafe memory = larger
        }
        start = 0
        end = held
    }

    private mutating func giveMemoryBack() {
        unsafe QueueMemory.shared.takeBack(memory)
        unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        start = 0
        end = 0
    }
}

/// Blocks of memory for queues with content, so that idle connections hold none; safe from any thread.
@safe final class QueueMemory: Sendable {
    static let shared = QueueMemory()

    /// Room for 64 KiB of plaintext in records, followed by an alert.
    static let blockByteCount = 72 << 10
    /// The most unused blocks that are kept.
    private static let spareLimit = 32

    private let spare = unsafe Locked<[UnsafeMutableRawPointer]>([])

    func lend() -> UnsafeMutableRawBufferPointer {
        let block = unsafe spare.withLock { unsafe $0.popLast() }
        let memory = unsafe block ?? .allocate(byteCount: Self.blockByteCount, alignment: 16)
        return unsafe UnsafeMutableRawBufferPointer(start: memory, count: Self.blockByteCount)
    }

    /// Takes back memory of any size; keeps only blocks of the usual size and frees others.
    func takeBack(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        let isKept =
            memory.count == Self.blockByteCount
            && (unsafe spare.withLock { spare in
                guard unsafe spare.count < Self.spareLimit else { return false }
                unsafe spare.append(start)
                return true
            })
        if !isKept { unsafe start.deallocate() }
    }
}
