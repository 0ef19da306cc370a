import ProctorTestSupport
import Testing

@testable import ProctorServer

/// The run option by which replies are cut elsewhere.
struct ResliceCallTests {
    @Test func `a run is made with its seed, or with none`() async throws {
        try await withControl { server in
            #expect(try await server.run("other").stage.reslice == nil)
            let run = try await server.run("other", reslice: 7)
            #expect(run.stage.reslice == 7)
            let (_, base) = try await makeRun("plain/turns", on: server, more: #","reslice":9007199254740991"#)
            #expect(try await exchange(.request("GET /"), with: base).text.hasSuffix("one"))
        }
    }

    @Test(arguments: ["-1", "9007199254740992", "\"a\"", "1.5", "[]"])
    func `a seed that is none is refused with its range`(seed: String) async throws {
        try await withControl { server in
            let reply = try await call("POST /runs", on: server, body: "{\"scenario\":\"other\",\"reslice\":\(seed)}")
            #expect(reply.status == 400)
            let message = try reply.error.message
            #expect(message.hasPrefix("'reslice' is a whole number from 0 to 9007199254740991, found "), "\(message)")
        }
    }
}
