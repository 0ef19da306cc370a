public import ProctorBase
public import ProctorEvents
package import ProctorHTTP
package import ProctorNotation

/// One question of the exam: a client program and the expected observations.
public struct Case: Sendable {
    /// The name, unique in its scenario; that of a case run as a download ends with ``downloadSuffix``.
    public internal(set) var name: String
    /// `must` by default.
    package let kind: Kind
    /// nil when the scenario's summary is enough.
    public let summary: String?
    /// The documents and sections that the case is based on.
    public let spec: [String]
    /// The sections of its scenario, used when the case has none of its own.
    package var scenarioSpec: [String] = []
    /// The demands in these sections that the case names as its basis; see ``DemandCatalogue``.
    package let demands: [Scenario.Mention]
    /// The steps of the client program; never empty.
    package var client: [ClientProgram]
    /// The expected requests; nil when the case does not check them.
    package var wire: Notation?
    /// The expected callbacks by lane name: `task`, `task[1]`, `download`, `session`, `proto`, `protocolClient`.
    package var lanes: [String: Notation]
    /// Events that may be interleaved with a lane, by lane name.
    package var ambient: [String: Notation]
    /// Relations between events of different lanes.
    package let edges: [CausalEdge]
    /// Callback rules that the program breaks on purpose; the grader must find exactly these broken.
    package let breaks: [RuleNumber]
    package let facts: [Fact]
    /// What must be true before the case shows anything: where one of these facts does not hold, no claim is judged.
    package var given: [Fact] = []
    /// The case that a client must pass before a refusal of this one counts; nil: those that its abilities name.
    package var control: Scenario.Mention?
    /// The demand on the Cookie fields of all requests; nil: none.
    package let cookies: CookieDemand?
    /// The departures that fail the case, with those of its scenario; all others are tolerated.
    package var untolerated: Set<Departure>
    /// The abilities that a client needs, from its program and from `needs:`.
    public package(set) var needs: Set<Ability>
    /// Standards of which a client must declare at least one; empty: the case binds every client.
    package let applies: Set<Ability>
    /// Names of proxies that are spoken to over TLS, with whose certificates nothing is wrong.
    package var soundProxies: Set<String> = []
    /// The exchanges, by index, whose replies a client of HTTP/1.0 cannot be shown.
    package var exchangesOfHTTP11: Set<Int> = []
    /// The mistakes that exchanges of its scenario catch, by the index of the exchange.
    package var mistakes: [Int: String] = [:]
    /// Where exchanges stand that are written elsewhere than the scenario, as stubs of a test, by the index of the exchange.
    package var exchangePlaces: [Int: SourceLocation] = [:]
    /// Whether the requests alone decide the case, whatever the client does with the replies.
    package var isAboutRequestsAlone: Bool
    /// What a client must offer by itself, or the case does not test it; nil: the subject comes to every client.
    package var offered: OfferedSubject?
    /// Names of origins that do not speak the protocol of their scheme; a client's error there is no fault.
    package var contraryOrigins: [String]
    /// The place of the case's name in the file.
    public package(set) var location: SourceLocation

    /// How binding a case is.
    package enum Kind: String, Sendable, CaseIterable {
        /// Required by the specification.
        case must
        /// Recommended by the specification.
        case should
        /// Records what the client does; nothing is required.
        case observes
    }

    package init(
        name: String, kind: Kind, summary: String?, spec: [String], demands: [Scenario.Mention] = [],
        client: [ClientProgram], wire: Notation?,
        lanes: [String: Notation], ambient: [String: Notation], edges: [CausalEdge] = [], breaks: [RuleNumber] = [],
        facts: [Fact], cookies: CookieDemand? = nil, untolerated: Set<Departure> = [], needs: Set<Ability> = [],
        applies: Set<Ability> = [],
        isAboutRequestsAlone: Bool = false, contraryOrigins: [String] = [], location: SourceLocation
    ) {
        (self.untolerated, self.needs, self.applies) = (untolerated, needs, applies)
        (self.isAboutRequestsAlone, self.contraryOrigins) = (isAboutRequestsAlone, contraryOrigins)
        (self.cookies, self.name, self.kind, self.summary, self.spec) = (cookies, name, kind, summary, spec)
        (self.demands, self.client, self.wire, self.lanes, self.ambient) = (demands, client, wire, lanes, ambient)
        (self.edges, self.breaks, self.facts, self.location) = (edges, breaks, facts, location)
    }
}

package struct Fact: Sendable {
    package let name: FactName
    package let expected: Expectation
    package let location: SourceLocation

    /// The expected value of a fact.
    package enum Expectation: Sendable, Equatable {
        /// `null`: the fact must have no value.
        case absent
        /// Equal to this text, which may contain `{{base}}` and origins.
        case text(Template)
        /// Exactly these values, in this order.
        case list([Template])
        /// Equal to another fact.
        case same(FactName)
        /// Any value but this text, or none; nil: any value at all.
        case not(Template?)
        /// A number in this range, with its bounds.
        case range(minimum: Double?, maximum: Double?)
    }

    package init(name: FactName, expected: Expectation, location: SourceLocation) {
        (self.name, self.expected, self.location) = (name, expected, location)
    }
}

extension Case {
    /// The demand on all Cookie fields: conforming to RFC 6265 §5.4 or to RFC 6265bis.
    package struct CookieDemand: Sendable, Equatable {
        /// The edition of every request; nil: either one, but the same for all requests.
        package let edition: CookieEdition?
        /// How binding the order of the cookies is.
        package let order: Order

        /// Makes a demand; by default any edition is right, and a wrong order is a remark.
        package init(edition: CookieEdition? = nil, order: Order = .recommended) {
            (self.edition, self.order) = (edition, order)
        }

        /// The demand for messages: `conforming to rfc6265bis, order required`.
        package var text: String {
            let standard = edition.map { " to \($0.rawValue)" } ?? ""
            return "conforming\(standard)" + (order == .recommended ? "" : ", order \(order.rawValue)")
        }

        /// How binding the order of RFC 6265 §5.4 is: longer paths first, then older cookies.
        package enum Order: String, Sendable, CaseIterable {
            /// Wrong order is a failure.
            case required
            /// Wrong order is a remark.
            case recommended
            /// The order is ignored.
            case any
        }

        /// `conforming`: the right cookies by either edition; a wrong order is a remark.
        package static let conforming = CookieDemand()
        /// `conforming-in-any-order`: the order is ignored.
        package static let conformingInAnyOrder = CookieDemand(order: .any)
    }
}
