import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct CodingReadingTests {
    private func codings(_ texts: String...) throws -> [BodyCoding?] {
        try texts.map { text in
            try #require(try replies("{ status: 200, body: abc, coding: \(text) }").first).structured.coding
        }
    }

    @Test func `one step is written by its name`() throws {
        for coding in ContentCoding.allCases {
            #expect(try codings(coding.rawValue) == [BodyCoding(plan: .apply([CodingStep(coding)]))])
        }
    }

    @Test func `several steps keep their order`() throws {
        #expect(
            try codings("[gzip, { br: { level: 5 } }, zstd]") == [
                BodyCoding(plan: .apply([CodingStep(.gzip), CodingStep(.brotli, level: 5), CodingStep(.zstd)]))
            ])
    }

    @Test func `everything that can be said of a gzip file is read`() throws {
        let text = #"""
            { x-gzip: { level: 9, members: [5, 0, 7], name: "\u00e4.txt", comment: "a b", extra: { hex: "00 ff" },
              modified: 1700000000, header-checksum: true, checksum: wrong, length: wrong, missing: 5, trailing: junk } }
            """#
        let shape = GzipShape(
            memberSizes: [5, 0, 7], name: [0xE4] + ".txt".bytes, comment: "a b".bytes, extra: [0, 0xFF],
            modified: 1_700_000_000, hasHeaderChecksum: true, hasWrongLength: true)
        let step = CodingStep(
            .xGzip, level: 9, gzip: shape, hasWrongChecksum: true, missingByteCount: 5, trailing: "junk".bytes)
        #expect(try codings(text.replacing("\n", with: " ")) == [BodyCoding(plan: .apply([step]))])
        #expect(throws: Never.self) { try step.check() }
    }

    @Test func `the options of the other codings are read`() throws {
        #expect(
            try codings(
                "{ deflate: { format: raw, missing: 1 } }", "{ deflate: { format: zlib, checksum: wrong } }",
                "{ zstd: { level: 22, checksum: wrong } }", "{ br: { level: 11, trailing: { hex: 00 } } }",
                "{ identity: { missing: 2 } }")
                == [
                    CodingStep(.deflate, isRaw: true, missingByteCount: 1),
                    CodingStep(.deflate, hasWrongChecksum: true), CodingStep(.zstd, level: 22, hasWrongChecksum: true),
                    CodingStep(.brotli, level: 11, trailing: [0]), CodingStep(.identity, missingByteCount: 2),
                ].map { BodyCoding(plan: .apply([$0])) })
    }

    @Test func `the full form says what is done, said and where`() throws {
        let gzip = BodyCoding.Plan.apply([CodingStep(.gzip)])
        #expect(
            try codings(
                "{ apply: gzip }", "{ apply: [gzip], says: br }", "{ apply: gzip, says: null }",
                "{ apply: { gzip: { level: 1 } }, says: \"\", in: content }",
                "{ negotiate: [br, { gzip: { level: 1 } }] }")
                == [
                    BodyCoding(plan: gzip), BodyCoding(plan: gzip, label: .text("br".bytes)),
                    BodyCoding(plan: gzip, label: .absent),
                    BodyCoding(plan: .apply([CodingStep(.gzip, level: 1)]), label: .text([])),
                    BodyCoding(plan: .negotiate([CodingStep(.brotli), CodingStep(.gzip, level: 1)])),
                ])
        let transfer = try replies("{ status: 200, framing: chunked, coding: { apply: gzip, in: transfer } }")
        #expect(try transfer.first?.structured.coding == BodyCoding(plan: gzip, place: .transfer))
    }

    @Test func `an address can stand in a coded body`() throws {
        let reply = try #require(try replies(#"{ status: 200, coding: gzip, body: "at {{base}}{{{{now}}" }"#).first)
        guard case .bytes(.template(let template))? = try reply.structured.body.first else {
            Issue.record("the body is no template")
            return
        }
        #expect(template.parts == [.literal("at ".bytes), .base, .literal("{{now}}".bytes)])
    }

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
