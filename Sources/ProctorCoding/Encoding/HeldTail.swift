/// The end of what is coded, held back until it is known to be the end, and then damaged as the step wants it.
struct HeldTail {
    private let missing: Int
    /// Where the four bytes of each wrong number begin, counted back from the end.
    private let wrong: [Int]
    private let trailing: [UInt8]
    private let heldCount: Int
    private var held: [UInt8] = []
    /// Bytes of `held` that have gone out; dropped now and then, so that a byte is moved but a few times.
    private var head = 0

    init(_ step: CodingStep) {
        var wrong: [Int] = []
        // CRC32 and ISIZE are the last eight bytes of gzip; Adler-32 and zstd's checksum the last four.
        if step.hasWrongChecksum { wrong.append(step.coding.isGzip ? 8 : 4) }
        if step.gzip.hasWrongLength { wrong.append(4) }
        self.wrong = wrong
        missing = step.missingByteCount
        trailing = step.trailing
        heldCount = max(missing, wrong.max() ?? 0)
    }

    /// Whether coded bytes may go out at once.
    var isEmpty: Bool { heldCount == 0 }

    /// Takes coded bytes and gives out what cannot be the end any more.
    mutating func pass(_ coded: [UInt8], into output: inout [UInt8]) {
        held += coded
        let freed = held.count - head - heldCount
        guard freed > 0 else { return }
        output += held[head..<head + freed]
        head += freed
        if head > held.count / 2 {
            held.removeFirst(head)
            head = 0
        }
    }

    /// The rest, with the wrong numbers and without what is missing; then what trails.
    mutating func finish(into output: inout [UInt8]) {
        for distance in wrong {
            for index in held.count - distance..<held.count - distance + 4 where index >= head { held[index] ^= 0xFF }
        }
        output += held[head...].dropLast(missing)
        output += trailing
        held = []
        head = 0
    }
}
