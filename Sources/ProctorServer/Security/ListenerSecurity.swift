internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How the connections of one listening address are secured; safe from any thread.
final class ListenerSecurity: Sendable {
    let contexts: TLSContexts
    /// Whether a client that speaks plain HTTP is left without an answer.
    let closesPlainHTTP: Bool
    private let choice: Choice
    /// The name in the origin's URLs, which every certificate has too; nil for an address.
    private let name: String?
    /// What was shown last; nearly all clients of an address ask for the same.
    private let last = Locked<Shown?>(nil)

    private struct Shown {
        let name: [UInt8]?
        let local: SocketAddress
        let context: TLSServerContext
    }

    private enum Choice {
        /// One certificate and one set-up for all; the certificate is the fixture's own where that brings one.
        case one(profile: String, TLSProgram, given: ServerIdentity?)
        /// The certificate and set-up that the labels of the asked server name say.
        case labels
    }

    /// For an origin of a run.
    init(_ program: TLSProgram, canAlert: Bool, name: String? = nil, contexts: TLSContexts) {
        self.contexts = contexts
        self.name = name
        closesPlainHTTP = program.plainHTTP == .close
        // A certificate that can't be used was refused before the scenario was served.
        choice = .one(
            profile: program.certificate, program.with(canAlert: canAlert),
            given: program.given.flatMap { try? ServerIdentity($0) })
    }

    /// For the shared port.
    init(labelsIn contexts: TLSContexts) {
        self.contexts = contexts
        name = nil
        closesPlainHTTP = false
        choice = .labels
    }

    /// What was shown to the last client that called `local` by the same name; nil where it has to be looked up.
    func shownLast(for name: [UInt8]?, at local: SocketAddress) -> TLSServerContext? {
        guard let shown = last.withLock({ $0 }), shown.name == name, shown.local == local,
            shown.context.identity.freshUntil > Int64(time(nil))
        else { return nil }
        return shown.context
    }

    /// Keeps what was looked up for the next client.
    func show(_ context: TLSServerContext, for name: [UInt8]?, at local: SocketAddress) {
        last.withLock { $0 = Shown(name: name, local: local, context: context) }
    }

    /// What to show to a client that sent `hello` to `local`; throws for a name with a label that is unknown.
    func key(for hello: ClientHello, at local: SocketAddress) throws(LabelRefusal) -> TLSContexts.Key {
        let name = hello.serverName.flatMap(Self.hostName)
        let names = names(at: local, asked: name)
        switch choice {
        case .one(let profile, let setup, nil): return TLSContexts.Key(profile: profile, setup: setup, names: names)
        // The certificate is the same for every name, so that one context serves all.
        case .one(let profile, let setup, let given?):
            return TLSContexts.Key(
                profile: profile, setup: setup, names: CertificateNames(hosts: [], addresses: []), given: given)
        case .labels:
            let book = contexts.opened?.authority.catalog
            let program = try ServerNameLabels.program(for: name, profiles: book?.names ?? [])
            return TLSContexts.Key(
                profile: program.certificate, setup: program.with(canAlert: false), names: names)
        }
    }

    /// All that a client on this machine may call the address, and the name that it used if that may be certified.
    private func names(at local: SocketAddress, asked name: String?) -> CertificateNames {
        var addresses = ["127.0.0.1", "::1"]
        // Of another machine's address nothing can be certified; clients there know this one by a name.
        if let own = local.hostText, !addresses.contains(own), Authority.permits(host: own) {
            addresses.insert(own, at: 0)
        }
        var names = CertificateNames(hosts: ["localhost"], addresses: addresses)
        if let own = self.name, Authority.permits(host: own) { names = names.asked(for: own) }
        guard let name, name != "localhost", Authority.permits(host: name) else { return names }
        return names.asked(for: name)
    }

    /// Lower case, without a dot at its end; nil for what is no DNS name.
    private static func hostName(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.count <= 253, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

extension SocketAddress {
    /// Without brackets and port; nil for a Unix socket.
    fileprivate var hostText: String? {
        switch self {
        case .ipv4(let host, _), .ipv6(let host, _): host
        case .unix: nil
        }
    }
}
