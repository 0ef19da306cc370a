import Foundation

/// A temporary folder that goes with its owner.
final class Folder: Sendable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        // Short, because the path of a Unix socket must be.
        path = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (name, text) in files {
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func create(_ name: String) throws -> FileHandle {
        try "".write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }
}
