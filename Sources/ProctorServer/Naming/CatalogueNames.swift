internal import ProctorBase
internal import ProctorScenario

/// The names that the scenarios of a catalogue declare, and which origins have them.
struct CatalogueNames: Sendable {
    private let places: [[UInt8]: [Place]]
    /// In order of the alphabet.
    let names: [String]

    /// An origin of a scenario.
    struct Place: Sendable {
        /// In the catalogue.
        let scenario: Int
        let origin: Int
        let scheme: Scheme
        let port: Int
    }

    init(_ scenarios: [Scenario]) {
        var places: [[UInt8]: [Place]] = [:]
        var names: Set<String> = []
        for (position, scenario) in scenarios.enumerated() {
            for (index, origin) in scenario.origins.enumerated() {
                guard let name = origin.hostName else { continue }
                names.insert(name)
                places[Array(name.utf8), default: []].append(
                    Place(scenario: position, origin: index, scheme: origin.scheme, port: origin.namedPort))
            }
        }
        self.places = places
        self.names = names.sorted()
    }

    var isEmpty: Bool { places.isEmpty }

    /// Where the host of an authority is declared, whatever the port.
    func find(_ bytes: Span<UInt8>, _ place: HostAndPort) -> [Place] {
        guard !isEmpty, place.host.count <= 253 else { return [] }
        return places[place.host.map { bytes[$0].asciiLowercased }] ?? []
    }
}
