internal import ProctorBase
internal import Synchronization

/// What the connections of one server hold together; safe from any thread.
package final class ServerUsage: Sendable {
    private let connectionCount = Atomic(0)
    private let streamCount = Atomic(0)
    private let pageByteCount = Atomic(0)
    private let messageByteCount = Atomic(0)
    /// How many datagrams were dropped, by their reasons, which are few.
    private let droppedDatagramCounts = Locked<[String: Int]>([:])

    package init() {}

    /// Counts a datagram of QUIC that was dropped before a library got it, by the reason's name.
    package func countDroppedDatagram(_ reason: String) {
        droppedDatagramCounts.withLock { $0[reason, default: 0] &+= 1 }
    }

    /// Datagrams that were dropped since the server's start, by the names of their reasons.
    package var droppedDatagrams: [(reason: String, count: Int)] {
        droppedDatagramCounts.withLock { $0 }.map { (reason: $0.key, count: $0.value) }.sorted { $0.reason < $1.reason }
    }

    /// Bytes of long pages and answers of the server itself that are on their way at a time.
    static let pageByteLimit = 64 << 20
    /// Shorter ones are not counted.
    private static let longPage = 16 << 10

    /// Takes a place among `limit` connections, which is given back with ``closeConnection()``; false where there is none.
    func openConnection(within limit: Int) -> Bool {
        let former = connectionCount.wrappingAdd(1, ordering: .relaxed).oldValue
        if former < limit { return true }
        closeConnection()
        return false
    }

    /// Connections that hold a place now.
    package var openConnectionCount: Int { connectionCount.load(ordering: .relaxed) }

    func closeConnection() { connectionCount.wrappingSubtract(1, ordering: .relaxed) }

    /// Streams that stay open longer than their requests are read.
    package var openStreamCount: Int { streamCount.load(ordering: .relaxed) }

    package func openStream() { streamCount.wrappingAdd(1, ordering: .relaxed) }

    /// Takes room for a page, which is given back with ``closePage(_:)``; nil where there is none.
    func openPage(_ byteCount: Int) -> Int? {
        guard byteCount >= Self.longPage else { return 0 }
        let former = pageByteCount.wrappingAdd(byteCount, ordering: .relaxed).oldValue
        if former == 0 || former + byteCount <= Self.pageByteLimit { return byteCount }
        closePage(byteCount)
        return nil
    }

    func closePage(_ byteCount: Int) {
        if byteCount > 0 { pageByteCount.wrappingSubtract(byteCount, ordering: .relaxed) }
    }

    /// Bytes of the messages of all WebSockets that are not complete, or not sent back yet.
    ///
    /// 256 MiB, or less in a small container.
    package static let messageByteLimit = MemoryBound.share(of: 256 << 20)

    /// Whether room is taken for memory that is reserved too, since the process has a bound that may count it.
    package static let countsReserved = MemoryBound.byteCount != nil

    /// Takes room for a part of a message, which is given back with ``releaseMessage(_:)``; false where there is none.
    package func holdMessage(_ byteCount: Int) -> Bool {
        let former = messageByteCount.wrappingAdd(byteCount, ordering: .relaxed).oldValue
        if former + byteCount <= Self.messageByteLimit { return true }
        releaseMessage(byteCount)
        return false
    }

    package func releaseMessage(_ byteCount: Int) { messageByteCount.wrappingSubtract(byteCount, ordering: .relaxed) }

    package func closeStream() { streamCount.wrappingSubtract(1, ordering: .relaxed) }
}
