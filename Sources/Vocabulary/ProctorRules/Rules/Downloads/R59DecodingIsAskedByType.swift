import ProctorEvents

/// Compares the first question after each response with the response's type.
struct R59DecodingIsAskedByType: RuleMonitor {
    static let interests: EventNameSet = [.response, .downloadResumed, .shouldDecode, .complete]

    /// What the types stand for, in the spellings of the guide and of the reference.
    private enum Encoding {
        case macBinary, binHex, gzip

        init?(_ type: String) {
            switch type {
            case "application/macbinary": self = .macBinary
            case "application/binhex", "application/mac-binhex40": self = .binHex
            case "application/gzip", "application/x-gzip": self = .gzip
            default: return nil
            }
        }
    }

    /// The type of the last response in lower case, since case means nothing (RFC 9110 §8.3.1); nil: it is not known.
    private var mime: String?
    private var isAsked = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .response:
            mime = event.facts.text(.mime)?.lowercased()
            isAsked = false
        // The rest of a file has no beginning that could be decoded.
        case .downloadResumed: mime = nil
        case .shouldDecode: return asked(event)
        default: return ended(event, load)
        }
        return nil
    }

    private mutating func asked(_ event: TraceEvent) -> Breach? {
        defer { isAsked = true }
        guard let type = event.argument?.lowercased() else { return nil }
        guard let encoding = Encoding(type) else {
            return Breach("shouldDecode is asked for \(type), which is none of the encodings of files")
        }
        guard !isAsked, let mime, mime != type else { return nil }
        let isOtherSpelling = Encoding(mime) == encoding
        return Breach(
            "shouldDecode is asked for \(type), and the type of the response is \(mime)", isInferred: isOtherSpelling)
    }

    private func ended(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.argument == "ok", !isAsked, let mime, Encoding(mime) != nil, !load.isPartial,
            load.seesHarness, !load.missingMethods.contains(.shouldDecode)
        else { return nil }
        return Breach("nothing asks whether a file of \(mime) is to be decoded")
    }
}
