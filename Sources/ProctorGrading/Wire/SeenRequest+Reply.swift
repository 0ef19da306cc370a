import ProctorHTTP
import ProctorTrace

/// What a request was answered with, and what came behind the reply.
extension WireRecord.SeenRequest {
    var replyStatus: Measurement {
        guard let reply else { return .absent }
        return reply.status.map { Measurement($0) } ?? Self.headless
    }

    /// A list where there are several lines of that name.
    func replyHeader(_ name: String) -> Measurement {
        guard let reply else { return .absent }
        guard let fields = reply.fields else { return Self.headless }
        return Measurement(ofValues: fields.values(named: Array(name.utf8)).map { Array($0) })
    }

    /// As the client has it in the end, without chunks and codings.
    var replyBody: Measurement {
        wholeReply { content in
            guard content.isWhole else {
                return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of it")
            }
            return .text(content.kept)
        }
    }

    var replyBodyLength: Measurement { wholeReply { Measurement($0.byteCount) } }

    private func wholeReply(_ measure: (SentContent) -> Measurement) -> Measurement {
        guard let reply else { return .absent }
        if let abortedByteCount {
            return .unknown("a reply that was broken off after \(WireText.count(abortedByteCount, "byte"))")
        }
        if isReplyCut { return .notKept("an effect of the fixture may have ended that reply before its end") }
        guard let content = reply.content else { return .notKept("the server does not know the content of that reply") }
        return measure(content)
    }

    private static let headless = Measurement.unknown("raw bytes without a head that can be read")

    // MARK: Behind it

    /// `true` where the client kept its body back.
    var withheld: Measurement {
        guard let content else { return .notKept("the body was not read") }
        return Measurement(content.isWithheld && !hasLateContent ? "true" : "false")
    }

    /// All that came where the connection was no HTTP any more.
    var opaqueBytes: Measurement {
        guard !opaque.isEmpty else { return .absent }
        let kept = opaque.reduce(0) { $0 &+ $1.kept.count }
        let count = opaque.reduce(0) { $0 &+ $1.byteCount }
        guard kept == count else { return .notKept("the journal kept \(kept) of \(count) bytes of it") }
        return .text(opaque.flatMap(\.kept))
    }

    var opaqueLength: Measurement {
        opaque.isEmpty ? .absent : Measurement(opaque.reduce(0) { $0 &+ $1.byteCount })
    }
}
