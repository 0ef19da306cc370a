public import FuzzSupport
import ProctorHTTP

/// Input of either reader: one byte of options, two bytes of cut, then what a peer sends.
///
/// Options: 1 small limits, 2 FIN at the end, 4 also byte by byte; the rest is the target's.
public struct ReadingInput {
    /// The first byte.
    public let options: UInt8
    /// What the peer sends.
    public let bytes: [UInt8]
    private let cut: Int

    /// Takes all of `input`.
    public init(_ input: FuzzInput) {
        var input = input
        options = input.byte()
        let number = input.number()
        bytes = input.remaining
        cut = number % (bytes.count + 1)
    }

    /// Whether short inputs are to meet the limits.
    public var hasSmallLimits: Bool { options & 1 != 0 }

    /// Whether the peer leaves at the end.
    public var endsWithFIN: Bool { options & 2 != 0 }

    /// The events of the whole input, which every way of feeding it must give.
    public func events<Head>(reading: ([[UInt8]]) -> [Seen<Head>]) -> [Seen<Head>] {
        let whole = reading([bytes])
        let parts = reading([Array(bytes[..<cut]), Array(bytes[cut...])])
        check(parts == whole, "cut at \(cut) of \(bytes.count):\n\(parts)\nwhole:\n\(whole)")
        if options & 4 != 0, bytes.count <= 1_024 {
            let single = reading(bytes.map { [$0] })
            check(single == whole, "byte by byte:\n\(single)\nwhole:\n\(whole)")
        }
        return whole
    }
}
