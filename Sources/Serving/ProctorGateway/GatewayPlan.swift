package import ProctorLoop
internal import ProctorScenario

/// What a gateway does: to which server it hands requests on, and what it breaks on the way.
package struct GatewayPlan: Sendable {
    package let upstream: Upstream
    package var faults = GatewayFaults()
    /// Names that `Host` may have besides `localhost` and addresses of this machine, in lower case.
    package var hosts: Set<String> = []
    /// The authorities that may sign the certificate of a server that speaks TLS, in PEM; nil: it is not checked.
    package var anchors: [UInt8]?
    /// Nanoseconds within which a server answers and goes on.
    package var patience: UInt64 = 60_000_000_000

    package init(to upstream: Upstream) {
        self.upstream = upstream
    }

    /// Reads `5s`.
    package mutating func readPatience(_ text: String) throws(GatewayRefusal) {
        guard let time = DurationText.nanoseconds(text), 1_000_000...600_000_000_000 ~= time else {
            throw GatewayRefusal("--patience takes a time from 1ms to 10m, as in --patience 5s, not '\(text)'")
        }
        patience = UInt64(time)
    }
}

/// A half sentence on why a word of the command line can't be used.
package struct GatewayRefusal: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// The server behind a gateway: an address of this machine, and nothing else.
package struct Upstream: Sendable, Equatable {
    package let address: SocketAddress
    /// Host and port as its URLs have them; requests name them in their Host field.
    package let authority: String

    /// The host alone, which a certificate has to be for.
    let host: String
    package let speaksTLS: Bool

    /// The URL without a slash at its end.
    package var url: String { "\(speaksTLS ? "https" : "http")://\(authority)" }

    /// Reads a URL of http or https without a path, whose host is a loopback address or `localhost`.
    package init(_ text: String) throws(GatewayRefusal) {
        speaksTLS = text.hasPrefix("https://")
        guard speaksTLS || text.hasPrefix("http://") else {
            throw GatewayRefusal(
                "'\(text)' is no URL of a server that speaks HTTP: the gateway hands requests on to http:// and https://"
            )
        }
        var authority = text.dropFirst(speaksTLS ? "https://".count : "http://".count)
        if authority.last == "/" { authority.removeLast() }
        guard !authority.isEmpty, !authority.contains(where: { "/?#@".contains($0) }) else {
            throw GatewayRefusal("'\(text)' has more than host and port: write http://127.0.0.1:3000")
        }
        let host: Substring
        var port: UInt16? = speaksTLS ? 443 : 80
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            if !rest.isEmpty { port = rest.hasPrefix(":") ? UInt16(rest.dropFirst()) : nil }
        } else if let colon = authority.lastIndex(of: ":") {
            host = authority[..<colon]
            port = UInt16(authority[authority.index(after: colon)...])
        } else {
            host = authority
        }
        guard let port, port > 0 else { throw GatewayRefusal("'\(text)' has no port from 1 to 65535") }
        guard let address = SocketAddress(host: String(host), port: port), address.isLoopback else {
            throw GatewayRefusal(
                "'\(text)' is not on this machine: the gateway hands requests on to 127.0.0.1, [::1] or localhost alone"
            )
        }
        self.address = address
        self.host = String(host)
        self.authority = String(authority)
    }
}

/// What a gateway breaks in the replies that it hands back.
package struct GatewayFaults: Sendable, Equatable {
    /// The time before each piece of a reply's content; nil: none.
    package var pause: Duration?
    /// The failure of requests: of each `count`, `status` answers the last `share`, which are not handed on; nil: none.
    package var failure: Failure?
    /// The content bytes after which the connection is reset; nil: none.
    package var cutByteCount: Int?

    package struct Failure: Sendable, Equatable {
        package let count: Int
        package let share: Int
        package let status: Int
    }

    package init() {}

    /// The most bytes of content that are handed back between two pauses.
    static let pieceByteCount = 1024

    /// Reads `body 50ms`.
    package mutating func readSlow(_ text: String) throws(GatewayRefusal) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, words[0] == "body", let time = DurationText.nanoseconds(words[1]),
            1_000_000...60_000_000_000 ~= time
        else {
            throw GatewayRefusal(
                "--slow takes 'body' and a time from 1ms to 60s, as in --slow body 50ms, not '\(text)'")
        }
        pause = .nanoseconds(time)
    }

    /// Reads `1/3 503`.
    package mutating func readFail(_ text: String) throws(GatewayRefusal) {
        let words = text.split(separator: " ").map(String.init)
        let parts = (words.first ?? "").split(separator: "/").map { Int($0) }
        guard words.count == 2, parts.count == 2, let share = parts[0], let count = parts[1], 1...1_000 ~= count,
            1...count ~= share, let status = Int(words[1]), 400...599 ~= status
        else {
            throw GatewayRefusal(
                "--fail takes a share of requests and a status from 400 to 599, as in --fail 1/3 503, not '\(text)'")
        }
        failure = Failure(count: count, share: share, status: status)
    }

    /// Reads a number of bytes.
    package mutating func readCut(_ text: String) throws(GatewayRefusal) {
        guard let count = Int(text), 0...1_073_741_824 ~= count else {
            throw GatewayRefusal("--cut takes a number of bytes from 0 to 1073741824, as in --cut 2000, not '\(text)'")
        }
        cutByteCount = count
    }

    /// The status that answers a request in the place of the server, counted from 0; nil: the server answers.
    func status(ofRequest number: Int) -> Int? {
        guard let failure, number % failure.count >= failure.count - failure.share else { return nil }
        return failure.status
    }
}
