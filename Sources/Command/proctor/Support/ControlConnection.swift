internal import ProctorBase
internal import ProctorDocument
internal import ProctorLoop
internal import ProctorProgram

/// Calls the control API of a running server, with a connection for each call.
struct ControlConnection: Sendable {
    let address: SocketAddress
    private let token: String?

    struct Reply {
        let status: Int
        let text: String

        /// A member of the JSON object in the content; nil when there is none.
        func member(_ key: String) -> Node? {
            Document.parse(Array(text.utf8), file: "reply").root?.entries?.first { $0.key == key }?.value
        }

        /// Throws what the server says where it refuses.
        func accepted() throws(Failure) -> Reply {
            guard status == 200 else { throw Failure(description: refusal) }
            return self
        }

        var refusal: String {
            member("error")?.entries?.first { $0.key == "message" }?.value.text
                ?? "the server answered with status \(status)"
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Nanoseconds; longer than any wait that a call may ask for.
    static let patience: UInt64 = 60_000_000_000
    private static let replyLimit = 64 << 20

    /// The server by the command line, by the variable PROCTOR_SERVER, or the default one.
    static func server(of arguments: ParsedArguments, _ environment: [String: String]) -> String {
        arguments["--server"] ?? environment.value("PROCTOR_SERVER")
            ?? "http://127.0.0.1:\(ServeOptions.defaultPort)"
    }

    /// The server's URL is `http://ADDRESS:PORT`; names are not resolved.
    ///
    /// The token is that of --token, or of the variable PROCTOR_TOKEN when PROCTOR_SERVER names the server too, or the
    /// command line names none: a token is sent only to its own server.
    init(_ arguments: ParsedArguments, environment: [String: String]) throws(UsageError) {
        let server = Self.server(of: arguments, environment)
        let isNamed = arguments["--server"].map { $0 == environment.value("PROCTOR_SERVER") } ?? true
        try self.init(
            server, saidBy: arguments["--server"] == nil ? "PROCTOR_SERVER" : "--server",
            token: arguments["--token"] ?? (isNamed ? environment.value("PROCTOR_TOKEN") : nil))
    }

    /// The server at `http://ADDRESS:PORT`, which a flag or a variable of that name says.
    init(_ server: String, saidBy name: String, token: String?) throws(UsageError) {
        let rest = server.hasPrefix("http://") ? server.dropFirst("http://".count) : server[...]
        let authority = rest.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        guard let colon = authority.lastIndex(of: ":"),
            let port = UInt16(authority[authority.index(after: colon)...]),
            let address = SocketAddress(
                host: authority[..<colon].filter { $0 != "[" && $0 != "]" }, port: port)
        else {
            throw UsageError("\(name) takes http://ADDRESS:PORT with an IP address or localhost, not '\(server)'")
        }
        self.init(address: address, token: token)
    }

    init(address: SocketAddress, token: String?) {
        (self.address, self.token) = (address, token)
    }

    func send(_ message: ControlMessage) async throws -> Reply {
        let loop = try EventLoop(name: "proctor-client")
        defer { loop.stop() }
        let (address, request) = (address, request(message))
        let bytes = try await loop.run {
            do throws(SocketError) {
                return try await Self.exchange(request, with: address, on: loop)
            } catch {
                throw unreachable(error)
            }
        }
        return try Self.reply(from: bytes)
    }

    func unreachable(_ error: SocketError) -> Failure {
        Failure(description: "no server answers at http://\(address): \(error); is 'proctor serve' running?")
    }

    private func request(_ message: ControlMessage) -> [UInt8] {
        let content = message.content ?? []
        let length = ["POST", "PUT"].contains(message.method) ? ["Content-Length: \(content.count)"] : []
        return head(message.method, message.target, version: "1.1", fields: length) + content
    }

    func head(_ method: String, _ target: String, version: String, fields: [String]) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/\(version)", "Host: \(address)", "Connection: close"]
        lines += fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func exchange(
        _ request: [UInt8], with address: SocketAddress, on loop: EventLoop
    ) async throws(SocketError) -> [UInt8] {
        let socket = try await Socket.connect(to: address, on: loop, within: patience)
        defer { socket.close() }
        try await socket.write(request, within: patience)
        var bytes: [UInt8] = []
        while bytes.count < replyLimit, try await socket.read(within: patience, { bytes.append($0) }) != nil {}
        return bytes
    }

    /// Parses the replies of Proctor's server: a status line, fields, and content until the end of the connection.
    static func reply(from bytes: [UInt8]) throws(Failure) -> Reply {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(ofText: "\r\n\r\n"), text.hasPrefix("HTTP/1."),
            let status = Int(text.dropFirst("HTTP/1.1 ".count).prefix(3))
        else {
            throw Failure(description: "what answers there is no proctor")
        }
        return Reply(status: status, text: String(text[end.upperBound...]))
    }
}

extension [String: String] {
    /// The value of a variable; nil when it is not set, or empty.
    fileprivate func value(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// Distinguishes runs from scenarios on a command line.
enum StandingRun {
    /// Whether a name is a run, such as `r12`; any other name is the id of a scenario, or a file.
    static func isRun(_ name: String) -> Bool {
        name.hasPrefix("r") && name.utf8.count > 1 && name.utf8.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    /// The id for a request-target, percent-encoded.
    static func path(of id: String) -> String { PercentEncoding.encode(id, keeping: "/") }
}
