internal import ProctorScenario
internal import ProctorTLS

extension TLSServerSetup {
    /// What a scenario says, but for the certificate.
    init(_ program: TLSProgram, canAlert: Bool) {
        self.init(
            versions: program.oldest.version...max(program.oldest, program.newest).version,
            cipherList: program.ciphers, cipherSuites: program.suites, groups: program.groups, dhBits: program.dhBits,
            applicationProtocols: program.applicationProtocols.setup, serverName: program.serverName.setup,
            resumption: program.resumption.setup, clientCertificate: program.clientCertificate.setup,
            clientAuthorities: program.clientAuthorities.setup, canAlert: canAlert)
    }
}

extension Scenario {
    /// Whether a fatal alert of the fixture's own may be sent at the origin.
    func alerts(at origin: Origin) -> Bool {
        let index = origins.firstIndex { $0.name == origin.name }
        let replies =
            exchanges.filter { $0.origin == index }.flatMap(\.replies) + guards.flatMap(\.refusals)
        return origin.connectionEffects.contains { $0.action.isAlert }
            || replies.contains { reply in reply.effects.contains { $0.action.isAlert } || reply.sendsAlertLater }
    }
}

extension Reply {
    /// Whether the script behind it sends an alert.
    fileprivate var sendsAlertLater: Bool {
        opaque?.contains { step in
            if case .effect(let action) = step { action.isAlert } else { false }
        } ?? false
    }
}

extension Effect.Action {
    fileprivate var isAlert: Bool {
        if case .alert = self { true } else { false }
    }
}

extension TLSProgram.Version {
    fileprivate var version: TLSVersion {
        switch self {
        case .tls10: .tls10
        case .tls11: .tls11
        case .tls12: .tls12
        case .tls13: .tls13
        }
    }
}

extension TLSProgram.ApplicationProtocols {
    fileprivate var setup: TLSServerSetup.ApplicationProtocols {
        switch self {
        case .select(let names): .select(names)
        case .ignore: .ignored
        case .refuse: .refused
        case .force(let name): .forced(name)
        }
    }
}

extension TLSProgram.ServerName {
    fileprivate var setup: TLSServerSetup.ServerName {
        switch self {
        case .accept: .accepted
        case .refuse: .refused
        case .warn: .warned
        }
    }
}

extension TLSProgram.Resumption {
    fileprivate var setup: TLSServerSetup.Resumption {
        switch self {
        case .on: .on
        case .off: .off
        case .refuse: .refused
        }
    }
}

extension TLSProgram.ClientCertificate {
    fileprivate var setup: TLSServerSetup.ClientCertificate {
        switch self {
        case .none: .none
        case .request: .requested
        case .require: .required
        case .afterHandshake: .afterHandshake
        }
    }
}

extension TLSProgram.ClientAuthorities {
    fileprivate var setup: TLSServerSetup.ClientAuthorities {
        switch self {
        case .ours: .ours
        case .others: .others
        case .none: .none
        }
    }
}
