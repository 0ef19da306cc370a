/// The nonce counts that came with one nonce (RFC 7616 §3.4): each may come once, in about the order of counting.
///
/// Requests in parallel overtake one another, so counts below the highest are remembered one by one, as far as a window
/// of 1,024 goes; what is older counts as having come.
struct NonceCounts: Sendable {
    /// 0 before the first.
    private(set) var highest: UInt32 = 0
    /// Bit `n` of the window stands for the count `highest - n`; empty while no count was left out.
    private var window: [UInt64] = []

    static let windowCount: UInt32 = 1_024

    /// Whether the count has come, or is too old to tell.
    func hasSeen(_ count: UInt32) -> Bool {
        guard count <= highest else { return false }
        guard !window.isEmpty else { return true }
        let distance = highest - count
        guard distance < Self.windowCount else { return true }
        return window[Int(distance / 64)] >> UInt64(distance % 64) & 1 == 1
    }

    /// False where it had come before.
    mutating func take(_ count: UInt32) -> Bool {
        guard !hasSeen(count) else { return false }
        if window.isEmpty {
            if count == highest + 1 {
                highest = count
                return true
            }
            window = Array(repeating: .max, count: Int(Self.windowCount / 64))
        }
        if count > highest {
            shift(by: count - highest)
            highest = count
        }
        let distance = highest - count
        window[Int(distance / 64)] |= 1 << UInt64(distance % 64)
        return true
    }

    /// Counts that were left out become places that may still be taken.
    private mutating func shift(by distance: UInt32) {
        guard distance < Self.windowCount else {
            window = Array(repeating: 0, count: window.count)
            return
        }
        let (words, bits) = (Int(distance / 64), UInt64(distance % 64))
        for index in window.indices.reversed() {
            let high = index >= words ? window[index - words] << bits : 0
            let low = bits > 0 && index > words ? window[index - words - 1] >> (64 - bits) : 0
            window[index] = high | low
        }
    }
}
