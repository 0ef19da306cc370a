import ProctorEvents

extension Rules {
    static let r59 = Rule(
        59, title: "decoding is asked about by type",
        statement: """
            shouldDecode is asked for a file in MacBinary, BinHex or gzip and for no other, with the type as the \
            server said it. It may come again for what stands inside.
            """,
        source: """
            URL loading programming guide, Decoding Encoded Files; NSURLDownload reference; that a type is not \
            spelled in another way is our conclusion
            """,
        confidence: .documented, families: [.download], monitors: [.load(R59DecodingIsAskedByType.self)],
        limits: """
            The trace must have the fact mime of response. A missing question shows only at complete(ok), and only \
            where the delegate has the method. R37 judges the order
            """,
        legal:
            "downloadBegin response(200) shouldDecode(application/macbinary) destination destinationCreated progress complete(ok)",
        illegal:
            "downloadBegin response(200) shouldDecode(text/plain) destination destinationCreated progress complete(ok)",
        breaksByMissingEvents: true)
}

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

    /// Of the last response, in lower case, since case means nothing (RFC 9110 §8.3.1); nil where it is not known.
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
