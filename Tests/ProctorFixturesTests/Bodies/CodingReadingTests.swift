import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct CodingReadingTests {
    @Test func `bytes of an option may come from a file, whose content makes another scenario`() throws {
        let folder = try TestFolder()
        let yaml =
            "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { extra: { file: body.bin } } } } }]"
        try folder.write("one", to: "body.bin")
        let one = try load(yaml, folder: folder.path)
        try folder.write("two", to: "body.bin")
        let two = try load(yaml, folder: folder.path)
        #expect(one.fingerprint != two.fingerprint)
        #expect(
            try one.exchanges.first?.replies.first?.structured.coding
                == BodyCoding(plan: .apply([CodingStep(.gzip, gzip: GzipShape(extra: "one".bytes))])))
    }

    @Test func `a file that is written anew makes another scenario, coded or not`() throws {
        let folder = try TestFolder()
        func fingerprint(_ keys: String) throws -> UInt64 {
            try load(
                "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200, body: { file: body.bin }\(keys) } }]",
                folder: folder.path
            ).fingerprint
        }
        try folder.write("one", to: "body.bin")
        try folder.setModified("body.bin", secondsSince1970: 1_000_000)
        let (coded, plain) = (try fingerprint(", coding: gzip"), try fingerprint(""))
        #expect(try fingerprint(", coding: gzip") == coded)
        try folder.setModified("body.bin", secondsSince1970: 1_000_001)
        #expect(try fingerprint(", coding: gzip") != coded)
        #expect(try fingerprint("") != plain)
    }
}
