/// Tells a changed scenario from one that is the same as before (FNV-1a).
///
/// A reference, because a scenario is made of parts that are found in many places; used by one thread.
final class Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(of bytes: [UInt8]) {
        mix(bytes)
    }

    /// Takes in something that the file itself does not show.
    func mix(_ bytes: some Sequence<UInt8>) {
        value = bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

/// How many more bytes one file may have made while it is loaded.
///
/// A reference, because bytes are made in many places; used by one thread.
final class LiteralBudget {
    /// 64 MiB.
    static let byteCount = 64 << 20

    private var left = byteCount

    /// False when there are not so many left.
    func take(_ byteCount: Int) -> Bool {
        guard byteCount <= left else { return false }
        left -= byteCount
        return true
    }
}

/// The names of things that stand in files of their own, as they are read.
///
/// A reference, because they are found in many places; used by one thread.
final class MentionList {
    private(set) var all: [Scenario.Mention] = []

    func add(_ mention: Scenario.Mention) {
        all.append(mention)
    }
}
