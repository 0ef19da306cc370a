internal import ProctorBase
internal import ProctorLoop

/// Neighbouring ports of 127.0.0.1 for one intermediary; no other Proctor takes them until the block is freed.
///
/// An intermediary binds its ports some time after they were chosen. The system could give a free one to another program until
/// then, so the blocks lie below the ports that systems choose by themselves (from 32768 on Linux, from 49152 on Darwin). The
/// first port of a block is bound for as long as the block lives: other processes of Proctor take another block.
struct PortBlock: Sendable {
    /// Where the intermediary listens, where it does with TLS, and another port.
    let listen, secure, spare: SocketAddress
    /// The first port for the origins of a run; the rest of the block is for them.
    let upstream: UInt16
    /// The first port, which says that the block is taken.
    private let claim: ClosedPort

    /// The ports of all blocks.
    static let range: Range<UInt16> = 20_000..<28_000
    private static let size: UInt16 = 8

    /// Takes the first free block behind `start`, a number of one.
    init(from start: UInt16 = .random(in: 0..<UInt16.max)) throws(CallFailure) {
        let count = UInt16(Self.range.count) / Self.size
        for step in 0..<count {
            let first = Self.range.lowerBound + (start % count + step) % count * Self.size
            if let block = PortBlock(at: first) {
                self = block
                return
            }
        }
        throw CallFailure(
            call: "bind ports for an intermediary", code: 0,
            text: "no \(Self.size) neighbouring ports of 127.0.0.1 from \(Self.range.lowerBound) to "
                + "\(Self.range.upperBound - 1) are free")
    }

    /// nil where one of its ports is in use.
    private init?(at first: UInt16) {
        func address(_ distance: UInt16) -> SocketAddress { .ipv4(host: "127.0.0.1", port: first + distance) }
        do throws(CallFailure) {
            claim = try ClosedPort(host: address(0))
            // Others are bound to see that they are free, and closed again.
            for distance in 1..<Self.size { _ = try ClosedPort(host: address(distance)) }
        } catch {
            return nil
        }
        (listen, secure, spare, upstream) = (address(1), address(2), address(3), first + 4)
    }
}
