extension Scenario {
    /// Whether any of its origins speaks TLS.
    public var speaksTLS: Bool { origins.contains { $0.tls != nil } }

    /// The certificate profiles of its origins that speak TLS and bring no certificate of their own, in their order.
    ///
    /// The place of a name that goes without saying is that of the origin.
    public var certificateNames: [Mention] {
        origins.compactMap { origin in
            origin.tls.flatMap { $0.given == nil ? $0 : nil }.map { Mention(name: $0.certificate, location: origin.certificateLocation) }
        }
    }
}
