import Foundation

/// A folder for files beside a fixture; gone with the last reference.
final class FixtureFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "proctor-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
}
