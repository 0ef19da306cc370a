import ProctorTLS
import ProctorTLSWire

/// Contexts of one version each, as most tests want them.
struct Contexts: Sendable {
    let server: TLSServerContext
    let client: TLSClientContext

    init(
        _ version: TLSVersion = .tls13, identity: ServerIdentity? = nil,
        server change: (inout TLSProgram) -> Void = { _ in },
        client changeClient: (inout TLSClientSetup) -> Void = { _ in }
    ) async throws {
        let authority = try await TestAuthority.shared
        var setup = TLSProgram(versions: version...version)
        change(&setup)
        server = try TLSServerContext(
            setup, identity: identity ?? authority.server, clientAuthority: authority.root)
        var clientSetup = TLSClientSetup(versions: version...version, anchors: [authority.root], securityLevel: 0)
        changeClient(&clientSetup)
        client = try TLSClientContext(clientSetup)
    }
}

/// Answers questions by a rule, and keeps what was asked.
final class Answers: TLSClientQuestions, @unchecked Sendable {
    private let trusts: Bool
    private let identity: ClientIdentity?
    private(set) var verdicts: [TLSTrust] = []
    private(set) var authorities: [[[UInt8]]] = []

    init(trusts: Bool, identity: ClientIdentity? = nil) {
        self.trusts = trusts
        self.identity = identity
    }

    func trust(_ verdict: TLSTrust) async -> Bool {
        verdicts.append(verdict)
        await Task.yield()
        return trusts
    }

    func identity(authorities: [[UInt8]]) async -> ClientIdentity? {
        self.authorities.append(authorities)
        await Task.yield()
        return identity
    }
}
