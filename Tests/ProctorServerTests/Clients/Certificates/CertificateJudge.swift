import Foundation
import ProctorTLS
import ProctorTestSupport

/// The result of an independent program for a certificate.
struct CertificateJudgement: Sendable, CustomStringConvertible {
    let verdict: CertificateProfile.Verdict
    let words: String

    var description: String { "\(verdict.rawValue): \(words)" }
}

/// Why a program gave no verdict.
struct JudgeFailure: Error, CustomStringConvertible {
    let description: String
}

extension CertificateProfile.Judge {
    /// Has the program look; `list` is a PEM file with a CRL.
    func judge(_ place: JudgedPlace, list: String? = nil) async throws -> CertificateJudgement {
        switch self {
        case .opensslVerify: try await Self.verify(place, list: list)
        case .opensslClient: try await Self.client(place, list: list)
        case .curl: try await Self.curl(place, list: list)
        case .python: try await Self.python(place, list: list)
        }
    }

    /// The chain as the server sends it, then `openssl verify`, which sees no connection.
    private static func verify(_ place: JudgedPlace, list: String?) async throws -> CertificateJudgement {
        // To be handed a certificate at all, no key may be too short.
        let showing = try await s_client(place, ["-showcerts", "-cipher", "DEFAULT@SECLEVEL=0"])
        let certificates = pems(in: showing.out)
        guard let leaf = certificates.first else {
            throw JudgeFailure(description: "s_client was shown no certificate:\n\(showing.out)\n\(showing.err)")
        }
        let folder = try JudgeFolder.make()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try JudgeFolder.write(Array(leaf.utf8), to: "\(folder)/leaf.pem")
        try JudgeFolder.write(Array(certificates.dropFirst().joined().utf8), to: "\(folder)/chain.pem")
        var words = [Tools.openssl, "verify", "-CAfile", place.authority, "-no-CApath", "-no-CAstore"]
        // As strict as libssl of Debian.
        words += ["-purpose", "sslserver", "-auth_level", "2"] + names(place)
        if certificates.count > 1 { words += ["-untrusted", "\(folder)/chain.pem"] }
        if let list { words += ["-crl_check", "-CRLfile", list] }
        let outcome = try await ChildProcess.run(words + ["\(folder)/leaf.pem"])
        return CertificateJudgement(
            verdict: outcome.status == 0 ? .accept : .refuse, words: outcome.out + outcome.err)
    }

    private static func client(
        _ place: JudgedPlace, list: String?
    ) async throws -> CertificateJudgement {
        var words = ["-verify_return_error", "-CAfile", place.authority, "-no-CApath", "-no-CAstore"] + names(place)
        if let list { words += ["-crl_check", "-CRL", list] }
        let outcome = try await s_client(place, words)
        let said = outcome.out + outcome.err
        guard outcome.status == 0 || said.contains("error") else {
            throw JudgeFailure(description: "s_client ended with \(outcome.status):\n\(said)")
        }
        return CertificateJudgement(verdict: outcome.status == 0 ? .accept : .refuse, words: said)
    }

    private static func curl(_ place: JudgedPlace, list: String?) async throws -> CertificateJudgement {
        var words = [
            Tools.curl, "-q", "-sS", "--noproxy", "*", "-m", "\(Patience.seconds)", "--cacert", place.authority,
        ]
        if let list { words += ["--crlfile", list] }
        if let name = place.name { words += ["--connect-to", "\(name):\(place.port):\(place.address):\(place.port)"] }
        let outcome = try await ChildProcess.run(words + ["https://\(place.name ?? place.address):\(place.port)/"])
        let said = outcome.out + outcome.err
        // 35: the handshake, 60: the certificate.
        guard [0, 35, 60].contains(outcome.status) else {
            throw JudgeFailure(description: "curl ended with \(outcome.status):\n\(said)")
        }
        return CertificateJudgement(verdict: outcome.status == 0 ? .accept : .refuse, words: said)
    }

    private static func python(_ place: JudgedPlace, list: String?) async throws -> CertificateJudgement {
        let arguments =
            [place.address, place.port, place.authority, place.name ?? place.address] + (list.map { [$0] } ?? [])
        let outcome = try await ChildProcess.run(Tools.script("tls_judge.py", arguments))
        let verdict = outcome.out.split(separator: " ").first.flatMap {
            CertificateProfile.Verdict(rawValue: String($0))
        }
        guard let verdict, outcome.status == 0 else {
            throw JudgeFailure(description: "python ended with \(outcome.status):\n\(outcome.out)\(outcome.err)")
        }
        return CertificateJudgement(verdict: verdict, words: outcome.out)
    }

    /// Ends as soon as the handshake does, because there is nothing to send.
    private static func s_client(_ place: JudgedPlace, _ options: [String]) async throws -> ChildProcess.Outcome {
        let name = place.name.map { ["-servername", $0] } ?? ["-noservername"]
        let words = [Tools.openssl, "s_client", "-connect", "\(place.address):\(place.port)"] + name + options
        return try await ChildProcess.run(words, input: [])
    }

    private static func names(_ place: JudgedPlace) -> [String] {
        place.name.map { ["-verify_hostname", $0] } ?? ["-verify_ip", place.address]
    }

    /// The certificates of a text, each with its line end.
    private static func pems(in text: String) -> [String] {
        let begin = "-----BEGIN CERTIFICATE-----"
        let end = "-----END CERTIFICATE-----"
        return text.components(separatedBy: begin).dropFirst().compactMap { part in
            part.range(of: end).map { begin + part[..<$0.lowerBound] + end + "\n" }
        }
    }
}

/// A folder for what the judges read; only the system's own cleaning removes it.
enum JudgeFolder {
    static func make() throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-judges-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
