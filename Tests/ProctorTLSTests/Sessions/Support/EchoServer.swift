import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import Testing

/// Answers each connection's first request in HTTP with what it knows of the session, then closes.
struct EchoServer: Sendable {
    let context: TLSServerContext

    /// Runs `body` with the port; the reports of the connections that came.
    func serve(_ body: @escaping @Sendable (Int) async throws -> Void) async throws -> [TLSReport] {
        let context = context
        return try await onLoop { loop in
            let listener = try Listener(on: loop, address: loopback)
            guard case .ipv4(_, let port) = listener.address else { return [] }
            let serving = Task(executorPreference: loop) { () -> [TLSReport] in
                var reports: [TLSReport] = []
                while let socket = await listener.accept() {
                    reports.append(await Self.answer(socket, context))
                }
                listener.close()
                return reports
            }
            let result = await Task { try await body(Int(port)) }.result
            listener.cancel()
            let reports = await serving.value
            try result.get()
            return reports
        }
    }

    private static func answer(_ socket: Socket, _ context: TLSServerContext) async -> TLSReport {
        defer { socket.close() }
        var reader = ClientHelloReader()
        while true {
            let outcome = try? await socket.read(within: patience) { reader.read($0) }
            guard let outcome = outcome ?? nil else { break }
            if case .needsMore = outcome { continue }
            break
        }
        let session = TLSSession(server: context, on: socket, received: reader.received)
        do {
            try await session.handshake(within: patience)
            socket.layer = session
            var request: [UInt8] = []
            while !request.suffix(4).elementsEqual([13, 10, 13, 10]) {
                guard let more = try await socket.read(within: patience, { $0.array }) else { return session.report }
                request += more
            }
            let body = [UInt8](repeating: 0x61, count: 200_000)
            try await socket.write(
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + body,
                within: patience)
            socket.halfClose()
            while try await socket.read(within: patience, { $0.count }) != nil {}
        } catch {
            socket.halfClose()
        }
        return session.report
    }
}
