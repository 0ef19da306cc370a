internal import Foundation
package import ProctorEvents

/// The beginning of a body, as long as a `result` takes it, and the length of all of it.
package struct KeptBody: Sendable {
    /// At most ``limit`` bytes.
    package private(set) var start: [UInt8] = []
    /// Of the whole body, in bytes.
    package private(set) var byteCount = 0

    /// Bytes that are kept; of what is behind them only the count is.
    ///
    /// In base64 they fit the line of a trace, which has 1 MiB at most.
    package static let limit = 640 << 10

    /// Nothing yet.
    package init() {}

    /// The beginning, at least ``limit`` bytes of it where there are as many, and the length of the whole.
    package init(_ start: some Collection<UInt8>, byteCount: Int) {
        self.start = Array(start.prefix(Self.limit))
        self.byteCount = byteCount
    }

    /// Bytes after those before.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        byteCount += bytes.count
        let room = Self.limit - start.count
        if room > 0 { start += bytes.prefix(room) }
    }

    /// `bytes`, and `body` or `bodyBase64` where all of it was kept.
    package var facts: EventFacts {
        var facts: EventFacts = []
        facts.add(.bytes, byteCount)
        guard byteCount == start.count else { return facts }
        if let text { facts.add(.body, text) } else { facts.add(.bodyBase64, Data(start).base64EncodedString()) }
        return facts
    }

    /// `bytes`, and `crc32` where all of it was kept.
    package var contentFacts: EventFacts {
        if byteCount == start.count { return .content(of: start) }
        var facts: EventFacts = []
        facts.add(.bytes, byteCount)
        return facts
    }

    /// nil for what is no UTF-8, has NUL in it, or would be longer with its escapes than in base64.
    private var text: String? {
        var byteCount = 0
        for byte in start {
            switch byte {
            case 0: return nil
            case ..<0x20: byteCount += 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byteCount += 2
            default: byteCount += 1
            }
        }
        return byteCount / 4 <= Self.limit / 3 ? String(validating: start, as: UTF8.self) : nil
    }
}
