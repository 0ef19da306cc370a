import Foundation
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Reading profiles; Tests/Data/diagnostics has what is said of wrong ones.
struct ProfileReadingTests {
    private func parse(
        _ text: String, name: String = "it"
    ) -> (profile: CertificateProfile?, diagnostics: [String]) {
        let (profile, diagnostics) = CertificateProfile.parse(
            Array(text.utf8), name: name, role: .server, file: "f.yaml")
        return (profile, diagnostics.map(\.description))
    }

    @Test func `no profile is called by an empty name`() {
        #expect(parse("summary: a\nverdict: accept\n", name: "").profile == nil)
    }

    @Test func `any prefix of a profile is read or refused, never worse`() throws {
        let text =
            "summary: a\nissuers: [{ name: one }]\nextensions: [{ oid: 1.2.3, hex: \"0500\" }]\nverdict: accept\n"
        for end in 0...text.utf8.count {
            let (profile, diagnostics) = parse(String(decoding: Array(text.utf8.prefix(end)), as: UTF8.self))
            #expect((profile == nil) != diagnostics.isEmpty)
        }
    }

    @Test func `later folders have the last word, and what can't be read is told`() throws {
        let (first, second) = (try TestFolder(), try TestFolder())
        _ = try first.write("summary: one\nverdict: accept\n", to: "same.yaml")
        _ = try first.write("summary: one\nverdict: accept\n", to: "mine.yaml")
        _ = try second.write("summary: two\nverdict: accept\n", to: "same.yaml")
        let (catalog, diagnostics) = CertificateCatalog.load(folders: [first.path, second.path])
        #expect(diagnostics.isEmpty && catalog.names == ["mine", "same"] && catalog.profiles["same"]?.summary == "two")
        #expect(catalog.nearest(to: "smae") == "same")
        let missing = CertificateCatalog.load(folders: ["\(first.path)/nothing"]).diagnostics
        #expect(missing.map(\.description).first?.contains("can't be read: No such file") == true)
    }
}
