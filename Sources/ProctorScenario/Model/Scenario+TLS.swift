extension Scenario {
    /// Whether any of its origins speaks TLS.
    public var speaksTLS: Bool { origins.contains { $0.tls != nil } }

    /// The certificate profiles of its origins that speak TLS and bring no certificate of their own, in their order.
    ///
    /// The place of a name that goes without saying is that of the origin.
    public var certificateNames: [Mention] {
        origins.compactMap { origin in
            guard let program = origin.tls, program.given == nil else { return nil }
            return Mention(name: program.certificate, location: origin.certificateLocation)
        }
    }
}
