import ProctorBase

@testable import ProctorLoop

/// A layer that makes one record of each write: a length of two bytes, and the plaintext with every bit turned over.
///
/// A record of length 0 is its word of farewell; one of 0xFFFF bytes is nothing that can be read.
final class MirrorLayer: SocketLayer {
    private var queue: [UInt8] = []
    private var sent = 0
    private var input: [UInt8] = []
    private var plain: [UInt8] = []
    private(set) var saidGoodbye = false
    private(set) var heardGoodbye = false
    private var isEnded = false
    private var complaint: String?
    /// What the queue may hold.
    static let queueLimit = 20_000

    var unsentByteCount: Int { queue.count - sent }

    func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome {
        while plain.isEmpty {
            if let complaint { return .failed(complaint) }
            if isEnded { return .ended }
            switch fetch(from: socket) {
            case 0: isEnded = true
            case -11, -35: return .wantsToReceive
            case ..<0: return .broken
            default: openRecords()
            }
        }
        let count = min(room.count, plain.count)
        unsafe room.copyBytes(from: plain.prefix(count))
        plain.removeFirst(count)
        return .moved(count)
    }

    private func fetch(from socket: Socket) -> Int {
        unsafe withUnsafeTemporaryAllocation(byteCount: 777, alignment: 1) { buffer in
            let count = unsafe socket.receiveAtOnce(into: buffer)
            if count > 0 { unsafe input += Array(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count
        }
    }

    private func openRecords() {
        while input.count >= 2 {
            let length = Int(input[0]) << 8 | Int(input[1])
            if length == 0xFFFF {
                complaint = "a record of 65535 bytes can't be read"
                return
            }
            guard input.count >= 2 + length else { return }
            if length == 0 {
                heardGoodbye = true
                isEnded = true
            }
            plain += input[2..<2 + length].map { ~$0 }
            input.removeFirst(2 + length)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        guard unsentByteCount < Self.queueLimit else { return .wantsToSend }
        let count = min(bytes.count, 4000)
        queue += [UInt8(count >> 8), UInt8(count & 255)]
        unsafe queue += bytes.prefix(count).map { ~$0 }
        return .moved(count)
    }

    func flush(to socket: Socket) -> Int32 {
        while sent < queue.count {
            let count = unsafe queue.withUnsafeBytes { buffer in
                unsafe socket.sendAtOnce(UnsafeRawBufferPointer(rebasing: buffer[sent...]))
            }
            if count == -11 || count == -35 { return 0 }
            guard count >= 0 else {
                queue = []
                sent = 0
                return Int32(-count)
            }
            sent += count
        }
        queue = []
        sent = 0
        return 0
    }

    func sendCloseNotify() {
        guard !saidGoodbye else { return }
        saidGoodbye = true
        queue += [0, 0]
    }

    func hasInput(from socket: Socket) -> Bool {
        while plain.isEmpty, !isEnded, complaint == nil {
            switch fetch(from: socket) {
            case 0: isEnded = true
            case -11, -35: return false
            case ..<0: return true
            default: openRecords()
            }
        }
        return true
    }
}

/// A layer one of whose directions waits for the other's bytes, as TLS does in the middle of a message of its own.
final class CrossingLayer: SocketLayer {
    enum Crossing {
        /// Nothing can be written before something has come.
        case writesNeedBytes
        /// Nothing can be read before the queue has gone.
        case readsNeedRoom
    }

    private let inner = MirrorLayer()
    private let crossing: Crossing
    private var hasReceived = false

    init(_ crossing: Crossing) {
        self.crossing = crossing
    }

    var unsentByteCount: Int { inner.unsentByteCount }

    func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome {
        if crossing == .readsNeedRoom, inner.unsentByteCount > 0 { return .wantsToSend }
        let outcome = unsafe inner.read(into: room, from: socket)
        if case .moved = outcome { hasReceived = true }
        return outcome
    }

    func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        if crossing == .writesNeedBytes, !hasReceived {
            hasReceived = inner.hasInput(from: socket)
            guard hasReceived else { return .wantsToReceive }
        }
        return unsafe inner.write(bytes, to: socket)
    }

    func flush(to socket: Socket) -> Int32 { inner.flush(to: socket) }
    func sendCloseNotify() { inner.sendCloseNotify() }
    func hasInput(from socket: Socket) -> Bool { inner.hasInput(from: socket) }
}
