import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport

/// The words of a handshake, each with its value behind it where it has one.
///
/// Of the server: `select A,B`, `ignore-protocols`, `refuse-protocols`, `server-name refuse`, `ciphers X`, `suites X`, `groups X`,
/// `dh N`, `resumption off`, `as NAME` (its certificate), `client-certificate require`, `authorities none`. Of the client: `client V`
/// (its version), `offer A,B` (a minus sign offers nothing), `host H`, `client-ciphers X`, `client-suites X`, `identity NAME`,
/// `trusts` or `distrusts` (it is asked), `no-anchor`, `no-verification`. Of both: `at POSITION alert N`, `at POSITION end`,
/// `at POSITION close`, `at POSITION truncated` or `bad-mac` (a server's act), `again` (with the ticket of the first), `alert N`
/// (behind data), `ask N` (times for a certificate), `leave` (the server ends).
struct HandshakeWords: Sendable {
    let version: String
    let words: [String]
    let shown: [String]
    let line: Int

    func has(_ word: String) -> Bool { words.contains(word) }

    func value(_ word: String) -> String? {
        words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }

    private func list(_ text: String) -> [String] { text == "-" ? [] : text.split(separator: ",").map(String.init) }

    private func version(_ text: String) throws(RowError) -> ClosedRange<TLSVersion> {
        guard let version = TLSVersion(rawValue: text) else { throw RowError(line, "no version of TLS: \(text)") }
        return version...version
    }

    func server() throws -> TLSServerContext {
        var program = TLSProgram(versions: try version(version))
        if let names = value("select") { program.applicationProtocols = .select(list(names)) }
        if has("ignore-protocols") { program.applicationProtocols = .ignore }
        if has("refuse-protocols") { program.applicationProtocols = .refuse }
        if let rule = value("server-name") { program.serverName = try word(rule) }
        program.ciphers = value("ciphers")
        program.suites = value("suites")
        program.groups = value("groups")
        program.dhBits = value("dh").flatMap { Int($0) }
        if let rule = value("resumption") { program.resumption = try word(rule) }
        if let rule = value("client-certificate") { program.clientCertificate = try word(rule) }
        if let rule = value("authorities") { program.clientAuthorities = try word(rule) }
        program.canAlert = has("alert")
        let identity = try TestAuthority.shared.identity(value("as") ?? "ecc256", names: .loopback)
        return try TLSServerContext(
            program, identity: identity, clientAuthority: TestAuthority.shared.certificateDER)
    }

    func client() throws -> TLSClientContext {
        var setup = TLSClientSetup(
            versions: try version(value("client") ?? version),
            anchors: has("no-anchor") ? [] : [try TestAuthority.shared.certificateDER], securityLevel: 0)
        if let names = value("offer") { setup.applicationProtocols = list(names) }
        if let ciphers = value("client-ciphers") { setup.ciphers = ciphers }
        if let suites = value("client-suites") { setup.suites = suites }
        if !has("trusts"), let name = value("identity") { setup.identity = try TestAuthority.shared.client(name) }
        setup.verifies = !has("no-verification")
        return try TLSClientContext(setup)
    }

    private func word<Rule: RawRepresentable<String>>(_ text: String) throws(RowError) -> Rule {
        guard let rule = Rule(rawValue: text) else { throw RowError(line, "no word of \(Rule.self): \(text)") }
        return rule
    }

    func lines() async throws -> [String] {
        let (server, client): (TLSServerContext, TLSClientContext)
        do { (server, client) = (try self.server(), try self.client()) } catch let error as TLSSetupError {
            return ["\(error)"]
        }
        let loop = try EventLoop()
        defer { loop.stop() }
        return try await loop.run { try await Handshake(words: self, server: server, client: client).lines(on: loop) }
    }
}

/// One authority of all rows, with the shipped profiles.
enum TestAuthority {
    static var shared: Authority {
        get throws { try made.get() }
    }

    private static let made = Result {
        try Authority.open(
            .ephemeral(seed: nil), catalog: CertificateCatalog.load(folders: ["\(Project.path)/certs"]).catalog)
    }
}
