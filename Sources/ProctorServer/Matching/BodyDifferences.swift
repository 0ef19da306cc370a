internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// What a request's content lacks to be the one a pattern wants: one sentence a field or part.
struct BodyDifferences {
    /// Empty where nothing differs; what is beyond the bound is counted by the last one.
    private(set) var sentences: [String] = []
    private static let longest = 20
    /// With those that have no sentence.
    private var count = 0

    init(_ pattern: RequestPattern, _ request: RequestView) {
        guard !pattern.matchesBody(of: request) else { return }
        switch pattern.body {
        case nil: break
        case .exact(let source):
            let got =
                request.body.map { Self.got($0, source, request.decoded) } ?? request.bodyGap ?? DecodedBody.unread
            sentences = ["body: wanted \(source.wantedText(request.decoded)), got \(got)"]
        case .form(let items):
            switch request.decoded?.form ?? .other(DecodedBody.unread) {
            case .other(let got): sentences = ["body: wanted a form, got \(got)"]
            case .value(let pairs): compare(items, pairs)
            }
        case .parts(let wanted):
            switch request.decoded?.parts ?? .other(DecodedBody.unread) {
            case .other(let got): sentences = ["body: wanted multipart/form-data, got \(got)"]
            case .value(let parts): compare(wanted, parts, request.decoded)
            }
        }
        let rest = count - Self.longest
        guard rest > 0 else { return }
        sentences.append("body: \(Plural.count(rest, "more difference"))")
    }

    /// What came, and from where on it differs with an excerpt of both sides.
    private static func got(_ bytes: [UInt8], _ wanted: ByteSource, _ decoded: DecodedBody?) -> String {
        let count = Plural.count(bytes.count, "other byte")
        guard let difference = FirstDifference(bytes, wanted, decoded) else { return count }
        return "\(count); \(difference.sentence)"
    }

    // MARK: Forms

    /// By name in the order of the pattern, then names that nobody wanted.
    private mutating func compare(_ items: [RequestPattern.QueryItem], _ pairs: [URLEncodedForm.Pair]) {
        let wantedByName = Dictionary(grouping: items, by: \.name)
        let gotByName = Dictionary(grouping: pairs, by: \.name)
        var seen: Set<[UInt8]> = []
        for name in items.map(\.name) + pairs.map(\.name) where seen.insert(name).inserted {
            let (wanted, got) = (wantedByName[name] ?? [], gotByName[name] ?? [])
            guard RequestPattern.match(wanted, got.map { ($0.name[...], $0.value[...]) }) == nil else { continue }
            note("form field \(Self.text(name))", wanted.map(\.value.text), got.map { Self.text($0.value) })
        }
    }

    private mutating func note(
        _ what: String, _ wanted: @autoclosure () -> [String], _ got: @autoclosure () -> [String]
    ) {
        add("\(what): wanted \(Self.list(wanted())), got \(Self.list(got()))")
    }

    private mutating func add(_ sentence: @autoclosure () -> String) {
        count += 1
        if count <= Self.longest { sentences.append(sentence()) }
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { QuotedText.of($0) }.joined(separator: " and ")
    }

    // MARK: Parts

    private mutating func compare(_ wanted: [PartPattern], _ parts: [FormData.Part], _ decoded: DecodedBody?) {
        if wanted.count != parts.count { add("parts: wanted \(wanted.count), got \(parts.count)") }
        for (index, (pattern, part)) in zip(wanted, parts).enumerated() {
            if pattern.name != part.name {
                note("part \(index) name", [Self.text(pattern.name)], [Self.text(part.name)])
            }
            for (what, wanted, value) in [
                ("filename", pattern.fileName, part.fileName), ("type", pattern.contentType, part.contentType),
            ] {
                guard let wanted, value.map(wanted.matches) != true else { continue }
                note("part \(index) \(what)", [wanted.text], value.map { [Self.text($0)] } ?? [])
            }
            if let body = pattern.body, !body.equals(part.content, decoded) {
                add(
                    "part \(index) body: wanted \(body.wantedText(decoded)), "
                        + "got \(Self.got(part.content, body, decoded))")
            }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { EscapedText.of(bytes, limit: 200) }
}

extension ByteSource {
    /// How many bytes are wanted; late-bound text has a length where its context is known.
    fileprivate func wantedText(_ decoded: DecodedBody?) -> String {
        if case .template(let template) = self, template.literalBytes == nil {
            guard let context = decoded?.context else { return "late-bound text" }
            return "\(template.rendered(in: context).count) bytes"
        }
        return byteCount.map { "\($0) bytes" } ?? "another"
    }
}
