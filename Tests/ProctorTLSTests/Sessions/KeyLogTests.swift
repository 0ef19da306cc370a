import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Where the secrets of sessions may be written.
struct KeyLogTests {
    private func refusal(_ path: String) async throws -> CallFailure? {
        try await onThread { #expect(throws: CallFailure.self) { _ = try KeyLog(path: path) } }
    }

    @Test func `lines are appended to a file of the owner's own`() async throws {
        let place = try TestFolder()
        let path = try place.write("before\n", to: "keys.log")
        try mode(0o600, of: path)
        try await onThread { try KeyLog(path: path).append(Array("after".utf8)) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "before\nafter\n")
    }

    @Test(arguments: [0o644, 0o620, 0o601])
    func `a file that others may look at is left alone`(wide: Int) async throws {
        let place = try TestFolder()
        let path = try place.write("before\n", to: "keys.log")
        try mode(wide, of: path)
        let refusal = try await refusal(path)
        #expect(refusal?.text.hasSuffix("chmod 600 \(path)") == true, "\(String(describing: refusal))")
    }

    @Test func `a link, a pipe and a folder are no places for it`() async throws {
        let place = try TestFolder()
        let path = try place.write("", to: "keys.log")
        try mode(0o600, of: path)
        try FileManager.default.createSymbolicLink(atPath: "\(place.path)/link", withDestinationPath: path)
        #expect(try await refusal("\(place.path)/link")?.text.contains("symbolic link") == true)
        let isMade = unsafe mkfifo("\(place.path)/pipe", 0o600) == 0
        #expect(isMade)
        _ = try await refusal("\(place.path)/pipe")
        let reader = unsafe open("\(place.path)/pipe", O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(try await refusal("\(place.path)/pipe")?.text.contains("regular file") == true)
        _ = try await refusal(place.path)
    }
}
