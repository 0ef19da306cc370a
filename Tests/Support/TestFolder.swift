public import Foundation

/// A folder for the files of one test; removed with the last reference, or before.
public final class TestFolder: Sendable {
    /// Absolute, without a slash at its end; short, because the path of a Unix socket must be.
    public let path: String

    /// Only this user may look into the folder.
    ///
    /// The files are named by their paths inside it; the folders above them are made.
    public init(_ files: [String: String] = [:]) throws {
        path = "/tmp/proctor-\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { remove() }

    /// Deletes the folder and all that is in it; for a `defer`, where the folder must outlive its last mention.
    public func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The same folder as a URL.
    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// Writes a file as editors do, by a rename, with the folders above it; gives its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        if let slash = name.lastIndex(of: "/") { try makeFolder(String(name[..<slash])) }
        // Not `.atomic`, which waits for the disk.
        let draft = "\(file).\(UUID().uuidString.prefix(8))"
        try Data(bytes).write(to: URL(fileURLWithPath: draft))
        guard unsafe rename(draft, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return file
    }

    /// Writes text as UTF-8, with the folders above it; returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// An empty file, open for writing.
    public func create(_ name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(fileURLWithPath: write("", to: name)))
    }

    /// The content of a file.
    public func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// Whether there is a file or folder of that name.
    public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    /// Deletes a file, or a folder with all that is in it.
    public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// Sets the time at which a file's content is said to have changed.
    public func setModified(_ name: String, secondsSince1970 seconds: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: "\(path)/\(name)")
    }

    /// Makes a folder and those above it.
    public func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    /// Makes a symbolic link, perhaps with the folder that it lies in.
    public func link(_ name: String, to target: String, folderFirst: String? = nil) throws {
        if let folderFirst { try makeFolder(folderFirst) }
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    /// Makes a sparse file of that size.
    public func makeHole(_ name: String, byteCount: UInt64) throws {
        let handle = try create(name)
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }
}
