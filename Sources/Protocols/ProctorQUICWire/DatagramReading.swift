internal import ProctorBase

/// A datagram that begins with a long header, read as far as headers show, before a library gets it.
///
/// Pure; all lengths are looked at before a byte is, so that no datagram leads to a trap.
package enum DatagramReading: Sendable, Equatable {
    /// Packets of version 1, one behind the other (RFC 9000 §12.2).
    case packets(Packets)
    /// A packet of another version, with its ids, which may have 255 bytes.
    case otherVersion(destination: Range<Int>, source: Range<Int>)
    /// Version Negotiation of a server.
    case versionNegotiation(destination: Range<Int>)

    package struct Packets: Sendable, Equatable {
        /// One at least; all of them have the same destination id.
        package var long: [LongHeader]
        /// A packet with a short header behind them.
        package var short: Range<Int>?
        /// What is left is no packet of this connection, and is not handed on.
        package var rest: Range<Int>
        /// Why not; nil where nothing is left.
        package var restFault: DatagramFault?

        package var destination: Range<Int> { long[0].destination }
        package var source: Range<Int> { long[0].source }
        package var hasInitial: Bool { long.contains { $0.kind == .initial } }
    }

    package enum Sender: Sendable {
        case client, server
    }

    /// The fewest bytes of a client's datagram with an Initial packet (RFC 9000 §14.1).
    package static let leastInitial = 1_200

    /// Reads a datagram whose first bit says that it has a long header.
    package init(_ bytes: borrowing Span<UInt8>, by sender: Sender) throws(DatagramFault) {
        guard bytes.count > 0 else { throw .empty }
        let ids = try HeaderIDs(bytes, at: 0)
        switch (ids.version, sender) {
        case (0, .client): throw .versionNegotiationByClient
        case (0, .server):
            // Its ids are ours, and a list of versions of four bytes each follows (RFC 9000 §17.2.1).
            let byteCount = bytes.count - ids.end
            guard ids.destination.count <= LongHeader.mostIDBytes, ids.source.count <= LongHeader.mostIDBytes else {
                throw .idTooLong
            }
            guard byteCount > 0, byteCount.isMultiple(of: 4) else { throw .versionListCut }
            self = .versionNegotiation(destination: ids.destination)
        case (LongHeader.version1, _): self = .packets(try Self.packets(bytes, ids, by: sender))
        case (_, .client):
            guard bytes.count >= Self.leastInitial else { throw .unknownVersion }
            self = .otherVersion(destination: ids.destination, source: ids.source)
        default: throw .unknownVersion
        }
    }

    private static func packets(
        _ bytes: borrowing Span<UInt8>, _ ids: HeaderIDs, by sender: Sender
    ) throws(DatagramFault) -> Packets {
        let first = try Self.header(bytes, at: 0, ids, by: sender)
        var packets = Packets(long: [first], rest: bytes.count..<bytes.count)
        var position = first.range.upperBound
        while position < bytes.count {
            do throws(DatagramFault) {
                if bytes[position] & 0x80 == 0 {
                    packets.short = try Self.short(bytes, at: position, behind: first)
                    break
                }
                let ids = try HeaderIDs(bytes, at: position)
                guard ids.version == LongHeader.version1, Self.isSame(bytes, ids.destination, first.destination) else {
                    throw .otherConnection
                }
                let header = try Self.header(bytes, at: position, ids, by: sender)
                packets.long.append(header)
                position = header.range.upperBound
            } catch {
                (packets.rest, packets.restFault) = (position..<bytes.count, error)
                break
            }
        }
        guard sender == .server || !packets.hasInitial || bytes.count >= leastInitial else { throw .initialTooSmall }
        return packets
    }

    private static func header(
        _ bytes: borrowing Span<UInt8>, at position: Int, _ ids: HeaderIDs, by sender: Sender
    ) throws(DatagramFault) -> LongHeader {
        let header = try LongHeader(bytes, at: position, ids)
        switch (header.kind, sender) {
        case (.retry, .client): throw .retryByClient
        case (.initial, .server) where !header.token.isEmpty: throw .tokenByServer
        default: return header
        }
    }

    /// A packet of the same connection to the end of the datagram.
    private static func short(
        _ bytes: borrowing Span<UInt8>, at position: Int, behind first: LongHeader
    ) throws(DatagramFault) -> Range<Int> {
        let id = position + 1..<position + 1 + first.destination.count
        guard bytes.count - id.upperBound >= LongHeader.leastProtected else { throw .packetTooShort }
        guard isSame(bytes, id, first.destination) else { throw .otherConnection }
        return position..<bytes.count
    }

    private static func isSame(_ bytes: borrowing Span<UInt8>, _ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for index in 0..<one.count where bytes[one.lowerBound + index] != bytes[other.lowerBound + index] {
            return false
        }
        return true
    }

    /// Whether a packet with a short header, whose destination id has so many bytes, has the form of one (RFC 9000 §17.3).
    @inlinable package static func isShortPacket(_ bytes: [UInt8], idByteCount: Int) -> Bool {
        bytes.count >= 1 + idByteCount + 20 && bytes[0] & 0x80 == 0
    }
}
