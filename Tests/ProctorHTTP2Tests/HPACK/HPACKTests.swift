import Testing

@testable import ProctorHTTP2

@Suite struct HPACKTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        hexadecimal.split(separator: " ").flatMap { word -> [UInt8] in
            stride(from: 0, to: word.count, by: 2).compactMap { start in
                UInt8(word.dropFirst(start).prefix(2), radix: 16)
            }
        }
    }

    private static func fields(_ text: String) -> [HeaderField] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return HeaderField(String(parts[0]), String(parts[1]))
        }
    }

    /// Three requests on one connection, without and with Huffman code (RFC 7541 §C.3, §C.4).
    @Test(arguments: [
        [
            "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", "8286 84be 5808 6e6f 2d63 6163 6865",
            "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
        ],
        [
            "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", "8286 84be 5886 a8eb 1064 9cbf",
            "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
        ],
    ]) func `the requests of appendix C are decoded`(_ blocks: [String]) throws {
        let decoder = try #require(HeaderDecoder())
        let base = ":method=GET\n:scheme=http\n:path=/\n:authority=www.example.com"
        let expected = [
            base, base + "\ncache-control=no-cache",
            ":method=GET\n:scheme=https\n:path=/index.html\n:authority=www.example.com\ncustom-key=custom-value",
        ]
        for (block, fields) in zip(blocks, expected) {
            #expect(try decoder.decode(Self.bytes(block)).fields == Self.fields(fields))
        }
    }

    /// Responses with a table of 256 bytes, in which entries are evicted (§C.5, §C.6).
    @Test(arguments: [
        [
            "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "4803 3330 37c1 c0bf",
        ],
        [
            "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
            "4883 640e ffc1 c0bf",
        ],
    ]) func `the responses of appendix C are decoded with eviction`(_ blocks: [String]) throws {
        let decoder = try #require(HeaderDecoder())
        let rest = "cache-control=private\ndate=Mon, 21 Oct 2013 20:13:21 GMT\nlocation=https://www.example.com"
        #expect(try decoder.decode([0x3F, 0xE1, 0x01]).fields.isEmpty)
        #expect(try decoder.decode(Self.bytes(blocks[0])).fields == Self.fields(":status=302\n" + rest))
        #expect(try decoder.decode(Self.bytes(blocks[1])).fields == Self.fields(":status=307\n" + rest))
    }

    @Test(arguments: [
        ("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key=custom-header"),
        ("040c 2f73 616d 706c 652f 7061 7468", ":path=/sample/path"),
        ("1008 7061 7373 776f 7264 0673 6563 7265 74", "password=secret"), ("82", ":method=GET"),
    ]) func `the representations of appendix C are decoded`(_ block: String, _ field: String) throws {
        let decoder = try #require(HeaderDecoder())
        var expected = Self.fields(field)
        expected[0].isNeverIndexed = block.hasPrefix("10")
        #expect(try decoder.decode(Self.bytes(block)).fields == expected)
    }

    @Test(arguments: UInt8.min...UInt8.max) func `our Huffman code of a byte is nghttp2's`(_ byte: UInt8) throws {
        for text in [[byte], [byte, 0x61, byte], [0x30, byte]] as [[UInt8]] {
            var block = RawBlock()
            block.literal(.without, name: [0x78], value: text, isHuffman: true)
            let decoder = try #require(HeaderDecoder())
            #expect(try decoder.decode(block.bytes).fields == [HeaderField([0x78], text)])
        }
    }

    @Test func `representations are told`() throws {
        var block = RawBlock()
        block.tableSize(100)
        block.indexed(2)
        block.literal(.incremental, name: [0x61], value: [0x62])
        block.literal(.without, nameIndex: 4, value: [0x2F], isHuffman: true)
        block.literal(.never, name: [0x61], value: [0x62], isHuffman: true)
        let section = try #require(HeaderDecoder()).decode(block.bytes)
        typealias Text = Representation.Text
        #expect(
            section.items.map(\.kind) == [
                .tableSize(100), .indexed(2),
                .literal(
                    .incremental, name: .text(Text(isHuffman: false, byteCount: 1)),
                    value: Text(isHuffman: false, byteCount: 1)),
                .literal(.without, name: .indexed(4), value: Text(isHuffman: true, byteCount: 1)),
                .literal(
                    .never, name: .text(Text(isHuffman: true, byteCount: 1)), value: Text(isHuffman: true, byteCount: 1)
                ),
            ])
        #expect(section.fields.count == 4 && section.fields[3].isNeverIndexed)
    }

    @Test func `what is encoded is decoded, block by block`() throws {
        let encoder = try #require(HeaderEncoder())
        let decoder = try #require(HeaderDecoder())
        let fields = [
            HeaderField(":method", "GET"), HeaderField("x-empty", ""), HeaderField("", ""),
            HeaderField("authorization", "secret", isNeverIndexed: true),
            HeaderField("x", String(repeating: "y", count: 5_000)),
        ]
        for _ in 0..<3 {
            let block = try #require(encoder.encode(fields))
            #expect(try decoder.decode(block.bytes).fields == fields)
            #expect(try RepresentationReader.items(of: block.bytes) == block.items)
        }
        encoder.allowTable(ofByteCount: 0)
        decoder.allowTable(ofByteCount: 0)
        let block = try #require(encoder.encode(fields))
        #expect(try decoder.decode(block.bytes).items.first?.kind == .tableSize(0))
        #expect(encoder.encode([])?.bytes == [])
        #expect(try decoder.decode([]).fields.isEmpty)
    }

    @Test(arguments: [
        ("80", "indexZero", 0), ("82 80", "indexZero", 1), ("be", "indexTooLarge", 0),
        ("7f00 0161", "indexTooLarge", 0),
        ("ffff ffff ffff ff", "integerTooLarge", 0), ("ff80", "truncated", 2), ("0005 61", "truncated", 3),
        ("0001 61", "truncated", 3),
        ("00", "truncated", 1), ("0001 6181 18", "huffman", 0), ("0001 6182 1fff", "huffman", 0),
        ("0001 6184 ffff ffff", "huffman", 0),
        ("3fe2 1f", "updateTooLarge", 0), ("8220", "updateNotFirst", 1),
    ]) func `a block that cannot be read says why and where`(_ block: String, _ reason: String, _ offset: Int) throws {
        let decoder = try #require(HeaderDecoder())
        let error = #expect(throws: BlockError.self) { try decoder.decode(Self.bytes(block)) }
        #expect(error.map { "\($0.reason)" } == reason && error?.offset == offset)
        #expect(throws: BlockError.self) { try decoder.decode([0x82]) }
    }

    @Test func `the block behind a smaller table begins with an update of its size`() throws {
        func decoder(behind blocks: [[UInt8]] = []) throws -> HeaderDecoder {
            let decoder = try #require(HeaderDecoder())
            for block in blocks { _ = try decoder.decode(block) }
            decoder.allowTable(ofByteCount: 0)
            return decoder
        }
        for block in [[0x82], []] as [[UInt8]] {
            let silent = try decoder()
            let error = #expect(throws: BlockError.self) { try silent.decode(block) }
            #expect(error == BlockError(reason: .updateMissing, offset: 0))
        }
        #expect(try decoder().decode([0x20, 0x82]).fields == [HeaderField(":method", "GET")])
        // The table was so small already.
        #expect(try decoder(behind: [[0x20, 0x82]]).decode([0x82]).fields.count == 1)
    }

    @Test func `a block beyond the bounds is decoded on, so that the tables agree`() throws {
        let decoder = try #require(HeaderDecoder())
        var block = RawBlock()
        for _ in 0..<10 { block.literal(.incremental, name: [0x61], value: [0x62]) }
        let cut = try decoder.decode(block.bytes, HeaderDecoder.Limits(listByteCount: 100, fieldCount: 5))
        #expect(cut.fields.count == 2 && cut.fieldCount == 10 && cut.listByteCount == 340 && cut.isCut)
        #expect(try decoder.decode([0xBE + 9]).fields == [HeaderField("a", "b")])
        #expect(try decoder.decode(block.bytes, HeaderDecoder.Limits(fieldCount: 5)).fields.count == 5)
    }
}
