import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// WebSockets over TLS, with a client that others wrote.
@Suite(.limit(minutes: 5))
struct WebSocketSecuredTests {
    private let yaml = """
        summary: a WebSocket over TLS
        origins:
          main: { scheme: https }
        exchanges:
          - request: GET /chat
            reply: { websocket: { turns: [{ send: hello }, { echo: true }], deflate: true } }
          - request: GET /cut
            reply: { websocket: [{ send: hello }, { do: truncate-record }, { send: never }] }
        """

    /// Messages of every form of length, compressed or not; prints how each came back, and how the conversation ended.
    private static let client = """
        import asyncio, ssl, sys
        import aiohttp

        async def main(base, trust, compress):
            context = ssl.create_default_context(cafile=trust)
            async with aiohttp.ClientSession() as session:
                async with session.ws_connect(base + "/chat", ssl=context, compress=int(compress)) as link:
                    print(await link.receive_str())
                    for content in (b"", b"a", b"b" * 125, b"c" * 126, bytes(range(256)) * 300, b"d" * 2000000):
                        await link.send_bytes(content)
                        print(len(content), await link.receive_bytes() == content)
                    await link.ping(b"p")
                    await link.close(code=4001)
                    print("closed", link.close_code)
                async with session.ws_connect(base + "/cut", ssl=context) as link:
                    print((await link.receive()).data)
                    print((await link.receive()).type.name)

        asyncio.run(main(*sys.argv[1:]))
        """

    @Test(arguments: [0, 15])
    func `messages of all lengths come back, and a cut record ends the conversation`(_ windowBits: Int) async throws {
        try await withRun(yaml) { run in
            let outcome = try await ChildProcess.run(
                ["/usr/bin/python3", "-c", Self.client, run.base, run.trust ?? "", "\(windowBits)"])
            let lines = outcome.out.split(separator: "\n").map(String.init)
            #expect(
                lines.prefix(9) == [
                    "hello", "0 True", "1 True", "125 True", "126 True", "76800 True", "2000000 True", "closed 4001",
                    "hello",
                ], "\(outcome.out)\(outcome.err)")
            #expect(lines.count == 10 && ["CLOSED", "ERROR", "CLOSING"].contains(lines[9]), "\(lines)")
            let journal = run.journal.lines
            #expect(journal.contains { $0.hasSuffix("ws server: pong of 1 byte: \"p\"") })
            #expect(journal.contains { $0.contains("secured 1.3") })
            #expect(journal.contains { $0.contains("permessage-deflate") } == (windowBits > 0))
        }
    }
}
