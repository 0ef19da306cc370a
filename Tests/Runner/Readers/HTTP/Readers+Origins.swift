import ProctorHTTP
import ProctorHTTPClient

extension ReaderRunner {
    /// What replies say of their origins.
    static let origins: [String: DataReader] = [
        // Strict-Transport-Security.
        "strict-transport": .whole { input, _ in
            guard let policy = StrictTransportPolicy(parsing: input) else { return ["ignored"] }
            return ["\(policy.maxAge)", policy.includesSubdomains ? "with those below" : "alone"]
        },
        // Alt-Svc; several fields with ` | ` between them.
        "alt-svc": .whole { input, _ in
            switch AlternativeServices(Parts.of(input)) {
            case nil: return ["no field"]
            case .clear?: return ["clear"]
            case .services(let services)?:
                guard !services.isEmpty else { return ["none"] }
                return services.map { "\($0.protocolName) at \($0.host ?? "") port \($0.port) for \($0.maxAge)" }
            }
        },
    ]
}
