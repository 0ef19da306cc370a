import Foundation
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

/// Files of an assignment, by path and as bytes.
struct AssignedFileTests {
    private static let pem = "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n"

    @Test func `a path and a data URL give the same bytes`() throws {
        let folder = try TestFolder(["ca.pem": Self.pem])
        let inline = "data:application/x-pem-file;base64,\(Data(Self.pem.utf8).base64EncodedString())"
        for name in ["\(folder.path)/ca.pem", inline] {
            #expect(AssignedFile.text(at: name) == Self.pem)
        }
        let identity = Assignment.Identity(name: "a", certificate: "", key: "", pkcs12: inline, passphrase: "p")
        #expect(identity.pkcs12Data == Data(Self.pem.utf8))
    }

    @Test(arguments: ["/nowhere/ca.pem", "data:text/plain,hello", "data:text/plain;base64,???", "data:"])
    func `what can't be read gives nothing`(name: String) {
        #expect(AssignedFile.bytes(at: name) == nil)
    }

    @Test func `the first certificate of a text is taken as DER`() {
        #expect(AssignedFile.firstCertificate(in: "before\n\(Self.pem)\(Self.pem)") == Data([0x30, 3, 2, 1, 1]))
        for text in [
            "", "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n", "-----BEGIN CERTIFICATE----------END CERTIFICATE-----",
        ] {
            #expect(AssignedFile.firstCertificate(in: text) == nil, "\(text)")
        }
    }
}
