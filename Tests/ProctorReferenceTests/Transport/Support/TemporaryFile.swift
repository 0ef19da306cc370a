import Foundation

/// A file for the time of a test.
enum TemporaryFile {
    static func with<Result>(_ content: [UInt8], _ body: (String) async throws -> Result) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
        try Data(content).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url.path)
    }

    static func cut(_ path: String, to byteCount: UInt64) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }
}

/// Bytes in which every shift shows.
func pattern(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += patternBlock.prefix(count - bytes.count) }
    return bytes
}

/// Of a length that no buffer has.
private let patternBlock = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
