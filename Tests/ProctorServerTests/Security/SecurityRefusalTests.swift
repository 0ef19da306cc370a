import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTLS
import ProctorTestSupport
import Testing

/// What can't be served is told before anything is opened.
@Suite(.limit(minutes: 5))
struct SecurityRefusalTests {
    private func refusal(_ tls: String, configure: (inout ServerConfiguration) -> Void = { _ in }) async throws
        -> SecurityRefusal?
    {
        let item = try scenario(
            """
            summary: can't be served
            origins:
              main: { scheme: https, \(tls) }
            exchanges:
              - request: "GET /"
                reply: { status: 200 }
            """)
        return try await withServer([item], configure: configure) { server in
            do {
                _ = try await server.run(item.id)
                return nil
            } catch let refusal as SecurityRefusal {
                return refusal
            }
        }
    }

    @Test func `a certificate without a description`() async throws {
        let refusal = try await refusal("certificate: expird")
        #expect(refusal?.reason == .unknownName)
        #expect(refusal?.description.contains("did you mean 'expired'?") == true, "\(String(describing: refusal))")
    }

    @Test func `a cipher that OpenSSL has no more`() async throws {
        let refusal = try await refusal("tls: { versions: \"1.2\", ciphers: RC4-MD5 }")
        #expect(refusal?.reason == .notOffered, "\(String(describing: refusal))")
    }

    @Test func `an authority whose folder can't be had, while plain HTTP goes on`() async throws {
        let refusal = try await refusal("certificate: valid") {
            $0.authority = .folder("/nonexistent/proctor/ca")
        }
        #expect(refusal?.reason == .authority, "\(String(describing: refusal))")
    }

    @Test func `a port that speaks TLS without the usual certificate is no port, and says where it was looked for`()
        async throws
    {
        let folder = try TestFolder()
        for (folders, place) in [([], "no folder 'certs' was found"), ([folder.path], "looked for in \(folder.path)")] {
            let failure = await #expect(throws: ServerStartFailure.self) {
                try await withServer(
                    [try scenario(always("{ status: 200 }"))],
                    configure: {
                        $0.tlsAddress = .ipv4(host: "127.0.0.1", port: 0)
                        $0.certificateFolders = folders
                    }, { _ in })
            }
            let text = failure?.description ?? ""
            let start = "TLS can't be spoken: there is no certificate profile 'valid' (\(place)); "
            #expect(text.hasPrefix(start), "\(text)")
        }
    }
}

/// OpenSSL's programs read revocation data from the shared port, which certificates name.
@Suite(.limit(minutes: 5))
struct RevocationCallTests {
    /// Gets the certificate that `$2.proctor.test` shows at `$1`, with `$3` as the authority; then runs `body`.
    private func judge(_ profile: String, _ body: String) async throws -> ChildProcess.Outcome {
        let item = try scenario(always("{ status: 200 }"))
        return try await withServer(
            [item], configure: { $0.tlsAddress = .ipv4(host: "127.0.0.1", port: 0) }
        ) { server in
            let script = """
                set -eu
                folder=$(mktemp -d)
                trap 'rm -rf "$folder"' EXIT
                cd "$folder"
                openssl s_client -connect "$1" -servername "$2.proctor.test" -CAfile "$3" </dev/null 2>/dev/null |
                  openssl x509 > leaf.pem
                \(body)
                """
            let port = server.tlsAddress?.port ?? 0
            return try await ChildProcess.run(
                ["/bin/sh", "-c", script, "sh", "127.0.0.1:\(port)", profile, try await server.trust()])
        }
    }

    @Test(arguments: [("revoked", "revoked"), ("not-revoked", "good")])
    func `the responder that a certificate names knows it`(_ row: (profile: String, status: String)) async throws {
        let outcome = try await judge(
            row.profile,
            """
            url=$(openssl x509 -in leaf.pem -noout -ocsp_uri)
            openssl ocsp -issuer "$3" -CAfile "$3" -cert leaf.pem -url "$url" 2>&1
            """)
        #expect(outcome.status == 0 && outcome.out.contains("leaf.pem: \(row.status)\n"), "\(outcome)")
        #expect(outcome.out.contains("Response verify OK"), "\(outcome.out)")
    }

    @Test(arguments: [("revoked", "certificate revoked"), ("not-revoked", "leaf.pem: OK")])
    func `the list that a certificate names has it`(_ row: (profile: String, words: String)) async throws {
        let outcome = try await judge(
            row.profile,
            """
            url=$(openssl x509 -in leaf.pem -noout -ext crlDistributionPoints | sed -n 's/.*URI://p')
            curl -sS --max-time 60 -o crl.der "$url"
            openssl crl -inform DER -in crl.der -out crl.pem
            openssl verify -CAfile "$3" -CRLfile crl.pem -crl_check leaf.pem 2>&1 || true
            """)
        #expect(outcome.out.contains(row.words), "\(outcome.out)\(outcome.err)")
    }
}
