package import ProctorDNS

/// How the server of DNS of a scenario replies.
package struct DNSProgram: Sendable {
    /// In the order of the file; every one that fits a question sends a message.
    package var rules: [DNSRule]

    package static let mostRules = 64

    package init(rules: [DNSRule]) { self.rules = rules }
}

/// One reply of the server of DNS.
package struct DNSRule: Sendable {
    package let name: DNSName
    /// nil: every type.
    package var type: DNSType?
    /// nil: both.
    package var transport: DNSTransport?
    /// Which questions of this name and type over one transport, counted from 0; nil: all.
    package var questions: ClosedRange<Int>?
    /// The origins whose addresses the records have; nil: those of the name.
    package var origins: [Int]?
    package var alias: DNSName?
    package var services: [DNSServiceProgram] = []
    /// nil: NOERROR, or NXDOMAIN for a name that no origin has.
    package var code: DNSCode?
    package var fault: DNSFault?
    /// How long after the question the reply is sent.
    package var delay: Duration?

    package init(name: DNSName) { self.name = name }
}

package enum DNSTransport: String, Sendable, CaseIterable { case udp, tcp }

/// What is wrong with a reply of DNS.
package enum DNSFault: String, Sendable, CaseIterable {
    /// Nothing is sent.
    case silent
    /// The bit TC is set, and the records are there all the same.
    case truncated
    case wrongID = "wrong-id"
    /// The question of the reply has another name.
    case wrongName = "wrong-name"
    /// Sent from another port.
    case wrongPort = "wrong-port"
    /// The message ends a byte early.
    case cut
    /// The name of the first record is a pointer to itself.
    case pointerLoop = "pointer-loop"
}

/// An HTTPS record of a fixture.
package struct DNSServiceProgram: Sendable {
    package var priority = 1
    /// The root stands for the owner.
    package var target = DNSName.root
    package var protocols: [String] = []
    package var hasDefaultProtocol = true
    /// The origin whose port it says.
    package var port: Int?
    /// The keys that a client must know; those above 7 are in the record, without a value.
    package var mandatory: [Int] = []

    package init() {}
}
