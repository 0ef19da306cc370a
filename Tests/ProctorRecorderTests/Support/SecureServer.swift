import Foundation
import ProctorTestSupport

/// A server of OpenSSL's own that speaks TLS, with an authority made for it; nothing of it outlives the test.
final class SecureServer: Sendable {
    /// What is wrong with its certificate, or asked of its clients.
    enum Kind: String, Sendable, CaseIterable {
        case valid, expired, selfSigned
        /// Refuses clients that show no certificate.
        case demanding
    }

    /// PEM of the authority.
    let authority: String
    /// A certificate of the authority's, and its key, for clients.
    let certificate: String
    let key: String
    let base: String
    private let folder: String
    private let process: ChildProcess

    init(_ kind: Kind) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-tls-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = Files(folder: folder)
        try await files.make(kind)
        var words = [Files.openssl, "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "\(folder)/leaf.pem"]
        words += ["-key", "\(folder)/leaf.key"]
        if kind == .demanding { words += ["-Verify", "2", "-verify_return_error", "-CAfile", "\(folder)/ca.pem"] }
        let process = try ChildProcess(words)
        self.process = process
        let line = try await onThread {
            while true {
                let line = String(decoding: try process.readLine(), as: UTF8.self)
                if line.hasPrefix("ACCEPT ") { return line }
            }
        }
        base = "https://\(line.dropFirst("ACCEPT ".count))"
        self.folder = folder
        authority = "\(folder)/ca.pem"
        certificate = "\(folder)/leaf.pem"
        key = "\(folder)/leaf.key"
    }

    deinit {
        process.kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Certificates and keys, fresh for each server.
    private struct Files {
        let folder: String
        static let openssl =
            ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"]
            .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/bin/openssl"

        func make(_ kind: Kind) async throws {
            try await request("ca", ["-x509", "-days", "30", "-subj", "/CN=authority of a test"])
            if kind == .selfSigned {
                return try await request(
                    "leaf",
                    ["-x509", "-days", "30", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"])
            }
            try await request("leaf", ["-subj", "/CN=127.0.0.1"], to: "csr")
            try Data("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:false\n".utf8)
                .write(to: URL(fileURLWithPath: "\(folder)/extensions"))
            // A negative number of days ends before it begins, which is over in any case.
            try await run([
                "x509", "-req", "-in", "\(folder)/leaf.csr", "-CA", "\(folder)/ca.pem", "-CAkey", "\(folder)/ca.key",
                "-CAcreateserial", "-extfile", "\(folder)/extensions", "-days", kind == .expired ? "-1" : "10",
                "-out", "\(folder)/leaf.pem",
            ])
        }

        private func request(_ name: String, _ options: [String], to suffix: String = "pem") async throws {
            try await run(
                [
                    "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                    "\(folder)/\(name).key", "-out", "\(folder)/\(name).\(suffix)",
                ] + options)
        }

        private func run(_ words: [String]) async throws {
            let outcome = try await ChildProcess.run([Self.openssl] + words)
            guard outcome.status == 0 else { throw Failure(description: outcome.err) }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
