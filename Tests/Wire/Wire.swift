import ProctorTestSupport

#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// A blocking TCP client that sends and reads bytes as they are; every wait ends after ``patience``.
///
/// It is for a thread of its own, see ``onThread(_:)``: a test that blocked a thread of the pool would block others.
package final class Wire: @unchecked Sendable {
    package private(set) var descriptor: Int32
    /// How the connection ended; nil while no read has seen it.
    package private(set) var ending: Ending?

    /// Seconds that a read or write may take before it counts as silence.
    package static var patience: Int { Patience.seconds }

    /// How the read bytes ended.
    package enum Ending: Equatable {
        /// FIN.
        case closed
        /// RST.
        case reset
        /// Nothing more within the patience.
        case silent
    }

    package struct Received: Equatable, CustomStringConvertible {
        package let bytes: [UInt8]
        package let ending: Ending

        package init(_ bytes: [UInt8], _ ending: Ending) {
            self.bytes = bytes
            self.ending = ending
        }

        package init(_ text: String, _ ending: Ending) {
            self.init(Array(text.utf8), ending)
        }

        package var text: String { String(decoding: bytes, as: UTF8.self) }
        package var description: String { "\(text.debugDescription), \(ending)" }
    }

    /// Connects to `http://127.0.0.1:1234`; what follows the port is ignored.
    ///
    /// `receiveByteCount` bounds what the system takes for us before we read.
    package init(to base: String, receiveByteCount: Int32? = nil) throws {
        var address = try Self.address(of: base)
        descriptor = Self.newSocket()
        guard descriptor >= 0 else { throw WireFailure("socket", errno) }
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        if var count = receiveByteCount {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, socklen_t(MemoryLayout<Int32>.size))
        }
        var yes: Int32 = 1
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard result == 0 else {
            let code = errno
            close()
            throw WireFailure("connect to \(base)", code)
        }
    }

    deinit { close() }

    /// Connects repeatedly until the port is closed.
    package static func waitUntilRefused(by base: String) throws {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(patience) {
            do {
                try Wire(to: base).close()
            } catch let failure as WireFailure where failure.code == ECONNREFUSED {
                return
            } catch let failure as WireFailure where failure.code == ECONNRESET {
                // The port was given up between the handshake and its answer.
            }
            usleep(1_000)
        }
        throw WireFailure("\(base) still accepts", 0)
    }

    // MARK: Sending

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = sendSome(bytes[sent...])
            guard count > 0 else { throw WireFailure("send", errno) }
            sent += count
        }
    }

    /// FIN; reading goes on.
    package func finish() {
        #if canImport(Darwin)
            shutdown(descriptor, SHUT_WR)
        #else
            shutdown(descriptor, Int32(SHUT_WR))
        #endif
    }

    /// RST.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    package func close() {
        guard descriptor >= 0 else { return }
        Self.closeNow(descriptor)
        descriptor = -1
    }

    // MARK: Reading

    /// Reads until the connection ends, or goes silent for the patience.
    package func readToEnd() throws -> Received {
        var bytes: [UInt8] = []
        while true {
            if let ending = try readSome(into: &bytes, upTo: 65_536) { return Received(bytes, ending) }
        }
    }

    /// What each read gave, with room for far more, until the connection ends.
    package func readPieces() throws -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while true {
            var piece: [UInt8] = []
            if try readSome(into: &piece, upTo: 65_536) != nil { return pieces }
            if !piece.isEmpty { pieces.append(piece) }
        }
    }

    /// Reads just so many bytes, or fewer if the connection ends before.
    package func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if try readSome(into: &bytes, upTo: count - bytes.count) != nil { break }
        }
        return bytes
    }

    /// Reads up to the end of a head, byte for byte, so that nothing behind it is taken.
    package func readHead() throws -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            if try readSome(into: &bytes, upTo: 1) != nil { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads one reply whose head gives its Content-Length, and nothing behind it.
    package func readReply() throws -> String {
        let head = try readHead()
        let lines = head.split(separator: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }
        let count = length.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
        return head + String(decoding: try read(count), as: UTF8.self)
    }

    /// Whether nothing at all arrives for so long, not even an end.
    package func isSilent(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) == 0
    }

    /// Reads and throws away until the end; counts the bytes, and asks about each of the first `checkedByteCount`.
    package func drain(
        checkedByteCount: Int = .max, _ check: (Int, UInt8) -> Bool = { _, _ in true }
    ) throws -> (byteCount: Int, isRight: Bool, ending: Ending) {
        var total = 0
        var isRight = true
        var bytes: [UInt8] = []
        while true {
            bytes.removeAll(keepingCapacity: true)
            let ending = try readSome(into: &bytes, upTo: 1 << 20)
            if total < checkedByteCount {
                for (index, byte) in bytes.enumerated() { isRight = isRight && check(total + index, byte) }
            }
            total += bytes.count
            if let ending { return (total, isRight, ending) }
        }
    }

    private func readSome(into bytes: inout [UInt8], upTo limit: Int) throws -> Ending? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            bytes += buffer[..<count]
            return nil
        }
        if count == 0 {
            ending = ending ?? .closed
            return .closed
        }
        switch errno {
        case ECONNRESET, EPIPE:
            ending = .reset
            return .reset
        case EAGAIN, EWOULDBLOCK: return .silent
        case EINTR: return nil
        default: throw WireFailure("recv", errno)
        }
    }
}

package struct WireFailure: Error, CustomStringConvertible {
    package let description: String
    package let code: Int32

    package init(_ call: String, _ code: Int32) {
        self.code = code
        description = unsafe code == 0 ? call : "\(call): \(String(cString: strerror(code)))"
    }
}

extension Wire {
    /// Where `http://127.0.0.1:1234` is; what follows the port is ignored.
    package static func address(of base: String) throws -> sockaddr_in {
        let authority = base.dropFirst("http://".count).prefix { $0 != "/" }
        let parts = authority.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { throw WireFailure("can't read \(base)", 0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe inet_pton(AF_INET, String(parts[0]), &address.sin_addr)
        return address
    }

    /// A TCP socket that no child inherits; negative with `errno` where there is none.
    package static func newSocket() -> Int32 {
        #if canImport(Darwin)
            socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
    }

    package static func closeNow(_ descriptor: Int32) {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }

    /// The result of connecting within a limit: 0, an error code, or EINPROGRESS.
    package static func codeOfConnecting(to base: String, milliseconds: Int32) throws -> Int32 {
        var address = try address(of: base)
        let descriptor = newSocket()
        guard descriptor >= 0 else { throw WireFailure("socket", errno) }
        defer { closeNow(descriptor) }
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            throw WireFailure("fcntl", errno)
        }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        let code = errno
        if result == 0 { return 0 }
        guard code == EINPROGRESS else { return code }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) != 0 else { return EINPROGRESS }
        var outcome: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &outcome, &size) == 0 else {
            throw WireFailure("getsockopt", errno)
        }
        return outcome
    }
}

extension Wire {
    /// One call of the system: how much it took, or -1 with `errno`; a connection that is gone is an error and no
    /// signal.
    package func sendSome(_ bytes: ArraySlice<UInt8>, waits: Bool = true) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            #if canImport(Darwin)
                let flags = waits ? 0 : MSG_DONTWAIT
                return unsafe Darwin.send(descriptor, buffer.baseAddress, buffer.count, flags)
            #else
                let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
                return unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags)
            #endif
        }
    }

    /// Sends as much as is taken; how much that was when nothing more is for so long.
    package func sendUntilFull(_ bytes: [UInt8], milliseconds: Int32) throws -> Int {
        var sent = 0
        while sent < bytes.count {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, milliseconds) != 0 else { return sent }
            let count = sendSome(bytes[sent...], waits: false)
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else { throw WireFailure("send", errno) }
            sent += count
        }
        return sent
    }
}
