import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

/// The steps of WebSockets of clients/kits/python, under an adapter whose WebSocket gives what it was sent.
@Suite(.limit(minutes: 5))
struct PythonWebSocketTests {
    private static let script = """
        import asyncio, os, sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, os.environ["KIT"])
        from proctor_kit import Adapter
        from proctor_websocket import FACTS, LANES, Conversation, Over, Socket, check_steps, converse

        class Echo(Socket):
            def __init__(self, url):
                self.url, self.messages = url, []

            async def open(self):
                if self.url.endswith("refused"):
                    raise Over("no")
                return "chat"

            async def send(self, message):
                self.messages.append(message)

            async def receive(self):
                if not self.messages:
                    raise Over("nothing more")
                return self.messages.pop(0)

            async def close(self, code, reason):
                self.close_frame = (code, reason)

            async def end(self):
                return None if self.close_frame else Over("lost")

        class Tiny(Adapter):
            client, revision, lanes, facts, abilities = "tiny", "1", LANES, FACTS, "websocket several-loads"

            def version(self):
                return "1"

            def check(self, assignment):
                super().check(assignment)
                check_steps(self, assignment, unknown=("ping",))

            def run(self, assignment, trace):
                steps = assignment["steps"]
                asyncio.run(converse(assignment, lambda index: Conversation(
                    Echo(steps[index]["url"]), steps[index], index, trace, lambda error: {"error": "unknown", "message": str(error)}, "redirect")))

        sys.exit(Tiny().main("Help of tiny."))
        """

    private func run(_ steps: [Assignment.Step]) async throws -> Report {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString).py")
        try Data(Self.script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let kit = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent()
            .appendingPathComponent("../kits/python").standardized.path
        return try await Adapter(command: ["/usr/bin/env", "python3", file.path]).run(steps, environment: ["KIT": kit])
    }

    private func talk(_ url: String, _ acts: [ConversationAct]) -> Assignment.Step {
        step(url) {
            $0.task = .websocket
            $0.conversation = acts
        }
    }

    private static let hello = ConversationAct.send(Assignment.Bytes(text: "hello"), isText: true)
    private static let bytes = ConversationAct.send(Assignment.Bytes(base64: "AP8="), isText: false)

    @Test func `acts are done in order, and told with the Close frame`() async throws {
        let report = try await run([
            talk("http://a/x", [Self.hello, Self.bytes, .receive(2), .close(code: 1000, reason: "bye")])
        ])
        #expect(
            report.lines.map(\.symbol) == [
                "resume", "wsOpen(chat)", "wsSent(ok)", "wsSent(ok)", "wsReceived(ok)", "wsReceived(ok)",
                "wsClose(1000)",
                "complete(ok)", "result",
            ])
        #expect(report.result()?.text("messages") == #"["text hello", "binary 00ff"]"#)
        #expect(report.result()?.number("closeCode") == 1000 && report.result()?.text("closeReason") == "bye")
    }

    @Test func `an act that fails ends the conversation`() async throws {
        let report = try await run([talk("http://a/x", [.receive(1), Self.hello])])
        #expect(
            report.lines.map(\.symbol) == [
                "resume", "wsOpen(chat)", "wsReceived(unknown)", "complete(unknown)", "result",
            ])
        #expect(report.result()?.text("error") == "unknown" && report.result()?.text("messages") == "[]")
    }

    @Test func `a handshake that fails is the end, and what the client has none of is refused before`() async throws {
        let refused = try await run([talk("http://a/refused", [Self.hello])])
        #expect(refused.lines.map(\.symbol) == ["resume", "complete(unknown)", "result"])
        let pinged = try await run([talk("http://a/x", [.ping])])
        #expect(pinged.lines.map(\.ev) == ["unimplemented"])
    }
}
