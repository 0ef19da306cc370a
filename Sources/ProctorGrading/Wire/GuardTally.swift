import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// What guards made of a run's credentials, counted.
struct GuardTally {
    private let verdicts: [GuardVerdict]

    /// Takes the verdicts of all guards, or of one, in order.
    init(_ verdicts: [GuardVerdict]) {
        self.verdicts = verdicts
    }

    private var credentials: [GuardVerdict] { verdicts.filter(\.isOfCredential) }

    func measure(_ fact: FactName.GuardFact) -> Measurement {
        switch fact {
        case .attempts: Measurement(credentials.count)
        case .failures: Measurement(credentials.count(where: \.isRefusal))
        case .challenges: Measurement(verdicts.count(where: \.asks))
        case .scheme: credentials.last?.scheme.map { Measurement($0.lowercased()) } ?? .absent
        case .user: credentials.last?.user.map { Measurement($0) } ?? .absent
        case .nc: Measurement(ofValues: verdicts.compactMap(\.nonceCount).map { Array(String($0).utf8) })
        case .faults: Measurement(ofValues: verdicts.flatMap(\.faults).map { Array($0.kind.rawValue.utf8) })
        }
    }

    /// Half a sentence; nil where something was there to be measured.
    func reasonForAbsence(of fact: FactName.GuardFact, guardName: String?) -> String? {
        if verdicts.isEmpty {
            return guardName.map { "guard \(WireText.quoted($0.utf8)) was not asked" } ?? "no guard was asked"
        }
        switch fact {
        case .attempts, .scheme, .user: return credentials.isEmpty ? "no credential came" : nil
        case .nc: return credentials.isEmpty ? "no credential came" : "no credential had a nonce count"
        case .failures, .challenges, .faults: return nil
        }
    }
}

extension GuardVerdict {
    /// Whether it judges a credential: requests on a connection that was admitted before need none.
    var isOfCredential: Bool { scheme != nil || !faults.isEmpty || outcome == .refused || outcome == .stale }

    /// Whether a credential was wrong; one with an old nonce is not.
    var isRefusal: Bool { isOfCredential && (outcome == .refused || outcome == .gaveUp) }

    /// Whether the reply asks for a credential, or for the next message of one.
    var asks: Bool {
        switch outcome {
        case .challenged, .refused, .stale, .continued: true
        case .admitted, .gaveUp: false
        }
    }
}

/// What guards said of one request.
extension WireRecord.SeenRequest {
    /// Of the last guard that was asked, since no guard is asked behind the first that does not admit the request.
    var guardOutcome: Measurement { verdicts.last.map { Measurement($0.outcome.rawValue) } ?? .absent }

    /// Nothing where nothing was wrong.
    var guardFaults: Measurement {
        Measurement(ofValues: verdicts.last.map { $0.faults.map { Array($0.kind.rawValue.utf8) } } ?? [])
    }
}
