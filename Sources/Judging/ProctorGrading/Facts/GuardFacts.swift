import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// What the guards of a run judged: all, or those of one name.
struct GuardTally {
    private let verdicts: [GuardVerdict]
    /// nil: all guards.
    private let guardName: String?

    init(_ verdicts: [GuardVerdict], of guardName: String?) { (self.verdicts, self.guardName) = (verdicts, guardName) }

    fileprivate var credentials: [GuardVerdict] { verdicts.filter(\.isOfCredential) }

    fileprivate func count(where isCounted: (GuardVerdict) -> Bool) -> Measurement {
        Measurement(verdicts.count(where: isCounted))
    }

    fileprivate func values(_ values: (GuardVerdict) -> [String]) -> Measurement {
        Measurement(ofValues: verdicts.flatMap(values))
    }

    /// Why no verdict is there, half a sentence; nil where one is.
    fileprivate var notAsked: String? {
        guard verdicts.isEmpty else { return nil }
        return guardName.map { "guard \(WireText.quoted($0.utf8)) was not asked" } ?? "no guard was asked"
    }

    fileprivate var noCredential: String? { notAsked ?? (credentials.isEmpty ? "no credential came" : nil) }
}

/// The facts `auth.…` of all guards, and `auth[NAME].…` of one.
enum GuardFacts {
    typealias Row = GatheredFact<GuardTally>

    static let rows: [Row] = [
        Row(row("attempts", "the number of credentials that $ judged", .number), because: noCredential) {
            $0.count(where: \.isOfCredential)
        },
        // Those that were only stale are not refused.
        Row(row("failures", "the number of credentials that $ refused", .number), because: notAsked) {
            $0.count(where: \.isRefusal)
        },
        Row(row("challenges", "the number of challenges by $", .number), because: notAsked) { $0.count(where: \.asks) },
        // In lower case.
        Row(row("scheme", "the scheme of the last credential for $"), because: noCredential) {
            Measurement($0.credentials.last?.scheme?.lowercased())
        },
        Row(row("user", "the user of the last credential for $"), because: noCredential) {
            Measurement($0.credentials.last?.user)
        },
        // Of all Digest credentials, in order, in decimal.
        Row(
            row("nc", "the nonce counts for $", .list),
            because: { tally, _, _ in tally.noCredential ?? "no credential had a nonce count" }
        ) { $0.values { $0.nonceCount.map { [String($0)] } ?? [] } },
        Row(row("faults", "the faults that $ found", .kinds(faults)), because: notAsked) {
            $0.values { $0.faults.map(\.kind.rawValue) }
        },
    ]

    /// The fields of a request that have credentials.
    static let fields = ["Authorization", "Proxy-Authorization"]

    static let faults = FactWords("fault", of: "a credential", CredentialFault.Kind.allCases.map(\.rawValue))

    private static func row(_ name: String, _ words: String, _ values: FactValues = .text) -> FactRow {
        FactRow(name, words, values, fields: fields, shownBy: .refusedCredentials)
    }

    private static let notAsked: Row.Because = { tally, _, _ in tally.notAsked }

    private static let noCredential: Row.Because = { tally, _, _ in tally.noCredential }
}

extension GuardVerdict {
    /// Whether the verdict judges a credential: requests on an already admitted connection need none.
    var isOfCredential: Bool { scheme != nil || !faults.isEmpty || outcome == .refused || outcome == .stale }

    /// Whether a credential was wrong; one with a stale nonce is not.
    var isRefusal: Bool { isOfCredential && (outcome == .refused || outcome == .gaveUp) }

    /// Whether the reply challenges the client for a credential, or for its next message.
    var asks: Bool {
        switch outcome {
        case .challenged, .refused, .stale, .continued: true
        case .admitted, .gaveUp: false
        }
    }
}
