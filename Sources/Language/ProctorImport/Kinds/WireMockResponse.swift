import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The response of a mapping as a reply.
struct WireMockResponse {
    let files: [String: [UInt8]]
    private(set) var remarks = ImportRemarks()

    init(files: [String: [UInt8]]) { self.files = files }

    /// nil where nothing of it can be said; the remark says why.
    mutating func draft(_ response: SourceValue) -> DraftReply? {
        if response["proxyBaseUrl"] != nil {
            remarks.add(at: response.place, "a mapping that hands on to a server elsewhere is left out")
            return nil
        }
        SourceForm.wiremock.check(response, "the response", &remarks)
        for item in response["transformers"]?.items ?? [] where item.text != "response-template" {
            remarks.add(at: item.place, "the transformer \(item.text ?? "") is not known here, and is left out")
        }
        let status = response["status"]?.integer ?? 200
        guard (100...999).contains(status) else {
            remarks.add(at: response.place, "\(status) is no status, and the mapping is left out")
            return nil
        }
        var reply = DraftReply(status)
        reply.reason = response["statusMessage"]?.text.map { LiteralText.late($0) }
        let isTemplate = (response["transformers"]?.items ?? []).contains { $0.text == "response-template" }
        for (name, value) in response["headers"]?.members ?? []
        where !["content-length", "transfer-encoding"].contains(name.lowercased()) {
            for item in value.items ?? [value] {
                reply.headers.append(
                    .init(
                        name,
                        .text(
                            isTemplate
                                ? WireMockTemplate.late(item.text ?? "", at: item.place, &remarks)
                                : LiteralText.late(item.text ?? ""))))
            }
        }
        reply.body = body(of: response, isTemplate: isTemplate)
        if response["jsonBody"] != nil, !reply.headers.contains(where: { $0.key.lowercased() == "content-type" }) {
            reply.headers.append(.init("Content-Type", .text("application/json")))
        }
        addTimes(of: response, to: &reply)
        if let fault = response["fault"]?.text { addFault(fault, to: &reply, at: response.place) }
        if status == 204 || status == 304 { reply.body = .none }
        return reply
    }

    // MARK: Content

    private mutating func body(of response: SourceValue, isTemplate: Bool) -> DraftBody {
        if let json = response["jsonBody"] {
            let text = FixtureJSON.plain(json).map(FixtureJSON.json) ?? json.json
            return isTemplate ? .late(WireMockTemplate.late(text, at: json.place, &remarks)) : .text(text)
        }
        if let text = response["body"]?.text {
            return isTemplate ? .late(WireMockTemplate.late(text, at: response.place, &remarks)) : .text(text)
        }
        if let base64 = response["base64Body"]?.text {
            guard let bytes = try? Base64Text.decode(Array(base64.utf8)) else {
                remarks.add(at: response.place, "base64Body is no base64, so the reply has no content")
                return .none
            }
            return .bytes(bytes)
        }
        guard let name = response["bodyFileName"]?.text else { return .none }
        guard let bytes = files["__files/\(name.hasPrefix("/") ? String(name.dropFirst()) : name)"] else {
            remarks.add(at: response.place, "__files/\(name) is not there, so the reply has no content")
            return .none
        }
        guard let text = String(validUTF8: bytes) else { return .bytes(bytes) }
        return isTemplate ? .late(WireMockTemplate.late(text, at: response.place, &remarks)) : .text(text)
    }

    // MARK: Times and faults

    /// Milliseconds up to the longest wait of a fixture.
    private static let longestWait = 600_000

    private mutating func add(_ delay: SourceValue, _ lower: Int?, _ upper: Int?, to effects: inout [YAMLTree]) {
        guard let lower, let upper, 0 <= lower, lower <= upper else {
            remarks.add(at: delay.place, "this delay is no number of milliseconds, and is left out")
            return
        }
        let most = Self.longestWait
        if upper > most {
            remarks.add(at: delay.place, "\(upper) ms are more than a wait may be; it is \(most) ms")
        }
        guard upper > 0 else { return }
        let word = lower == upper ? "wait \(min(upper, most))ms" : "wait \(min(lower, most))ms-\(min(upper, most))ms"
        effects.append(.effect("head", .text(word)))
    }

    /// Without a `maxValue` the longest time is one that a wait of 30,000 is beyond: the median × e^4σ.
    private mutating func addLognormal(_ delay: SourceValue, to effects: inout [YAMLTree]) {
        guard let median = delay["median"]?.text.flatMap(Double.init),
            let sigma = delay["sigma"]?.text.flatMap(Double.init),
            (1...Double(Self.longestWait)).contains(median), (0.000_001...5).contains(sigma)
        else {
            remarks.add(
                at: delay.place,
                "a lognormal delay has a median of 1 to \(Self.longestWait) ms and a sigma above 0 and at most 5, "
                    + "and this one is left out")
            return
        }
        let given = delay["maxValue"]?.text.flatMap(Double.init) ?? .nan
        let bound = given.isNaN ? median * exp(4 * sigma) : given
        let most = Int(max(median, min(bound, Double(Self.longestWait))).rounded(.up))
        // In millionths, since a number's own text may have an exponent.
        let millionths = Int((sigma * 1_000_000).rounded())
        var fraction = String(1_000_000 + millionths % 1_000_000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        let sigmaText = "\(millionths / 1_000_000).\(fraction)"
        effects.append(
            .effect("head", .text("wait lognormal \(Int(median.rounded()))ms sigma \(sigmaText) most \(most)ms")))
    }

    private mutating func addTimes(of response: SourceValue, to reply: inout DraftReply) {
        var effects: [YAMLTree] = []
        if let delay = response["fixedDelayMilliseconds"], !delay.isNull {
            add(delay, delay.integer, delay.integer, to: &effects)
        }
        if let delay = response["delayDistribution"], !delay.isNull {
            switch delay["type"]?.text {
            case "fixed": add(delay, delay["milliseconds"]?.integer, delay["milliseconds"]?.integer, to: &effects)
            case "uniform": add(delay, delay["lower"]?.integer, delay["upper"]?.integer, to: &effects)
            case "lognormal": addLognormal(delay, to: &effects)
            default:
                remarks.add(at: delay.place, "a delayDistribution of this type is not known here, and is left out")
            }
        }
        if let dribble = response["chunkedDribbleDelay"], let count = dribble["numberOfChunks"]?.integer,
            let total = dribble["totalDuration"]?.integer, count > 0, total > 0
        {
            let length: Int =
                switch reply.body {
                case .text(let text), .late(let text): text.utf8.count
                case .bytes(let bytes): bytes.count
                case .stored(let stored): stored.byteCount
                case .none, .made: 0
                }
            if length > 0 {
                let (bytes, every) = (max(1, length / count), max(1, min(total / count, Self.longestWait)))
                reply.more.append(
                    .init("pace", ["bytes": .plain("\(bytes)"), "every": .text("\(every)ms")]))
            }
        }
        if !effects.isEmpty { reply.more.append(.init("effects", .list(effects))) }
    }

    private mutating func addFault(_ fault: String, to reply: inout DraftReply, at place: String) {
        reply.more = reply.more.filter { $0.key == "sets" }
        switch fault {
        case "EMPTY_RESPONSE": reply.more.append(.init("effects", .list([.effect("head", .text("close"))])))
        case "CONNECTION_RESET_BY_PEER": reply.more.append(.init("effects", .list([.effect("head", .text("reset"))])))
        case "MALFORMED_RESPONSE_CHUNK":
            reply.body = .text("not a chunk")
            reply.framing = "chunked"
            reply.more.append(.init("effects", .list([.effect("body 4", .text("close"))])))
        case "RANDOM_DATA_THEN_CLOSE":
            reply = Self.raw
        default: remarks.add(at: place, "the fault \(fault) is not known here, and is left out")
        }
    }

    private static var raw: DraftReply {
        var reply = DraftReply(200)
        reply.isRaw = true
        reply.more = [
            .init("raw", ["pattern": .text("offset"), "bytes": .plain("64")]),
            .init("then", .text("close")),
        ]
        return reply
    }
}
