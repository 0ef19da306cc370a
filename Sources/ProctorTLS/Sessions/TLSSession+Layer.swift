internal import COpenSSL
public import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension TLSSession {
    /// As ``SocketLayer/read(into:from:)``.
    public func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome {
        if let failure { return .failed(failure) }
        guard !isQueueOverfull else { return .wantsToSend }
        beginCall()
        var total = 0
        while true {
            var count = 0
            ERR_clear_error()
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[total...])
            let result = unsafe SSL_read_ex(ssl, rest.baseAddress, rest.count, &count)
            guard result == 1 else {
                let outcome = outcome(of: result)
                // What is wrong is told by the next read.
                return total > 0 ? .moved(total) : outcome
            }
            total += count
            // More of what has come already; the system is not asked again.
            guard total < room.count, unsafe SSL_has_pending(ssl) == 1 else { return .moved(total) }
        }
    }

    /// As ``SocketLayer/write(_:to:)``.
    public func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        if let failure { return .failed(failure) }
        // What was cut off on purpose swallows the rest.
        guard !isMute else { return .moved(bytes.count) }
        let room = Self.queueLimit - queue.count
        guard room >= min(bytes.count, Self.leastRoom) else { return .wantsToSend }
        var count = 0
        beginCall()
        let result = unsafe SSL_write_ex(ssl, bytes.baseAddress, min(bytes.count, room), &count)
        return result == 1 ? .moved(count) : outcome(of: result)
    }

    /// Of a call that failed.
    private func outcome(of result: Int32) -> LayerOutcome {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return isQueueOverfull ? .wantsToSend : .wantsToReceive
        case SSL_ERROR_WANT_WRITE: return .wantsToSend
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL where hasPeerEnded: return .ended
        case SSL_ERROR_SYSCALL: return .broken
        default:
            let sentence = OpenSSLErrors.takeSentence()
            failure = sentence
            return .failed(sentence)
        }
    }

    /// As ``SocketLayer/flush(to:)``.
    public func flush(to socket: Socket) -> Int32 {
        while queue.count > 0 {
            let code = Self.sendSome(of: &queue, upTo: .max, over: socket)
            if code == 0 { continue }
            if wouldBlock(Int(-code)) { return 0 }
            queue.cut(to: 0)
            return code
        }
        return 0
    }

    /// 0 for at least one byte, otherwise the `errno`.
    static func sendSome(of queue: inout RecordQueue, upTo offset: Int, over socket: Socket) -> Int32 {
        let count = min(queue.count, offset - queue.sentByteCount)
        let sent = unsafe socket.sendAtOnce(UnsafeRawBufferPointer(rebasing: queue.unsent.prefix(count)))
        guard sent > 0 else { return sent == 0 ? EPIPE : Int32(clamping: -sent) }
        queue.didSend(sent)
        return 0
    }

    /// As ``SocketLayer/unsentByteCount``.
    public var unsentByteCount: Int { queue.count }

    /// As ``SocketLayer/sayGoodbye()``.
    public func sayGoodbye() {
        guard !hasSaidGoodbye, !isMute, failure == nil, unsafe SSL_in_init(ssl) == 0 else { return }
        hasSaidGoodbye = true
        ERR_clear_error()
        unsafe SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// As ``SocketLayer/hasNews(from:)``.
    public func hasNews(from socket: Socket) -> Bool {
        if failure != nil { return true }
        if unsafe SSL_pending(ssl) > 0 { return true }
        // Not quiet at all: reading waits until the peer takes its answers.
        guard !isQueueOverfull else { return true }
        var byte: UInt8 = 0
        var count = 0
        beginCall()
        let result = unsafe SSL_peek_ex(ssl, &byte, 1, &count)
        guard result != 1 else { return true }
        switch outcome(of: result) {
        case .wantsToReceive, .wantsToSend: return false
        default: return true
        }
    }

    /// Plaintext that waits to be sent, at most.
    static let queueLimit = 64 << 10
    /// A queue with less room than that waits, so that records are not made small.
    static let leastRoom = 16 << 10
}

/// Whether a negative `errno` says no more than that.
func wouldBlock(_ result: Int) -> Bool {
    result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK)
}
