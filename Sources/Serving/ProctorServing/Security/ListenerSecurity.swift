internal import ProctorBase
package import ProctorLoop
internal import ProctorReplies
package import ProctorScenario
internal import ProctorTLS
package import ProctorTLSWire

/// The TLS of one listening address; safe from any thread.
package final class ListenerSecurity: Sendable {
    package let contexts: TLSContexts
    /// What a client that speaks plain HTTP gets.
    let plainHTTP: TLSProgram.PlainHTTP
    private let choice: Choice
    /// The name in the origin's URLs, which every certificate includes; nil for an address.
    private let name: String?
    /// The latest context: most clients of an address need the same one.
    private let last = Locked<Shown?>(nil)

    private struct Shown {
        let name: [UInt8]?
        let local: SocketAddress
        let context: TLSServerContext
    }

    private enum Choice {
        /// One certificate and configuration for all; the certificate is the fixture's own where it has one.
        case one(profile: String, TLSProgram, given: ServerIdentity?)
        /// Certificate and configuration by the labels of the server name, which change what all names get.
        case labels(TLSProgram)
    }

    package init(_ program: TLSProgram, canAlert: Bool, name: String? = nil, contexts: TLSContexts) {
        (self.contexts, self.name) = (contexts, name)
        plainHTTP = program.plainHTTP
        // A certificate that can't be used was refused before the scenario was served.
        choice = .one(
            profile: program.certificate, program.with(canAlert: canAlert),
            given: program.given.flatMap { try? ServerIdentity($0) })
    }

    /// Selects from `protocols` by ALPN where no label says anything else.
    package init(
        labelsIn contexts: TLSContexts, speaking protocols: [ApplicationProtocol] = ApplicationProtocol.usual,
        closesPlainHTTP: Bool = false
    ) {
        self.contexts = contexts
        name = nil
        plainHTTP = closesPlainHTTP ? .close : .answer
        var usual = TLSProgram()
        usual.applicationProtocols = .select(protocols.map(\.rawValue))
        choice = .labels(usual)
    }

    /// The context for the last client of `local` with the same name; nil where the context must be looked up.
    func shownLast(for name: [UInt8]?, at local: SocketAddress) -> TLSServerContext? {
        guard let shown = last.withLock({ $0 }), shown.name == name, shown.local == local,
            shown.context.identity.freshness.contains(Authority.systemTime())
        else { return nil }
        return shown.context
    }

    func show(_ context: TLSServerContext, for name: [UInt8]?, at local: SocketAddress) {
        last.withLock { $0 = Shown(name: name, local: local, context: context) }
    }

    /// The key of the context for a client that sent `hello` to `local`; throws for an unknown label.
    package func key(for hello: ClientHello, at local: SocketAddress) throws(LabelRefusal) -> TLSContexts.Key {
        let name = hello.serverName.flatMap(Self.hostName)
        let names = names(at: local, asked: name)
        switch choice {
        case .one(let profile, let setup, nil): return TLSContexts.Key(profile: profile, setup: setup, names: names)
        // The certificate is the same for every name, so one context serves all.
        case .one(let profile, let setup, let given?):
            return TLSContexts.Key(
                profile: profile, setup: setup, names: CertificateNames(hosts: [], addresses: []), given: given)
        case .labels(let usual):
            let profiles = contexts.opened?.authority.catalog.names ?? []
            let program = try ServerNameLabels.program(for: name, profiles: profiles, changing: usual)
            return TLSContexts.Key(
                profile: program.certificate, setup: program.with(canAlert: false), names: names)
        }
    }

    /// All names and addresses by which a client of this machine may call the address, and the requested name if it
    /// may be certified.
    private func names(at local: SocketAddress, asked name: String?) -> CertificateNames {
        var addresses = ["127.0.0.1", "::1"]
        // The addresses of another machine are unknown here; its clients need a name.
        if let own = local.hostText, !addresses.contains(own), Authority.permits(host: own) {
            addresses.insert(own, at: 0)
        }
        var names = CertificateNames(hosts: ["localhost"], addresses: addresses)
        if let own = self.name, Authority.permits(host: own) { names = names.asked(for: own) }
        guard let name, name != "localhost", Authority.permits(host: name) else { return names }
        return names.asked(for: name)
    }

    /// In lower case, without a final dot; nil for an invalid DNS name.
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
