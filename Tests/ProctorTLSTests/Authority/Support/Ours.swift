import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What the tests of certificates share: the shipped profiles, and one authority for all of them.
enum Ours {
    /// The checkout that these tests stand in.
    static let project: String = {
        // .../Tests/ProctorTLSTests/Authority/Support/Ours.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(5).joined(separator: "/")
    }()

    /// As it is shipped; what is wrong with it is found by a test of its own.
    static let book = CertificateBook.load(folders: ["\(project)/certs"]).book

    private static let opened = Locked<Authority?>(nil)

    /// Made by the first test that wants it; its folder goes when the tests are over.
    static func authority() async throws -> Authority {
        try await onThread {
            try opened.withLock { opened in
                if let opened { return opened }
                let authority = try Authority.open(.ephemeral(seed: nil), book: book)
                opened = authority
                atexit { Ours.opened.withLock { $0?.close() } }
                return authority
            }
        }
    }

    static let openssl =
        ["/usr/bin/openssl", "/opt/homebrew/opt/openssl@3/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/bin/openssl"
}

/// A folder for one test, removed with its owner.
final class Place: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/proctor-place-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try mode(0o700, of: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func write(_ text: String, _ name: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
        return "\(path)/\(name)"
    }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}

/// Sets the permissions of a file.
func mode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// The permissions of a file.
func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}
