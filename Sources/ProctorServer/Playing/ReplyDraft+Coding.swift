internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorScenario

/// What the head says of the coding.
extension ReplyDraft {
    /// Says what was done, or what the fixture wants said.
    mutating func note(_ coding: BodyCoding, as variant: CodingVariant) {
        let value: [UInt8]
        switch coding.label {
        case .absent: return
        case .text(let text): value = text
        case .names:
            guard !variant.steps.isEmpty else { return }
            value = Array(variant.steps.map(\.coding.rawValue).joined(separator: ", ").utf8)
        }
        switch coding.place {
        case .content: append("Content-Encoding", value)
        case .transfer: setTransferCoding(value)
        }
    }

    /// For the client's developer: what there would be.
    static func nothingAcceptable(_ coding: BodyCoding) -> String {
        let names = coding.steps.map(\.coding.rawValue).joined(separator: ", ")
        return "Accept-Encoding forbids all that there is: \(names), and the content as it is (identity)"
    }
}

/// One of the ways in which a reply's content can be coded.
struct CodingVariant {
    /// Counts from 0 among the variants of a reply.
    let number: Int
    /// Applied in order; none: the content as it is.
    let steps: [CodingStep]
    /// False where the client forbids every way.
    var isAcceptable = true
}

extension BodyCoding {
    /// All that the fixture names.
    var steps: [CodingStep] {
        switch plan {
        case .apply(let steps), .negotiate(let steps): steps
        }
    }

    /// How many different replies there can be.
    var variantCount: Int {
        switch plan {
        case .apply: 1
        case .negotiate(let steps): steps.count + 2
        }
    }

    /// The one for a request (RFC 9110 §12.5.3).
    func variant(for request: RequestView) -> CodingVariant {
        guard case .negotiate(let steps) = plan else { return CodingVariant(number: 0, steps: steps) }
        let fields = request.head.fields.map { HTTPField($0) }
        switch AcceptEncoding(fields).choose(among: steps.map(\.coding.rawValue)) {
        case .coding(let name):
            if let index = steps.firstIndex(where: { $0.coding.rawValue == name }) {
                return CodingVariant(number: index, steps: [steps[index]])
            }
            fallthrough
        case .identity: return CodingVariant(number: steps.count, steps: [])
        case .nothing: return CodingVariant(number: steps.count + 1, steps: [], isAcceptable: false)
        }
    }
}
