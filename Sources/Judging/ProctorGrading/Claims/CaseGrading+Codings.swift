import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Looks for replies in codings that their requests did not offer by name.
extension CaseGrading {
    /// Takes back that steps had to fail whose reply has a coding that the client did not offer.
    ///
    /// Such a client need not know the coding, and delivers what came (RFC 9110 §8.4, §12.5.3). Under `*` any coding is
    /// acceptable, and none is said to be known.
    func excuseUnofferedCodings(_ findings: inout [Finding]) -> [Int: String] {
        var reasons: [Int: String] = [:]
        for step in item.client.indices {
            guard isSuccessWithoutRight(step), let coding = unofferedCoding(ofStep: step) else { continue }
            reasons[step] = "the reply has the coding \(coding), which the client did not offer"
        }
        guard !reasons.isEmpty else { return [:] }
        findings = findings.map { finding in
            finding.stepOfEnd.map { reasons[$0] != nil } ?? false ? finding.observed : finding
        }
        return reasons
    }

    /// The first coding of the last reply to a step that its request does not name in Accept-Encoding; nil: none.
    private func unofferedCoding(ofStep step: Int) -> String? {
        let exchange = record?.exchanges.last { !trace.isMerged || isInWindow($0.nanoseconds, ofStep: step) }
        // A reply that breaks off, or that frames or bytes of effects spoil, is an error whatever its coding.
        guard let exchange, let fields = exchange.reply?.fields, exchange.isReplySent, !exchange.isReplyCut,
            exchange.abortedByteCount == nil, !exchange.hasBytesOfEffects
        else { return nil }
        let codings = fields.values(named: "Content-Encoding").flatMap(Self.names)
        let offered = Set(exchange.head.fields.values(named: "Accept-Encoding").flatMap(Self.names))
        let unoffered = codings.first { coding in !offered.contains { $0.hasSameCoding(as: coding) } }
        return unoffered.map { EventText.printable($0, limit: 40) }
    }

    /// The names in a list, in small letters, without those that a weight of 0 refuses (RFC 9110 §12.4.2).
    private static func names(_ value: some Sequence<UInt8>) -> [String] {
        String(decoding: Array(value), as: UTF8.self).lowercased().split(separator: ",").compactMap { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first, !parts.dropFirst().contains(where: { $0.isWeightOfZero }) else { return nil }
            return name
        }
    }
}

extension String {
    /// `x-gzip` is gzip (RFC 9110 §8.4.1.3), and `x-compress` compress.
    fileprivate func hasSameCoding(as other: String) -> Bool { plainCoding == other.plainCoding }

    private var plainCoding: Substring { hasPrefix("x-") ? dropFirst(2) : self[...] }

    fileprivate var isWeightOfZero: Bool {
        hasPrefix("q=") && dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
    }
}

extension Finding {
    /// The step about whose end the finding is; nil: it is about something else.
    fileprivate var stepOfEnd: Int? {
        switch subject {
        case .result(let step), .fact(.client(let step, "error")): step
        case .expression where laneKey != nil: lane?.number
        default: nil
        }
    }
}

extension Claim {
    /// The step about whose end the claim is; nil: it is about something else.
    var stepOfEnd: Int? {
        switch saying {
        case .end(let step), .fact(.client(let step, "error")): step
        case .lane(let key): CaseLane(key)?.number
        default: nil
        }
    }
}
