internal import ProctorDNS
internal import ProctorScenario

/// How the server of DNS of a scenario replies.
struct DNSProgram: NameServerProgram {
    /// In the order of the file; every one that fits a question sends a message.
    var rules: [DNSRule]

    static let mostRules = 64

    var addresses: [(name: String, origins: [Int])] {
        rules.compactMap { rule in rule.origins.map { (rule.name.description, $0) } }
    }
}

/// One reply of the server of DNS.
struct DNSRule: Sendable {
    let name: DNSName
    /// nil: every type.
    var type: DNSType?
    /// nil: both.
    var transport: DNSTransport?
    /// Which questions of this name and type over one transport, counted from 0; nil: all.
    var questions: ClosedRange<Int>?
    /// The origins whose addresses the records have; nil: those of the name.
    var origins: [Int]?
    var alias: DNSName?
    var services: [DNSServiceProgram] = []
    /// nil: NOERROR, or NXDOMAIN for a name that no origin has.
    var code: DNSCode?
    var fault: DNSFault?
    /// How long after the question the reply is sent.
    var delay: Duration?
}

enum DNSTransport: String, Sendable, CaseIterable { case udp, tcp }

/// What is wrong with a reply of DNS.
enum DNSFault: String, Sendable, CaseIterable {
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
struct DNSServiceProgram: Sendable {
    var priority = 1
    /// The root stands for the owner.
    var target = DNSName.root
    var protocols: [String] = []
    var hasDefaultProtocol = true
    /// The origin whose port it says.
    var port: Int?
    /// The keys that a client must know; those above 7 are in the record, without a value.
    var mandatory: [Int] = []
}
