import ProctorCoding
import Testing

/// Bytes that other programs or the RFCs give.
struct VectorTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let coding: ContentCoding
        let bytes: [UInt8]
        let content: String
    }

    static let vectors: [Vector] = [
        Vector(
            testDescription: "the empty zlib stream", coding: .deflate, bytes: [0x78, 0x9C, 3, 0, 0, 0, 0, 1],
            content: ""),
        Vector(
            testDescription: "a stored block in raw DEFLATE (RFC 1951 §3.2.4)", coding: .deflate,
            bytes: [1, 2, 0, 0xFD, 0xFF, 0x68, 0x69], content: "hi"),
        Vector(
            testDescription: "a stored block in the zlib format", coding: .deflate,
            bytes: [0x78, 0x01, 1, 2, 0, 0xFD, 0xFF, 0x68, 0x69, 0x01, 0x3B, 0x00, 0xD2], content: "hi"),
        Vector(testDescription: "the empty brotli stream (RFC 7932 §9.1)", coding: .brotli, bytes: [0x06], content: ""),
        Vector(
            testDescription: "a raw block of zstd (RFC 8878 §3.1.1.2.2)", coding: .zstd,
            bytes: [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x29, 0, 0, 0x68, 0x65, 0x6C, 0x6C, 0x6F], content: "hello"),
        Vector(
            testDescription: "a frame that is skipped, then one that is not (RFC 8878 §3.1.2)", coding: .zstd,
            bytes: [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9]
                + [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x29, 0, 0, 0x68, 0x65, 0x6C, 0x6C, 0x6F],
            content: "hello"),
    ]

    @Test(arguments: vectors)
    func `a known stream is decoded`(vector: Vector) throws {
        for decoded in [
            try Feeding.whole(vector.bytes, vector.coding), try Feeding.byteByByte(vector.bytes, vector.coding),
        ] {
            #expect(decoded.content == Array(vector.content.utf8))
            #expect(decoded.failure == nil)
        }
    }

    @Test func `a dictionary and another method are unsupported`() throws {
        // FDICT is bit 5 of FLG (RFC 1950 §2.2); the method of gzip is its third byte.
        let dictionary: [UInt8] = [0x78, 0xBB, 0, 0, 0, 1, 3, 0]
        #expect(try Feeding.whole(dictionary, .deflate).failure?.kind == .unsupported)
        #expect(try Feeding.whole([0x1F, 0x8B, 7, 0, 0, 0, 0, 0, 0, 0], .gzip).failure?.kind == .unsupported)
    }

    @Test func `a window beyond RFC 9659 is too large`() throws {
        // Window_Descriptor 0x70 is 16 MiB (RFC 8878 §3.1.1.1.2), 0x68 is 8 MiB; then an empty last block.
        let large: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x70, 1, 0, 0]
        #expect(try Feeding.whole(large, .zstd).failure?.kind == .tooLarge)
        let greatest: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68, 1, 0, 0]
        #expect(try Feeding.whole(greatest, .zstd).failure == nil)
    }

    @Test func `a large window of brotli is not of the RFC`() throws {
        // The pattern that large-window brotli begins with is reserved in RFC 7932 §9.1.
        #expect(try Feeding.whole([0x11, 0x1E, 0x06], .brotli).failure?.kind == .corrupt)
    }
}
