import Testing

/// A document that schema and loader are both asked about.
struct SchemaRow: CustomTestStringConvertible {
    let name: String
    let yaml: String

    init(_ name: String, _ yaml: String) {
        self.name = name
        self.yaml = yaml + "\n"
    }

    var testDescription: String { name }

    static let refused =
        refusedOne + refusedTwo + refusedThree + refusedClient + refusedScript + refusedBodies + refusedDelivery
        + refusedGuards + refusedDigest + refusedTLS + refusedNames + refusedWire + refusedSuites
    static let allAccepted =
        accepted + acceptedClient + acceptedBodies + acceptedDelivery + acceptedGuards
        + acceptedTLS + acceptedNames + acceptedWire + acceptedSuites
    static let allSemantic =
        semantic + semanticClient + semanticBodies + semanticGuards + semanticTLS + semanticNames
        + semanticWire + semanticSuites
}
