internal import ProctorBase

/// Finds the scenario that a request-target names, at a cost that does not depend on how many there are.
///
/// Ids are paths of a few segments and none is a folder of another (the loader sees to that), so the first prefix that
/// is an id is the only one. An open-addressing table over FNV-1a hashes, which can be computed while walking.
struct MountTable: Sendable {
    private let ids: [[UInt8]]
    /// Positions in `ids` plus one; 0: free.
    private let slots: [UInt32]
    private let mask: UInt64
    private let deepest: Int
    /// 0 where there is none.
    let longestIDByteCount: Int

    init(ids: [String]) {
        self.ids = ids.map { Array($0.utf8) }
        var count = 16
        while count < ids.count * 2 { count *= 2 }
        var slots = [UInt32](repeating: 0, count: count)
        let mask = UInt64(count - 1)
        var longest = 0
        var deepest = 0
        for (position, id) in self.ids.enumerated() {
            var hash = Self.seed
            var depth = 1
            let bytes = id.span
            for index in 0..<bytes.count {
                Self.mix(&hash, bytes[index])
                if bytes[index] == Self.slash { depth += 1 }
            }
            var slot = hash & mask
            while slots[Int(slot)] != 0 { slot = (slot + 1) & mask }
            slots[Int(slot)] = UInt32(position + 1)
            longest = max(longest, id.count)
            deepest = max(deepest, depth)
        }
        (self.slots, self.mask) = (slots, mask)
        longestIDByteCount = longest
        self.deepest = deepest
    }

    /// The scenario's position, and the end of its id in `target`, which is in origin-form.
    func find(_ target: Span<UInt8>) -> (position: Int, end: Int)? {
        guard target.count > 1, target[0] == Self.slash else { return nil }
        var hash = Self.seed
        var depth = 1
        for index in 1..<target.count {
            let byte = target[index]
            if byte == Self.slash || byte == Self.question {
                if let position = lookUp(hash, target, upTo: index) { return (position, index) }
                depth += 1
                if byte == Self.question || depth > deepest { return nil }
            }
            Self.mix(&hash, byte)
        }
        return lookUp(hash, target, upTo: target.count).map { ($0, target.count) }
    }

    private func lookUp(_ hash: UInt64, _ target: Span<UInt8>, upTo end: Int) -> Int? {
        var slot = hash & mask
        while slots[Int(slot)] != 0 {
            let position = Int(slots[Int(slot)]) - 1
            if isEqual(ids[position], target, upTo: end) { return position }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func isEqual(_ id: [UInt8], _ target: Span<UInt8>, upTo end: Int) -> Bool {
        guard id.count == end - 1 else { return false }
        for index in 0..<id.count where id[index] != target[index + 1] { return false }
        return true
    }

    private static let slash = UInt8(ascii: "/")
    private static let question = UInt8(ascii: "?")
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func mix(_ hash: inout UInt64, _ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
