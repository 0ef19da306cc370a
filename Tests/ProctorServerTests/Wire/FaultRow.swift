import Testing

/// What a raw socket sees of one scenario that breaks or holds up a connection.
struct FaultRow: Sendable, CustomTestStringConvertible {
    /// The id of the scenario: `fault/nobody-listens`.
    let scenario: String
    /// The origin that is called.
    let origin: String
    let meeting: Meeting
    var testDescription: String { scenario }

    /// What becomes of connecting.
    enum Meeting: Sendable {
        /// ECONNREFUSED.
        case refused
        /// EINPROGRESS, and still so after a while.
        case unanswered
        /// The connection stands and takes our bytes, and nobody ever speaks.
        case unaccepted
        /// Connections, one after the other.
        case talks([Talk])
    }

    /// What happens on one connection.
    struct Talk: Sendable {
        let steps: [Step]
        let end: End

        init(_ steps: Step..., end: End) {
            self.steps = steps
            self.end = end
        }
    }

    enum Step: Sendable {
        case send([UInt8])
        /// Just these bytes come, with the run's own URL for `{{base}}`.
        case arrives([UInt8])
        /// Nothing comes for a while, no end either.
        case silence
        /// More is sent than all buffers hold, until no more is taken.
        case fill([UInt8])

        static func get(_ path: String) -> Step { .send(Array(String.request("GET \(path)").utf8)) }
        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
        static func arrives(_ text: String) -> Step { .arrives(Array(text.utf8)) }
    }

    /// How a connection comes to its end, behind all bytes of its steps.
    enum End: Sendable, Equatable {
        /// FIN.
        case closed
        /// FIN, and the server reads on until we leave.
        case halfClosed
        /// RST.
        case reset
        /// RST behind no more than so many of the bytes, which may be none.
        case resetAbruptly(behind: [UInt8])
        /// Nothing for a while, as the server waits for another request; then we leave, and it answers by FIN.
        case open
        /// Nothing for a while in the middle of what the server does; then we leave, and it answers by FIN.
        case stalled
        /// Nothing for a while; then we leave, and the RST that answers tells that our bytes were never read.
        case unread
        /// Nothing for a while, and our RST ends it.
        case held
    }
}

extension FaultRow {
    init(_ scenario: String, at origin: String = "main", _ meeting: Meeting) {
        self.scenario = scenario
        self.origin = origin
        self.meeting = meeting
    }

    init(_ scenario: String, _ talks: Talk...) {
        self.init(scenario, .talks(talks))
    }

    /// One connection with one `GET /page`.
    static func page(_ scenario: String, _ reply: String, _ end: End) -> FaultRow {
        FaultRow(scenario, Talk(.get("/page"), .arrives(reply), end: end))
    }

    /// The bytes of replies that several rows share.
    enum Reply {
        static let twelve = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"
        static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        /// A chunk of 100 bytes as framed: 106 bytes.
        static let chunk = "64\r\n\(String(repeating: "x", count: 100))\r\n"

        static func of(_ body: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }
}
