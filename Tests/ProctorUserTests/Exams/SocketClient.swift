import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A client of HTTP/1.1 over a plain socket: one connection a request, lengths, chunks and redirects, and nothing more.
struct SocketClient: Sendable {
    struct Reply: Sendable {
        var status = 0
        var fields: [(name: String, value: String)] = []
        var content: [UInt8] = []
        var url = ""

        func value(_ name: String) -> String? { fields.last { $0.name.lowercased() == name.lowercased() }?.value }
    }

    struct Failure: Error {
        let name: String

        init(_ name: String) { self.name = name }
    }

    /// By name and port, as `example.org:80`, where it listens.
    var addresses: [String: String] = [:]

    /// Loads on a thread of its own, and calls back on it.
    func load(
        _ method: String, _ url: String, fields: [[String]], content: [UInt8]?, follows: Bool,
        _ done: @escaping @Sendable (Result<Reply, any Error>) -> Void
    ) {
        let thread = Thread { done(Result { try follow(method, url, fields, content, follows) }) }
        thread.start()
    }

    private func follow(
        _ method: String, _ url: String, _ fields: [[String]], _ content: [UInt8]?, _ follows: Bool
    ) throws -> Reply {
        var (method, url, content) = (method, url, content)
        for _ in 0...20 {
            var reply = try exchange(method, url, fields, content)
            reply.url = url
            guard follows, [301, 302, 303, 307, 308].contains(reply.status), let target = reply.value("Location"),
                let next = URL(string: target, relativeTo: URL(string: url))?.absoluteString
            else { return reply }
            let becomesGet = reply.status == 303 || reply.status < 303 && method == "POST"
            if becomesGet, method != "HEAD" { (method, content) = ("GET", nil) }
            url = next
        }
        throw Failure("tooManyRedirects")
    }

    private func exchange(
        _ method: String, _ url: String, _ fields: [[String]], _ content: [UInt8]?
    ) throws -> Reply {
        guard let parts = URLComponents(string: url), parts.scheme == "http", let host = parts.host else {
            throw Failure("badURL")
        }
        let authority = parts.port.map { "\(host):\($0)" } ?? host
        let socket = try connect(addresses["\(host):\(parts.port ?? 80)"] ?? "\(host):\(parts.port ?? 80)")
        defer { close(socket) }
        var target = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        if let query = parts.percentEncodedQuery { target += "?\(query)" }
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n"
        for field in fields where content != nil || !field[0].lowercased().hasPrefix("content-") {
            head += "\(field[0]): \(field[1])\r\n"
        }
        if let content { head += "Content-Length: \(content.count)\r\n" }
        try write(Array((head + "\r\n").utf8) + (content ?? []), to: socket)
        return try Self.reply(try readAll(socket), to: method)
    }

    private func connect(_ place: String) throws -> Int32 {
        let parts = place.split(separator: ":")
        #if canImport(Darwin)
            let socket = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(parts[1]).map(\.bigEndian) ?? 0
        guard unsafe inet_pton(AF_INET, String(parts[0]), &address.sin_addr) == 1 else {
            throw Failure("cannotFindHost")
        }
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(socket, $0, size) }
        }
        guard status == 0 else {
            close(socket)
            throw Failure("cannotConnect")
        }
        return socket
    }

    private func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
        #if canImport(Darwin)
            unsafe Darwin.connect(socket, address, size)
        #else
            unsafe Glibc.connect(socket, address, size)
        #endif
    }

    private func write(_ bytes: [UInt8], to socket: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw Failure("connectionLost") }
            rest = rest.dropFirst(count)
        }
    }

    private func readAll(_ socket: Int32) throws -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
            guard count >= 0 else { throw Failure("connectionLost") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static func reply(_ bytes: [UInt8], to method: String) throws -> Reply {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure("connectionLost") }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var reply = Reply()
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure("badServerResponse")
        }
        reply.status = status
        reply.fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), (parts.dropFirst().first ?? "").trimmingCharacters(in: .whitespaces))
        }
        let content = Array(bytes[end.upperBound...])
        if status < 200 { return try Self.reply(content, to: method) }
        guard method != "HEAD", status != 204, status != 304 else { return reply }
        if let length = reply.value("Content-Length").flatMap({ Int($0) }) {
            guard content.count >= length else { throw Failure("connectionLost") }
            reply.content = Array(content.prefix(length))
        } else {
            reply.content = content
        }
        return reply
    }
}
