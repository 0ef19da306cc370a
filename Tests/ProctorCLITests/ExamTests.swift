import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam`: cases set to a client through its adapter.
struct ExamTests {
    private func exam(_ arguments: [String], as shape: String = "", in folder: TestFolder) async throws -> Child.Outcome
    {
        try await Child.run(["exam", "--adapter", BuiltProduct.referenceClient + shape] + arguments, in: folder)
    }

    @Test(.wide) func `a case with an expression for downloads is asked as a download too, under a name of its own`()
        async throws
    {
        let folder = try TestFolder([
            "fixtures/plain/both.yaml": """
            summary: A load and a download
            exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
            cases:
              get:
                client: { url: / }
                wire: request(GET /)
                task: response(200) data+ complete(ok)
                download: progress+ fileReady complete(ok)
              post: { client: { url: / }, wire: request(POST /) }
            """
        ])
        for (pattern, counts) in [
            ("plain/both#get", "1 case: 1 pass"), ("plain/both#get@download", "1 case: 1 pass"),
            ("*in/both#*@download", "1 case: 1 pass"), ("plain/both", "3 cases: 2 pass, 1 fail"),
        ] {
            let outcome = try await exam([pattern], in: folder)
            #expect(outcome.out.hasSuffix("\(counts)\n"), "\(pattern): \(outcome.out)")
        }
        try folder.write(
            "client: c\ndeviations: { plain/both#get@download: { because: b, facts: [status] } }\n", to: "c.yaml")
        let fixed = try await exam(["plain/both#get@download", "--ledger", "c.yaml"], in: folder)
        #expect(fixed.status == 1 && fixed.out.contains("fixed"), "\(fixed.out)")
        let legacy = try await exam(["plain/both", "--verbose"], as: " --as download", in: folder)
        #expect(legacy.out.contains("1 pass, 2 not-in-this-adapter"), "\(legacy.out)")
        let listed = try await Child.run(["list", "--cases-of", "plain/both", "fixtures"], in: folder)
        #expect(listed.out == "get\nget@download\npost\n", "\(listed.out)")
    }
}
