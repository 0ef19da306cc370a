import Testing

@testable import ProctorHTTP2

@Suite struct RestingTests {
    /// Sections of a client that asks again and again: some fields come back, others push them out of the table.
    private static func section(_ number: Int) -> [HeaderField] {
        [
            HeaderField(":method", "GET"), HeaderField(":path", "/\(number)"),
            HeaderField("user-agent", "resting"), HeaderField("x-turn", "\(number % 7)"),
            HeaderField("authorization", "secret", isNeverIndexed: true),
            HeaderField("x-long-\(number % 3)", String(repeating: "\(number % 5)", count: 700)),
        ]
    }

    /// Sizes of the table that are allowed before the sections of these numbers.
    private static let sizes: [Int: [UInt32]] = [5: [200], 9: [0, 3_000], 14: [100], 15: [4_096], 20: [0]]

    @Test(arguments: [1, 2, 3, 5]) func `an encoder that has rested writes the same bytes`(_ interval: Int) throws {
        let (usual, resting) = (try #require(HeaderEncoder()), try #require(HeaderEncoder()))
        for number in 0..<40 {
            for size in Self.sizes[number] ?? [] {
                usual.allowTable(ofByteCount: size)
                if number.isMultiple(of: 2) { resting.rest() }
                resting.allowTable(ofByteCount: size)
            }
            if number.isMultiple(of: interval) {
                resting.rest()
                resting.rest()
            }
            let wanted = try #require(usual.encode(Self.section(number / 2)))
            #expect(try #require(resting.encode(Self.section(number / 2))) == wanted, "section \(number)")
        }
    }

    @Test(arguments: [1, 2, 3, 5]) func `a decoder that has rested reads on`(_ interval: Int) throws {
        let encoder = try #require(HeaderEncoder())
        let (usual, resting) = (try #require(HeaderDecoder()), try #require(HeaderDecoder()))
        for number in 0..<40 {
            for size in Self.sizes[number] ?? [] {
                encoder.allowTable(ofByteCount: size)
                usual.allowTable(ofByteCount: size)
                if number.isMultiple(of: 2) { resting.rest() }
                resting.allowTable(ofByteCount: size)
            }
            if number.isMultiple(of: interval) { resting.rest() }
            let block = try #require(encoder.encode(Self.section(number / 2))).bytes
            #expect(try resting.decode(block) == (try usual.decode(block)), "section \(number)")
        }
    }

    @Test func `a writer's own size of the table outlasts the rest`() throws {
        let decoder = try #require(HeaderDecoder())
        var block = RawBlock()
        block.tableSize(80)
        block.literal(.incremental, name: Array("a".utf8), value: Array("1".utf8))
        block.literal(.incremental, name: Array("b".utf8), value: Array("2".utf8))
        _ = try decoder.decode(block.bytes)
        decoder.rest()
        var next = RawBlock()
        next.literal(.incremental, name: Array("c".utf8), value: Array("3".utf8))
        next.indexed(62)
        next.indexed(63)
        #expect(
            try decoder.decode(next.bytes).fields.map(\.name) == [Array("c".utf8), Array("c".utf8), Array("b".utf8)])
        decoder.rest()
        // A third field never fitted.
        #expect(throws: BlockError.self) { try decoder.decode([0x80 + 64]) }
    }

    @Test func `what is owed outlasts the rest`() throws {
        let encoder = try #require(HeaderEncoder())
        let decoder = try #require(HeaderDecoder())
        encoder.follow([Setting(.headerTableSize, 0), Setting(.maxFrameSize, 20_000), Setting(.headerTableSize, 512)])
        encoder.rest()
        let block = try #require(encoder.encode([HeaderField("a", "b")]))
        #expect(block.items.prefix(2).map(\.kind) == [.tableSize(0), .tableSize(512)])
        decoder.allowTable(ofByteCount: 512)
        decoder.rest()
        // Without the update the writer has not followed (RFC 7541 §4.2).
        #expect(throws: BlockError.self) { try decoder.decode([0x82]) }
    }

    @Test func `the size that holds already is no news`() throws {
        let encoder = try #require(HeaderEncoder())
        encoder.follow([Setting(.headerTableSize, 4_096)])
        #expect(try #require(encoder.encode([HeaderField(":method", "GET")])).bytes == [0x82])
    }
}
