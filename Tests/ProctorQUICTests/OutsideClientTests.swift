import ProctorQUICLink
import ProctorTestSupport
import Testing

@testable import ProctorQUIC

/// ngtcp2's client with GnuTLS, of another hand than the server's TLS.
@Suite(.limit(minutes: 5), .enabled(if: Project.tool("gtlsclient") != nil, "gtlsclient of Debian's ngtcp2-client"))
struct OutsideClientTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        let paths: [String]
        /// What the server sees.
        let seen: [String]
        /// What the client says.
        let says: String
        var validatesAddresses = false
        var status: Int32 = 0
        /// Packets are lost: a later request may come first, and the client's CONNECTION_CLOSE, which nobody repeats (RFC 9000,
        /// section 10.2), may not come at all.
        var losesPackets = false

        static let end = "ended closedByPeer(application 0x100)"
    }

    static let rows = [
        Row(
            testDescription: "a request", arguments: [], paths: ["/hello"],
            seen: ["opened localhost", "GET /hello", Row.end], says: "8 bytes"),
        Row(
            testDescription: "a mebibyte", arguments: [], paths: ["/bytes/1048576"],
            seen: ["opened localhost", "GET /bytes/1048576", Row.end], says: "content-length: 1048576"),
        Row(
            testDescription: "the address is validated by Retry", arguments: [], paths: ["/hello"],
            seen: ["opened localhost", "GET /hello", Row.end], says: "type=Retry", validatesAddresses: true),
        Row(
            testDescription: "keys are updated", arguments: ["--key-update=1ms", "--delay-stream=50ms"],
            paths: ["/bytes/100000"], seen: ["opened localhost", "GET /bytes/100000", Row.end], says: "k=1"),
        Row(
            testDescription: "the client moves to another port",
            arguments: ["--change-local-addr=1ms", "--delay-stream=100ms"], paths: ["/bytes/100000"],
            seen: ["opened localhost", "GET /bytes/100000", Row.end], says: "PATH_RESPONSE"),
        Row(
            testDescription: "a tenth of the packets is lost", arguments: ["-t", "0.1", "-r", "0.1"],
            paths: ["/bytes/100000", "/hello"],
            seen: ["opened localhost", "GET /bytes/100000", "GET /hello"],
            says: "content-length: 100000", losesPackets: true),
        Row(
            testDescription: "AES of 256 bits", arguments: [cipher("AES-256-GCM")], paths: ["/hello"],
            seen: ["opened localhost", "GET /hello", Row.end], says: "8 bytes"),
        Row(
            testDescription: "ChaCha20", arguments: [cipher("CHACHA20-POLY1305")], paths: ["/hello"],
            seen: ["opened localhost", "GET /hello", Row.end], says: "8 bytes"),
        Row(
            testDescription: "no cipher suite is shared", arguments: [cipher("AES-128-CCM")], paths: ["/hello"],
            seen: ["ended closedByUs(transport 0x128 no shared cipher)"], says: "error_code=CRYPTO_ERROR(0x128)"),
        Row(
            testDescription: "a stream is reset", arguments: [], paths: ["/reset"],
            seen: ["opened localhost", "GET /reset", Row.end],
            says: "RESET_STREAM(0x04) id=0x0 app_error_code=(unknown)(0x102)"),
        Row(
            testDescription: "the connection is closed with a code of HTTP/3", arguments: [], paths: ["/close"],
            seen: ["opened localhost", "GET /close", "ended closedByUs(application 0x100 as asked)"],
            says: "CONNECTION_CLOSE(0x1d) error_code=(unknown)(0x100) frame_type=0 reason_len=8 reason=[as asked]"),
        Row(
            testDescription: "versions are negotiated", arguments: ["-v", "0x1a2a3a4a"], paths: ["/hello"], seen: [],
            says: "ERR_RECV_VERSION_NEGOTIATION"),
    ]

    private static func cipher(_ name: String) -> String {
        "--ciphers=NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+\(name)"
    }

    @Test(arguments: rows) func `a client of another hand is served`(_ row: Row) async throws {
        var limits = QUICLimits()
        limits.retry = row.validatesAddresses ? .once : nil
        try await ServedPort.serve(limits) { served in
            let outcome = try await ChildProcess.run(
                [
                    try #require(Project.tool("gtlsclient")), "--no-quic-dump", "--exit-on-all-streams-close",
                    "--disable-early-data",
                ] + row.arguments + ["127.0.0.1", "\(served.port)"]
                    + row.paths.map { "https://127.0.0.1:\(served.port)\($0)" })
            #expect(outcome.status == row.status, "\(outcome.err)")
            #expect((outcome.out + outcome.err).contains(row.says), "\(outcome.err)")
            for line in row.seen { try await served.see(line) }
            let seen = served.seen.all
            #expect(row.losesPackets ? Set(seen.prefix(row.seen.count)) == Set(row.seen) : seen == row.seen)
        }
    }

    @Test func `an upload of a mebibyte comes whole`() async throws {
        let folder = try TestFolder()
        let path = try folder.write([UInt8](repeating: 0x78, count: 1 << 20), to: "upload")
        try await ServedPort.serve { served in
            let outcome = try await ChildProcess.run([
                try #require(Project.tool("gtlsclient")), "--no-quic-dump", "--exit-on-all-streams-close",
                "--disable-early-data", "-m", "POST", "-d", path, "127.0.0.1", "\(served.port)",
                "https://127.0.0.1:\(served.port)/echo",
            ])
            #expect((outcome.out + outcome.err).contains("1048576 bytes"), "\(outcome.err)")
        }
    }

    @Test func `a connection that says nothing for the idle timeout is over`() async throws {
        var limits = QUICLimits()
        limits.idleTimeout = 200_000_000
        try await ServedPort.serve(limits) { served in
            async let outcome = ChildProcess.run([
                try #require(Project.tool("gtlsclient")), "-q", "--timeout=60s", "--disable-early-data", "127.0.0.1",
                "\(served.port)", "https://127.0.0.1:\(served.port)/silent",
            ])
            try await served.see("ended idle")
            _ = try await outcome
        }
    }
}
