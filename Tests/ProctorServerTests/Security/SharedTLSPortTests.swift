import ProctorLoop
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorServer
@testable import ProctorServing
@testable import ProctorTLSWire

@Suite(.limit(minutes: 5))
struct SharedTLSPortTests {
    private func withTLS(_ body: (Server) async throws -> Void) async throws {
        let item = try scenario(always("{ status: 200, body: \"{{base}}\" }"))
        try await withServer(
            [item],
            configure: {
                $0.tlsAddress = .ipv4(host: "127.0.0.1", port: 0)
                $0.token = "secret"
            }, body)
    }

    private func curl(_ name: String, on server: Server, _ words: String...) async throws -> ChildProcess.Outcome {
        let port = server.tlsAddress?.port ?? 0
        return try await ChildProcess.run(
            [
                "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--cacert", try await server.trust(), "--resolve",
                "\(name):\(port):127.0.0.1", "https://\(name):\(port)/test/one/a",
            ] + words)
    }

    @Test func `the catalogue is served over TLS too, and names itself so`() async throws {
        try await withTLS { server in
            let outcome = try await curl("localhost", on: server)
            let port = server.tlsAddress?.port ?? 0
            #expect(outcome.out == "https://localhost:\(port)/test/one", "\(outcome.err)")
        }
    }

    @Test(arguments: [
        ("valid", 0), ("expired", 60), ("tls1.2", 0), ("valid--tls1.2", 0), ("nonsense", 35), ("a--b", 35),
    ])
    func `a name says what a client is shown`(_ row: (label: String, status: Int32)) async throws {
        try await withTLS { server in
            let outcome = try await curl("\(row.label).proctor.test", on: server)
            #expect(outcome.status == row.status, "\(outcome.err)")
        }
    }

    @Test func `a label of a version is that version alone`() async throws {
        try await withTLS { server in
            let outcome = try await curl("tls1.2.proctor.test", on: server, "-v")
            #expect(outcome.err.contains("SSL connection using TLSv1.2"), "\(outcome.err)")
        }
    }

    @Test func `clients without a token get the certificate and the revocation data`() async throws {
        try await withTLS { server in
            for (name, type) in [
                ("ca.pem", "application/x-x509-ca-cert"), ("ca.der", "application/x-x509-ca-cert"),
                ("crl", "application/pkix-crl"), ("ocsp/AA%3D%3D", "application/ocsp-response"),
            ] {
                for more in [[], ["-I"]] {
                    let outcome = try await ChildProcess.run(
                        ["/usr/bin/env", "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code} %{content_type}"] + more
                            + ["\(server.base)/__proctor/\(name)"])
                    #expect(outcome.out == "200 \(type)", "\(name) \(outcome.err)")
                }
            }
        }
    }

    // MARK: Labels

    @Test func `labels are joined, and each is there once`() throws {
        let names = ["valid", "expired", "self-signed"]
        let program = try ServerNameLabels.program(
            for: "expired--tls1.0--tls1.2--alpn-refused.proctor.test", profiles: names)
        #expect(program.certificate == "expired" && program.oldest == .tls10 && program.newest == .tls12)
        #expect(program.applicationProtocols == .refuse)
        for name in [nil, "localhost", "proctor.test", ".proctor.test", "a.example.org"] as [String?] {
            #expect(try ServerNameLabels.program(for: name, profiles: names).certificate == "valid")
        }
        for name in ["x", "valid--valid", "valid--expired", "valid--", "--valid", "tls1.4", "tls1.2--tls1.2"] {
            #expect(throws: LabelRefusal.self, "\(name)") {
                try ServerNameLabels.program(for: "\(name).proctor.test", profiles: names)
            }
        }
        let refusal = #expect(throws: LabelRefusal.self) {
            try ServerNameLabels.program(for: "expird.proctor.test", profiles: names)
        }
        #expect(refusal?.description.contains("did you mean 'expired'?") == true)
    }
}
