import Foundation
import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What stands in the place of a file, and is none.
@Suite(.timeLimit(.minutes(5)))
struct SmallFileTests {
    @Test func `a pipe among the profiles is told of and not waited for`() async throws {
        let place = try Place()
        let isMade = unsafe mkfifo("\(place.path)/pipe.yaml", 0o600) == 0
        #expect(isMade)
        let (book, diagnostics) = try await onThread { CertificateBook.load(folders: [place.path]) }
        #expect(book.names.isEmpty)
        #expect(diagnostics.map(\.sentence) == ["the profile can't be read: it is no regular file"])
    }

    @Test func `all reasons of OpenSSL are told, the first one first`() async throws {
        let failure = try await onThread {
            #expect(throws: CallFailure.self) { _ = try PrivateKey(der: [0x30, 0x03, 0x02, 0x01]) }
        }
        #expect(
            failure?.text.contains("; ") == true && failure?.text.contains("error:") == false, "\(failure?.text ?? "")")
    }
}
