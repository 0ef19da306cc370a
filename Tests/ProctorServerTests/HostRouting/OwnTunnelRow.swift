import Testing

/// A test of curl's in which one script answers CONNECT and then the requests inside the tunnel, with contents of our own.
struct OwnTunnelRow: CustomTestStringConvertible {
    /// curl's number of the test.
    let number: Int
    let title: String
    /// What the proxy answers, in turn: one reply of a fixture each.
    let replies: [String]
    let words: [String]
    /// What curl says, in order: the beginning of each request line and of its `Proxy-Authorization`.
    let requests: [String]
    var connectionCount = 1
    var host = "test.remote.example.org"

    var testDescription: String { "\(number): \(title)" }

    var url: String { "http://\(host):8990/path/\(number)" }

    let content = "inside\n"

    /// One exchange of the proxy takes every request, whatever its method.
    var fixture: String {
        let last = #"{ status: 200, headers: { Connection: close }, framing: length, body: "inside\n" }"#
        return """
            summary: \(title)
            origins: { p: { role: proxy } }
            exchanges:
              - request: "* *"
                origin: p
                reply:
            \((replies + [last]).map { "      - \($0)" }.joined(separator: "\n"))
            """
    }

    /// CHALLENGE_MESSAGE for Unicode, NTLM and the server "lab" (MS-NLMP §2.2.1.2).
    private static let challengeMessage = "TlRMTVNTUAACAAAABgAGADAAAAAFggAAASNFZ4mrze8AAAAAAAAAAAAAAAA2AAAAbABhAGIA"
    private static let opening = #"{ raw: "HTTP/1.1 200 open\r\nServer: none\r\n\r\n", tunnel: p }"#
    private static let account = ["--proxy-user", "testuser:testpass"]
    private static let place = "CONNECT test.remote.example.org:8990"
    /// The first and the third message of NTLM (MS-NLMP §2.2.1.1, §2.2.1.3).
    private static let negotiate = "\(place) NTLM TlRMTVNTUAABAAAA"
    private static let authenticate = "\(place) NTLM TlRMTVNTUAADAAAA"

    private static func asking(_ challenge: String, _ rest: String, version: String = "HTTP/1.1", fields: String = "")
        -> String
    {
        #"{ version: "\#(version)", status: 407, headers: { Proxy-Authenticate: '\#(challenge)'\#(fields) }, \#(rest) }"#
    }

    static let all: [Self] = [
        Self(
            number: 206, title: "Digest for CONNECT, then the page",
            replies: [
                asking(#"Digest realm="weirdorealm", nonce="12345""#, #"framing: length, body: "not for you\n""#),
                opening,
            ],
            words: ["--proxy-user", "silly:person", "--proxy-digest"],
            requests: [
                "CONNECT test.remote.haxx.se.206:8990",
                "CONNECT test.remote.haxx.se.206:8990 Digest username=\"silly\", realm=\"weirdorealm\", nonce=\"12345\", "
                    + "uri=\"test.remote.haxx.se.206:8990\", response=\"003e36decb4dbf6366b3ecb9b87c24ec\"",
                "GET /path/206",
            ], host: "test.remote.haxx.se.206"),
        Self(
            number: 209, title: "NTLM for CONNECT",
            replies: [
                asking("NTLM \(challengeMessage)", #"framing: length, body: "not for you\n""#), opening,
            ],
            words: account + ["--proxy-ntlm"], requests: [negotiate, authenticate, "GET /path/209"]),
        Self(
            number: 265, title: "NTLM for CONNECT by HTTP/1.0 with a long content, then a POST",
            replies: [
                asking(
                    "NTLM \(challengeMessage)", "framing: length, body: { repeat: Q, bytes: 1033 }",
                    version: "HTTP/1.0",
                    fields: ", Connection: Keep-Alive"), opening,
            ],
            words: account + ["--proxy-ntlm", "-d", "postit"], requests: [negotiate, authenticate, "POST /path/265"]),
        Self(
            number: 1008, title: "NTLM for CONNECT with a chunked content",
            replies: [
                asking(
                    "NTLM \(challengeMessage)", "framing: { chunked: [32, 4000] }, body: { repeat: X, bytes: 4032 }"),
                opening,
            ],
            words: account + ["--proxy-ntlm"], requests: [negotiate, authenticate, "GET /path/1008"]),
        Self(
            number: 1021, title: "any scheme for CONNECT, and the proxy offers NTLM and closes",
            replies: [
                asking(
                    "NTLM", #"framing: length, body: "dropped\n", effects: [{ at: end, do: close }]"#,
                    fields: ", Connection: close"),
                asking("NTLM \(challengeMessage)", #"framing: length, body: "not for you\n""#), opening,
            ],
            words: account + ["--proxy-anyauth"], requests: [place, negotiate, authenticate, "GET /path/1021"],
            connectionCount: 2),
        Self(
            number: 1060, title: "Digest for CONNECT, a long field and a long content",
            replies: [
                asking(
                    #"Digest realm="weirdorealm", nonce="12345""#,
                    "framing: length, body: { repeat: a, bytes: 35701 }",
                    fields: ", X-Long: { repeat: a, bytes: 16080 }"), opening,
            ],
            words: ["--proxy-user", "silly:person", "--proxy-digest"],
            requests: [
                "CONNECT test.remote.haxx.se.1060:8990",
                "CONNECT test.remote.haxx.se.1060:8990 Digest username=\"silly\", realm=\"weirdorealm\", nonce=\"12345\", "
                    + "uri=\"test.remote.haxx.se.1060:8990\", response=\"e1fbed39c26f4efe284adc0e576ff638\"",
                "GET /path/1060",
            ], host: "test.remote.haxx.se.1060"),
        Self(
            number: 1061, title: "Digest for CONNECT, a long field and a long chunked content",
            replies: [
                asking(
                    #"Digest realm="weirdorealm", nonce="12345""#,
                    "framing: { chunked: [40001] }, body: { repeat: a, bytes: 40001 }",
                    fields: ", X-Long: { repeat: a, bytes: 16080 }"), opening,
            ],
            words: ["--proxy-user", "silly:person", "--proxy-digest"],
            requests: [
                "CONNECT test.remote.haxx.se.1061:8990",
                "CONNECT test.remote.haxx.se.1061:8990 Digest username=\"silly\", realm=\"weirdorealm\", nonce=\"12345\", "
                    + "uri=\"test.remote.haxx.se.1061:8990\", response=\"4e23449fa93224834299e7282a70472c\"",
                "GET /path/1061",
            ], host: "test.remote.haxx.se.1061"),
        Self(
            number: 1097, title: "NTLM offered by curl, and the proxy asks for none", replies: [opening],
            words: account + ["--proxy-ntlm", "-d", "dummy=value"], requests: [negotiate, "POST /path/1097"]),
        Self(
            number: 1230, title: "CONNECT to an IPv6 address", replies: [opening], words: [],
            requests: ["CONNECT [1234:1234:1234::4ce]:8990", "GET /path/1230"], host: "[1234:1234:1234::4ce]"),
    ]
}
