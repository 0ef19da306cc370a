import Foundation
import ProctorProgram

/// An adapter that sits the exam over the network, as an app in a simulator or on a device does.
///
/// It connects to where `proctor exam --adapter tcp://…` waits, and the connection is its standard input and output
/// (Docs/clients/network.md).
enum Remote {
    /// How long a connection is tried again.
    private static let patience: TimeInterval = 30
    /// Between two tries; doubled up to a second.
    private static let firstPause: TimeInterval = 0.1
    /// For the exam's answer to the greeting.
    private static let answerTime = 10
    private static let answerLimit = 4_096

    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// Whether nobody listens there.
        var isRefusal = false
        /// Whether another try would end in the same way.
        var isFinal = false
    }

    /// Does assignments until the exam has ended; blocks its thread.
    ///
    /// `address` is `tcp://ADDRESS:PORT`. A lost connection is made anew; the exam then asks its case again. A step that hangs is left to its thread, and
    /// what follows has a connection of its own.
    static func serve<Served: Adapter>(_ client: Served.Type, at address: String, token: String) throws(Failure) {
        let (host, port) = try place(address)
        var wasConnected = false
        while let descriptor = try connect(host, port, token: token, wasConnected: wasConnected) {
            wasConnected = true
            serve(client, on: descriptor)
            close(descriptor)
        }
    }

    /// Until the connection ends, or a step hangs.
    private static func serve<Served: Adapter>(_ client: Served.Type, on descriptor: Int32) {
        var rest = Data()
        while let line = readLine(descriptor, &rest, limit: 64 << 20) {
            guard let assignment = try? Kit.assignment(line) else { return }
            let trace = Trace(writingTo: descriptor)
            let done = DispatchSemaphore(value: 0)
            let thread = Thread {
                Kit.run(assignment, as: client, trace)
                done.signal()
            }
            thread.stackSize = 1 << 20
            thread.start()
            let hasEnded = done.wait(timeout: .now() + .milliseconds(Kit.milliseconds(of: assignment))) == .success
            if !hasEnded { trace.giveUp() }
            trace.end()
            guard write(Data("\n".utf8), to: descriptor), hasEnded else { return }
        }
    }

    private static func place(_ address: String) throws(Failure) -> (host: String, port: UInt16) {
        guard let url = URLComponents(string: address), url.scheme == "tcp", let host = url.host, let port = url.port,
            let port = UInt16(exactly: port), port > 0
        else {
            throw Failure(
                description: "'\(address)' is no place of an exam; expected tcp://ADDRESS:PORT", isFinal: true)
        }
        return (host, port)
    }

    /// nil where the exam has ended: nobody listens where it did.
    private static func connect(
        _ host: String, _ port: UInt16, token: String, wasConnected: Bool
    ) throws(Failure) -> Int32? {
        let end = Date(timeIntervalSinceNow: patience)
        var pause = firstPause
        while true {
            do throws(Failure) {
                return try greeted(host, port, token: token)
            } catch {
                if error.isRefusal, wasConnected { return nil }
                if error.isFinal { throw error }
                guard Date(timeIntervalSinceNow: pause) < end else {
                    throw Failure(description: "no exam was reached at \(host):\(port) within 30 s: \(error)")
                }
                Thread.sleep(forTimeInterval: pause)
                pause = min(2 * pause, 1)
            }
        }
    }

    /// A connection whose greeting the exam accepted.
    private static func greeted(_ host: String, _ port: UInt16, token: String) throws(Failure) -> Int32 {
        let descriptor = try connected(host, port)
        do throws(Failure) {
            var limit = timeval(tv_sec: answerTime, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            #if canImport(Darwin)
                var on: Int32 = 1
                setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            #else
                signal(SIGPIPE, SIG_IGN)
            #endif
            let greeting: [String: Any] = ["adapter": "proctor", "version": 1, "token": token]
            guard var line = try? JSONSerialization.data(withJSONObject: greeting) else {
                throw Failure(description: "the token is no text", isFinal: true)
            }
            line.append(0x0A)
            guard write(line, to: descriptor) else { throw failure("write") }
            var rest = Data()
            guard let answer = readLine(descriptor, &rest, limit: answerLimit, atOnce: 1) else {
                throw Failure(description: "the connection ended before the exam answered")
            }
            let members = (try? JSONSerialization.jsonObject(with: answer)) as? [String: Any]
            guard let members, members["proctor"] as? String == "exam" else {
                throw Failure(description: "what listens at \(host):\(port) is no exam", isFinal: true)
            }
            if let reason = members["refused"] as? String {
                throw Failure(description: "the exam refused the connection: \(reason)", isFinal: true)
            }
            limit.tv_sec = 0
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func connected(_ host: String, _ port: UInt16) throws(Failure) -> Int32 {
        var hints = addrinfo()
        #if canImport(Darwin)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard getaddrinfo(name, String(port), &hints, &found) == 0, let found else {
            throw Failure(description: "\(host) is no address", isFinal: true)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, found.pointee.ai_protocol)
        guard descriptor >= 0 else { throw failure("socket") }
        #if canImport(Darwin)
            let result = Darwin.connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen)
        #else
            let result = Glibc.connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen)
        #endif
        guard result == 0 else {
            let failure = failure("connect")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func failure(_ call: String) -> Failure {
        let code = errno
        return Failure(description: "\(call): \(String(cString: strerror(code)))", isRefusal: code == ECONNREFUSED)
    }

    private static func write(_ data: Data, to descriptor: Int32) -> Bool {
        var left = data[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    /// The next line without its line feed; nil at the end of the connection, and for one beyond the limit.
    private static func readLine(
        _ descriptor: Int32, _ rest: inout Data, limit: Int, atOnce: Int = 65_536
    ) -> Data? {
        var searched = 0
        while true {
            if let end = rest.dropFirst(searched).firstIndex(of: 0x0A) {
                let line = Data(rest[rest.startIndex..<end])
                rest = Data(rest[(end + 1)...])
                return line
            }
            searched = rest.count
            guard searched < limit else { return nil }
            var buffer = [UInt8](repeating: 0, count: atOnce)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            rest += buffer.prefix(count)
        }
    }
}
