import Foundation
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct BodyCopyTests {
    private static func content(_ byteCount: Int) -> Data {
        Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    }

    private func read(_ stream: BodyStream) async throws -> Data {
        var read = Data()
        while let piece = try await stream.next() {
            #expect(!piece.isEmpty)
            read += piece
        }
        return read
    }

    @Test(arguments: [0, 1, 200_000, BodyCopy.memoryByteCount, BodyCopy.memoryByteCount + 1, 3_000_000])
    func `content can be sent again, from memory or from a file`(byteCount: Int) async throws {
        let content = Self.content(byteCount)
        let copy = BodyCopy(InputStream(data: content))
        for _ in 0..<3 { #expect(try await read(copy.bodyStream()) == content) }
    }

    @Test func `a sending that broke off loses nothing for the next one`() async throws {
        let content = Self.content(300_000)
        let copy = BodyCopy(InputStream(data: content))
        _ = try await copy.bodyStream().next()
        #expect(try await read(copy.bodyStream()) == content)
    }

    @Test(arguments: [10, 3_000_000])
    func `another request gets a stream of the same content`(byteCount: Int) async throws {
        let content = Self.content(byteCount)
        for readFirst in [true, false] {
            let copy = BodyCopy(InputStream(data: content))
            if readFirst { _ = try await read(copy.bodyStream()) }
            let stream = copy.inputStream()
            stream.open()
            var whole = Data()
            var buffer = [UInt8](repeating: 0, count: 10_000)
            while case let count = unsafe stream.read(&buffer, maxLength: buffer.count), count > 0 {
                whole += buffer.prefix(count)
            }
            #expect(whole == content)
            #expect(stream.streamStatus == .atEnd)
        }
    }

    @Test func `the next object takes the copy itself`() throws {
        let copy = BodyCopy(InputStream(data: Self.content(5)))
        var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        request.httpBodyStream = copy.inputStream()
        #expect(try BodyCopy.copy(of: request, keepsContent: true) === copy)
    }

    @Test func `without a copy the content can be sent once`() async throws {
        let copy = BodyCopy(InputStream(data: Self.content(5)), keepsContent: false)
        #expect(try await read(copy.bodyStream()) == Self.content(5))
        await #expect(throws: LoadError.self) { try await read(copy.bodyStream()) }
    }
}
