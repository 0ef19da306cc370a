import Foundation

/// A folder of its own for one test; gone with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "proctor-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, with the folders above it.
    func write(_ text: String, to name: String) throws {
        try makeFolder((name as NSString).deletingLastPathComponent)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    /// Sets the time at which a file's content is said to have changed.
    func setModified(_ name: String, secondsSince1970 seconds: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: "\(path)/\(name)")
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String, folderFirst: String? = nil) throws {
        if let folderFirst { try makeFolder(folderFirst) }
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    /// A file of that size that takes no room.
    func makeHole(_ name: String, byteCount: UInt64) throws {
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/\(name)"))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }
}
