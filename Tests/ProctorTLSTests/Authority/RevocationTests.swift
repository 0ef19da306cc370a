import Foundation
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// CRL, OCSP responses and staples, judged by OpenSSL's own program.
struct RevocationTests {
    private static let place = RevocationURLs(
        revocationList: "http://127.0.0.1:1/__proctor/crl", responder: "http://127.0.0.1:1/__proctor/ocsp")

    /// Asks as `openssl ocsp` does, and lets it judge what comes.
    private func ask(_ profile: String, _ options: [String] = []) async throws -> (out: String, err: String) {
        let authority = try await Ours.authority()
        let place = try TestFolder()
        let identity = try await onThread {
            try authority.identity(profile, names: .loopback, revocation: Self.place)
        }
        let leaf = try place.write(PEMText.text("CERTIFICATE", identity.chain[0]), to: "leaf.pem")
        let both = ["-issuer", authority.certificatePath] + options + ["-cert", leaf]
        let asked = try await ChildProcess.run(
            [Ours.openssl, "ocsp"] + both + ["-reqout", "\(place.path)/request"])
        #expect(asked.status == 0, "\(asked.err)")
        let request = Array(try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/request")))
        let response = try place.write(authority.ocspResponse(to: request), to: "response")
        let judged = try await ChildProcess.run(
            // A nonce of its own would take the place of the one that was asked with.
            [Ours.openssl, "ocsp", "-no_nonce", "-reqin", "\(place.path)/request", "-respin", response]
                + both + ["-CAfile", authority.certificatePath])
        return (judged.out, judged.err)
    }

    @Test(arguments: [[], ["-no_nonce"], ["-sha256"]])
    func `the responder tells who was revoked, to openssl's content`(options: [String]) async throws {
        for (profile, status) in [("revoked", "revoked"), ("not-revoked", "good")] {
            let (out, err) = try await ask(profile, options)
            #expect(out.contains("leaf.pem: \(status)\n"), "\(out)\(err)")
            #expect(err.contains("Response verify OK") && !err.contains("WARNING"), "\(err)")
        }
    }

    @Test func `what another authority signed is unknown, and so is another digest`() async throws {
        for (profile, options) in [("untrusted-root", []), ("revoked", ["-sha512"])] {
            let (out, err) = try await ask(profile, options)
            #expect(out.contains("leaf.pem: unknown\n"), "\(out)\(err)")
        }
    }

    @Test func `a request that is cut, or followed by something, is malformed`() async throws {
        let authority = try await Ours.authority()
        let issuer = CertificateIssuer(name: authority.root.name, key: authority.root.key, certificate: [])
        let identifier = OCSPResponse.identifier(issuer: issuer, serial: [5])
        let nonce = CertificateExtension.make("1.3.6.1.5.5.7.48.1.2", DER.octets([1, 2, 3]))
        let request = DER.sequence(
            DER.sequence(DER.sequence(DER.sequence(identifier)), DER.context(2, DER.sequence(nonce))))
        let question = try #require(OCSPRequest(request))
        #expect(question.singles.map(\.serial) == [[5]] && question.nonce == nonce)
        for end in 0..<request.count {
            #expect(authority.ocspResponse(to: Array(request[..<end])) == OCSPResponse.malformedRequest, "\(end)")
        }
        #expect(authority.ocspResponse(to: request + [0]) == OCSPResponse.malformedRequest)
        let many = DER.sequence(of: [[UInt8]](repeating: DER.sequence(identifier), count: OCSPRequest.limit + 1))
        #expect(OCSPRequest(DER.sequence(DER.sequence(many))) == nil)
        #expect(OCSPRequest(DER.sequence(DER.sequence(DER.sequence()))) == nil)
        // Any byte may be another; none may trap.
        for index in request.indices {
            for value in [0, 0x30, 0x7F, 0x80, 0xFF] as [UInt8] {
                var other = request
                other[index] = value
                #expect(!authority.ocspResponse(to: other).isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("staple-good", "good", true), ("staple-revoked", "revoked", true), ("staple-expired", "good", false),
    ])
    func `a staple says what its profile says`(profile: String, status: String, isCurrent: Bool) async throws {
        let (out, err) = try await judge(stapleOf: profile)
        #expect(out.contains("leaf.pem: ") && out.contains("\(status)\n"), "\(out)\(err)")
        #expect(err.contains("Response verify OK"), "\(err)")
        #expect(out.contains("status expired") != isCurrent, "\(out)\(err)")
    }

    @Test func `a staple for another certificate says nothing of this one`() async throws {
        let (out, err) = try await judge(stapleOf: "staple-wrong-serial")
        #expect((out + err).contains("No Status found"), "\(out)\(err)")
    }

    private func judge(stapleOf profile: String) async throws -> (out: String, err: String) {
        let authority = try await Ours.authority()
        let place = try TestFolder()
        let identity = try await onThread { try authority.identity(profile, names: .loopback) }
        let leaf = try place.write(PEMText.text("CERTIFICATE", identity.chain[0]), to: "leaf.pem")
        let staple = try place.write(try #require(identity.staple), to: "staple")
        let outcome = try await ChildProcess.run([
            Ours.openssl, "ocsp", "-respin", staple, "-issuer", authority.certificatePath, "-cert", leaf, "-CAfile",
            authority.certificatePath,
        ])
        return (outcome.out, outcome.err)
    }

    @Test func `the list is signed, in time, and names what was revoked`() async throws {
        let authority = try await Ours.authority()
        let place = try TestFolder()
        let (identity, list) = try await onThread {
            let identity = try authority.identity("revoked", names: .loopback, revocation: Self.place)
            return (identity, try authority.revocationList())
        }
        let file = try place.write(list, to: "crl")
        let outcome = try await ChildProcess.run([
            Ours.openssl, "crl", "-inform", "der", "-in", file, "-noout", "-text", "-CAfile", authority.certificatePath,
        ])
        #expect(outcome.err.contains("verify OK") && outcome.status == 0, "\(outcome.err)")
        let serial = identity.serial.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        #expect(outcome.out.contains("Serial Number: \(serial)"), "\(outcome.out)")
        let shown = try await ChildProcess.run(
            [Ours.openssl, "x509", "-noout", "-text"],
            input: Array(PEMText.text("CERTIFICATE", identity.chain[0]).utf8))
        #expect(shown.out.contains("URI:\(Self.place.revocationList)\n"))
        #expect(shown.out.contains("OCSP - URI:\(Self.place.responder)\n"))
    }
}
