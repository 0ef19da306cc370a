/// How many more bytes one file may have made while it is loaded.
///
/// A reference, because bytes are made in many places; for one thread at a time.
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
