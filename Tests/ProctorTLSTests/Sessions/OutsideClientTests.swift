import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport
import Testing

/// Independent clients.
@Suite struct OutsideClientTests {
    @Test(arguments: TLSVersion.allCases)
    func `s_client speaks each version with us`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version)
        let flag = ["1.0": "-tls1", "1.1": "-tls1_1", "1.2": "-tls1_2", "1.3": "-tls1_3"][version.rawValue] ?? ""
        let reports = try await EchoServer(context: contexts.server).serve { port in
            let outcome = try await ChildProcess.run(
                [
                    "/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(port)", flag, "-cipher",
                    "DEFAULT:@SECLEVEL=0", "-CAfile", authority.rootPath, "-verify_return_error", "-servername",
                    "localhost", "-alpn", "h2,http/1.1", "-ign_eof",
                ], input: Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            #expect(outcome.status == 0, "\(outcome.err)")
            #expect(outcome.out.contains("Verify return code: 0 (ok)"))
            #expect(outcome.out.contains("ALPN protocol: http/1.1"))
            #expect(outcome.output.count { $0 == 0x61 } >= 200_000)
        }
        #expect(reports.map(\.version) == [version])
        #expect(reports.first?.serverName == "localhost")
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `curl fetches a body, with a certificate of its own`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version, server: { $0.clientCertificate = .require })
        let reports = try await EchoServer(context: contexts.server).serve { port in
            let outcome = try await ChildProcess.run([
                "/usr/bin/curl", "-sS", "--http1.1", "--cacert", authority.rootPath, "--cert",
                "\(authority.folder)/alice.pem", "--key", "\(authority.folder)/alice.key",
                "https://127.0.0.1:\(port)/",
            ])
            #expect(outcome.status == 0, "\(outcome.err)")
            #expect(outcome.output.count == 200_000)
        }
        #expect(reports.map(\.peerChain.first) == [authority.alice.chain.first])
        #expect(reports.first?.alerts.contains(TLSAlert(isOurs: true, isFatal: false, number: 0)) == true)
    }

    @Test func `curl refuses a server that has expired, and says so by an alert`() async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(identity: authority.expiredServer)
        let reports = try await EchoServer(context: contexts.server).serve { port in
            let outcome = try await ChildProcess.run([
                "/usr/bin/curl", "-sS", "--cacert", authority.rootPath, "https://127.0.0.1:\(port)/",
            ])
            #expect(outcome.status == 60)
        }
        #expect(reports.map { $0.alerts.map(\.name) } == [["certificate_expired"]])
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `python's ssl fetches a body`(_ version: String) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version == "TLSv1_2" ? .tls12 : .tls13)
        _ = try await EchoServer(context: contexts.server).serve { port in
            let program = """
                import socket, ssl
                context = ssl.create_default_context(cafile="\(authority.rootPath)")
                context.minimum_version = context.maximum_version = ssl.TLSVersion.\(version)
                with socket.create_connection(("127.0.0.1", \(port))) as raw:
                    with context.wrap_socket(raw, server_hostname="localhost", suppress_ragged_eofs=False) as tls:
                        tls.sendall(b"GET / HTTP/1.1\\r\\n\\r\\n")
                        count = 0
                        while True:
                            data = tls.recv(65536)
                            if not data: break
                            count += data.count(b"a")
                        print(count)
                """
            let outcome = try await ChildProcess.run(["/usr/bin/python3", "-E", "-s", "-B", "-c", program])
            #expect(outcome.out == "200000\n", "\(outcome.err)")
        }
    }

    @Test func `s_client resumes with us, and shows a staple`() async throws {
        let authority = try await TestAuthority.shared
        var identity = authority.server
        // An OCSPResponse that says tryLater (RFC 6960 §4.2.1).
        identity.staple = [0x30, 0x03, 0x0A, 0x01, 0x03]
        let contexts = try await Contexts(.tls12, identity: identity)
        let path = "\(authority.folder)/session.pem"
        let reports = try await EchoServer(context: contexts.server).serve { port in
            for words in [["-sess_out", path], ["-sess_in", path]] {
                let outcome = try await ChildProcess.run(
                    ["/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-status", "-ign_eof"] + words,
                    input: Array("GET / HTTP/1.1\r\n\r\n".utf8))
                #expect(outcome.out.contains("trylater") == (words[0] == "-sess_out"))
            }
        }
        #expect(reports.map(\.isResumed) == [false, true])
    }

    @Test func `a key log is written for its owner alone, and has each secret`() async throws {
        let authority = try await TestAuthority.shared
        let path = "\(authority.folder)/keys.log"
        let server = try TLSServerContext(
            TLSProgram(versions: .tls13 ... .tls13), identity: authority.server, keyLog: KeyLog(path: path))
        _ = try await EchoServer(context: server).serve { port in
            let outcome = try await ChildProcess.run([
                "/usr/bin/curl", "-sS", "--cacert", authority.rootPath, "https://127.0.0.1:\(port)/",
            ])
            #expect(outcome.status == 0)
        }
        let shown = try await ChildProcess.run(["/bin/sh", "-c", "stat -c %a \(path); cut -d' ' -f1 \(path)"])
        #expect(
            shown.out.split(separator: "\n").sorted() == [
                "600", "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "EXPORTER_SECRET",
                "SERVER_HANDSHAKE_TRAFFIC_SECRET", "SERVER_TRAFFIC_SECRET_0",
            ])
    }
}
