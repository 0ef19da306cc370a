import Foundation

/// A folder for what the judges read, removed by nobody but the system's own cleaning.
enum JudgeFolder {
    static func make() throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-judges-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
