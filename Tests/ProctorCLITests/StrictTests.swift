import Foundation
import ProctorTestSupport
import Testing

/// `proctor serve --strict`: the end is a verdict.
struct StrictTests {
    private static let files = Fixtures.files.merging([
        "fixtures/root/page.yaml": """
        summary: Needs a root
        exchanges: [ { request: GET /a, reply: { status: 302, headers: { Location: "/b" } } } ]
        """
    ]) { $1 }

    /// The exit code of a server that was asked by `body`, and what it said.
    private func serve(
        _ arguments: [String] = ["--strict"], _ body: (_ base: String) async throws -> Void
    ) async throws -> (status: Int32, err: String) {
        let folder = try Folder(Self.files)
        let child = try await onThread { try ServingChild(folder, arguments) }
        try await body(child.base)
        let status = try await onThread { try child.end() }
        return (status, child.err)
    }

    @Test func `requests that were expected pass, pages and control calls beside them`() async throws {
        let (status, err) = try await serve { base in
            for path in ["/", "/plain/hello", "/plain/hello/", "/__proctor/runs", "/__proctor/nothing"] {
                _ = try await curl("\(base)\(path)")
            }
        }
        #expect(status == 0, "\(err)")
        #expect(err.hasSuffix("proctor: strict: pass: 1 request to scenarios, all expected, no departure\n"), "\(err)")
    }

    @Test func `a request that no exchange expects fails, with what was nearest`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/")
            _ = try await curl("\(base)/plain/hello/", "-X", "PATCH")
        }
        #expect(status == 1)
        #expect(err.contains("proctor: strict: fail: 1 request missed (2 requests to scenarios)\n"), "\(err)")
        #expect(err.contains("\n  plain/hello: PATCH /: method: wanted GET, got PATCH"), "\(err)")
    }

    @Test func `a path that names no scenario fails`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/")
            _ = try await curl("\(base)/nowhere/at/all")
        }
        #expect(status == 1)
        #expect(
            err.contains("\n  the shared port: GET /nowhere/at/all: no scenario stands at /nowhere/at/all\n"), "\(err)")
    }

    @Test func `a request to a scenario that stands elsewhere fails, and so does a miss there`() async throws {
        let (status, err) = try await serve { base in
            let page = try await curl("\(base)/root/page/a").out
            let place = try #require(page.firstMatch(of: /http:\/\/[0-9.:]+/)?.0)
            _ = try await curl("\(place)/other")
        }
        #expect(status == 1 && err.contains("fail: 2 requests missed (1 request to scenarios)"), "\(err)")
        #expect(err.contains("\n  root/page: GET /other: target: wanted /a, got /other\n"), "\(err)")
    }

    @Test func `a departure from the RFCs fails, once`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/", "-H", "Host:")
        }
        #expect(status == 1)
        #expect(err.contains("fail: 1 departure from the RFCs, no scenario was asked for anything"), "\(err)")
        #expect(err.contains("missing-host") || err.contains("Host"), "\(err)")
    }

    @Test func `a client that never came was not judged`() async throws {
        let (status, err) = try await serve { _ in }
        #expect(status == 1 && err.contains("strict: fail: no scenario was asked for anything (0 requests"), "\(err)")
    }

    @Test func `very many faults are counted, and the first fifty told`() async throws {
        let (status, err) = try await serve { base in
            _ = try await curl("\(base)/plain/hello/x?[1-70]")
        }
        #expect(status == 1 && err.contains("fail: 70 requests missed (70 requests to scenarios)"), "\(err)")
        #expect(err.components(separatedBy: "\n  plain/hello: ").count == 51 && err.hasSuffix("\n  and 20 more\n"))
    }

    @Test func `without it a server ends as ever`() async throws {
        let (status, err) = try await serve([]) { base in _ = try await curl("\(base)/plain/hello/other") }
        #expect(status == 0 && !err.contains("strict"))
    }
}
