internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// The differences between a request's content and a pattern: one sentence for each field or part.
struct BodyDifferences {
    /// Empty without differences; the last sentence counts those beyond the bound.
    private(set) var sentences: [String] = []
    /// How much of the structure of content does not agree, from 0 to 1,000; all of content without one.
    private(set) var disagreement = mostDisagreement
    private static let mostDisagreement = 1_000
    private static let longest = JSONAgreement.mostTold
    private static let excerptByteCount = 32
    /// All differences, also those without a sentence.
    private var count = 0
    private let decoded: DecodedBody?
    private let budget: WorkBudget?
    private let isTold: Bool

    /// Where they are not told, the sentences are empty, and only their number means something.
    init(_ pattern: RequestPattern, _ request: RequestView, isTold: Bool = true) {
        decoded = request.decoded
        budget = request.budget
        self.isTold = isTold
        guard !pattern.matchesBody(of: request) else { return }
        switch pattern.body {
        case nil: break
        case .exact where !isTold, .matches where !isTold, .contains where !isTold, .condition where !isTold,
            .coded where !isTold:
            sentences = [""]
        case .coded(let pattern)?:
            addBytes(pattern, request.body.map { .value($0) } ?? .other(request.bodyGap ?? DecodedBody.unread))
        case .exact?, .matches?, .contains?:
            if let pattern = pattern.body { addBytes(pattern, content(of: request)) }
        case .form(let items):
            switch read({ content, budget throws(SpentBudget) in try content.form(within: budget) }) {
            case .other(let got): sentences = ["body: wanted a form, got \(got)"]
            case .value(let pairs): compare(items, pairs)
            }
        case .parts(let wanted):
            switch read({ content, budget throws(SpentBudget) in try content.parts(within: budget) }) {
            case .other(let got): sentences = ["body: wanted multipart/form-data, got \(got)"]
            case .value(let parts): compare(wanted, parts)
            }
        case .json(let pattern):
            switch read({ content, budget throws(SpentBudget) in try content.json(within: budget) }) {
            case .other(let got): sentences = ["body: wanted JSON, got \(got)"]
            case .value(let document):
                compareJSON(pattern, document)
            }
        case .condition(let condition):
            for sentence in condition.differences(in: decoded, within: budget) { add(sentence) }
        }
        let rest = count - Self.longest
        guard rest > 0 else { return }
        sentences.append("body: \(Plural.count(rest, "more difference"))")
    }

    private func content(of request: RequestView) -> DecodedContent<[UInt8]> {
        do throws(SpentBudget) {
            return try request.content(within: budget)
        } catch {
            return .other("content that was not read, since \(error)")
        }
    }

    /// What differs from a pattern that compares bytes.
    private mutating func addBytes(_ pattern: BodyPattern, _ content: DecodedContent<[UInt8]>) {
        let (wanted, got): (String, ([UInt8]) -> String)
        switch pattern {
        case .exact(let source):
            wanted = source.wantedText(decoded)
            got = { [self] in self.got($0, insteadOf: source) }
        case .matches(let expression):
            let condition = ValueCondition.matches(expression)
            wanted = condition.wanted
            got = { [budget] in
                Plural.count($0.count, "byte") + condition.explanation(of: [$0], within: budget)
            }
        case .contains(let part):
            let text = QuotedText.quote(EscapedText.escape(part.prefix(80))) + (part.count > 80 ? "…" : "")
            wanted = "{ contains: \(text) }"
            got = { [self] in self.got($0, without: part) }
        default: return
        }
        switch content {
        case .value(let bytes): sentences = ["body: wanted \(wanted), got \(got(bytes))"]
        case .other(let text): sentences = ["body: wanted \(wanted), got \(text)"]
        }
    }

    private func read<Value>(
        _ form: (DecodedBody, WorkBudget?) throws(SpentBudget) -> DecodedContent<Value>
    ) -> DecodedContent<Value> {
        guard let decoded else { return .other(DecodedBody.unread) }
        return .reading(decoded) { _ throws(SpentBudget) in try form(decoded, budget) }
    }

    /// The received bytes, the offset of the first difference, and an excerpt of both sides.
    private func got(_ bytes: [UInt8], insteadOf source: ByteSource) -> String {
        guard !bytes.isEmpty else { return "none" }
        let count = Plural.count(bytes.count, "other byte")
        guard let wanted = WantedBytes(source, decoded) else { return count }
        let common = min(bytes.count, wanted.count)
        let offset = (0..<common).first { bytes[$0] != wanted[$0] } ?? common
        guard offset < max(bytes.count, wanted.count) else { return count }
        func excerpt(_ byteCount: Int, _ byte: (Int) -> UInt8) -> String {
            let excerpt = (offset..<min(byteCount, offset + Self.excerptByteCount)).map(byte)
            return excerpt.isEmpty ? "nothing more" : "\"\(EscapedText.escape(excerpt))\""
        }
        return "\(count); from byte \(offset) on wanted \(excerpt(wanted.count) { wanted[$0] }), "
            + "got \(excerpt(bytes.count) { bytes[$0] })"
    }

    /// The place with the most bytes in common.
    private func got(_ bytes: [UInt8], without wanted: [UInt8]) -> String {
        let count = Plural.count(bytes.count, "byte")
        let wanted = Array(wanted.prefix(256))
        var best = (offset: 0, count: 0)
        for offset in 0..<min(bytes.count, Self.searchedByteCount) where bytes[offset] == wanted.first {
            let end = min(wanted.count, bytes.count - offset)
            var common = 1
            while common < end, bytes[offset + common] == wanted[common] { common += 1 }
            if common > best.count { best = (offset, common) }
        }
        guard best.count > 0 else { return "\(count) without it" }
        let excerpt = bytes[best.offset...].prefix(Self.excerptByteCount)
        return "\(count) without it; nearest at byte \(best.offset), \(QuotedText.quote(EscapedText.escape(excerpt)))"
    }

    private static let searchedByteCount = 64 << 10

    /// Tells members that differ, or the first difference of a pattern that says more than its members.
    private mutating func compareJSON(_ pattern: JSONPattern, _ document: JSONDocument) {
        var matcher = JSONMatcher(document, within: budget)
        let agreement = matcher.agreement(with: pattern, isTold: isTold)
        setDisagreement(held: agreement.heldCount, failed: agreement.failedCount)
        var differences = agreement.differences
        if isTold, differences.isEmpty { differences = [matcher.difference(pattern)].compactMap(\.self) }
        for difference in differences { add(difference.sentence) }
        count = max(count, agreement.failedCount)
        if sentences.isEmpty, !isTold { add("") }
    }

    private mutating func setDisagreement(held: Int, failed: Int) {
        guard held + failed > 0 else { return }
        // A difference counts, however small its share is.
        disagreement = max(1, Self.mostDisagreement * failed / (held + failed))
    }

    // MARK: Forms

    /// Adds the differences of a form, one for each name: in the order of the pattern, then unexpected names.
    private mutating func compare(_ items: [RequestPattern.QueryItem], _ pairs: [URLEncodedForm.Pair]) {
        let wantedByName = Dictionary(grouping: items, by: \.name)
        let gotByName = Dictionary(grouping: pairs, by: \.name)
        var seen: Set<[UInt8]> = []
        var heldCount = 0
        for name in items.map(\.name) + pairs.map(\.name) where seen.insert(name).inserted {
            let (wanted, got) = (wantedByName[name] ?? [], gotByName[name] ?? [])
            let isMatch = RequestPattern.match(wanted, got.map { ($0.name[...], $0.value[...]) }, within: budget) != nil
            guard !isMatch else {
                heldCount += 1
                continue
            }
            addDifference(
                "form field \(Self.text(name))", wanted: wanted.map(\.value.wanted),
                got: got.map { Self.text($0.value) })
        }
        setDisagreement(held: heldCount, failed: count)
    }

    private mutating func addDifference(
        _ what: String, wanted: @autoclosure () -> [String], got: @autoclosure () -> [String]
    ) {
        guard isTold else { return add("") }
        let wanted = wanted()
        add("\(what): wanted \(wanted.isEmpty ? "none" : wanted.joined(separator: " and ")), got \(Self.list(got()))")
    }

    private mutating func add(_ sentence: @autoclosure () -> String) {
        count += 1
        if count <= Self.longest { sentences.append(isTold ? sentence() : "") }
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { QuotedText.quote($0) }.joined(separator: " and ")
    }

    // MARK: Parts

    private mutating func compare(_ wanted: [PartPattern], _ parts: [FormData.Part]) {
        var heldCount = 0
        if wanted.count != parts.count { add("parts: wanted \(wanted.count), got \(parts.count)") }
        for (index, (pattern, part)) in zip(wanted, parts).enumerated() {
            let before = count
            defer { if count == before { heldCount += 1 } }
            if pattern.name != part.name {
                addDifference(
                    "part \(index) name", wanted: [QuotedText.quote(Self.text(pattern.name))],
                    got: [Self.text(part.name)])
            }
            for (what, wanted, value) in [
                ("filename", pattern.fileName, part.fileName), ("type", pattern.contentType, part.contentType),
            ] {
                guard let wanted, !wanted.holds(for: value, within: budget) else { continue }
                addDifference(
                    "part \(index) \(what)", wanted: [wanted.wanted], got: value.map { [Self.text($0)] } ?? [])
            }
            if let body = pattern.body, !body.equals(part.content, decoded) {
                let (wanted, got) =
                    isTold ? (body.wantedText(decoded), self.got(part.content, insteadOf: body)) : ("", "")
                add("part \(index) body: wanted \(wanted), got \(got)")
            }
        }
        for (index, pattern) in wanted.enumerated().dropFirst(parts.count) {
            add("part \(index): wanted \(QuotedText.quote(Self.text(pattern.name))), got none")
        }
        for (index, part) in parts.enumerated().dropFirst(wanted.count) {
            add("part \(index): wanted none, got \(QuotedText.quote(Self.text(part.name)))")
        }
        setDisagreement(held: heldCount, failed: count)
    }

    private static func text(_ bytes: [UInt8]) -> String { EscapedText.escape(bytes, limit: 200) }
}

extension ByteSource {
    /// The number of wanted bytes; of templates only where their context is known.
    fileprivate func wantedText(_ decoded: DecodedBody?) -> String {
        if case .template(let template) = self, template.literalBytes == nil {
            guard let context = decoded?.context else { return "late-bound text" }
            return "\(template.rendered(in: context).count) bytes"
        }
        return byteCount.map { "\($0) bytes" } ?? "another"
    }
}

/// The bytes of a pattern, read one by one so that a long generated source is not built.
private struct WantedBytes {
    let count: Int
    private let byte: (Int) -> UInt8

    init?(_ source: ByteSource, _ decoded: DecodedBody?) {
        switch source {
        case .literal(let bytes): self.init(bytes)
        case .template(let template):
            guard let bytes = template.literalBytes ?? decoded?.context.map({ template.rendered(in: $0) }) else {
                return nil
            }
            self.init(bytes)
        case .repeated(let unit, let byteCount):
            guard !unit.isEmpty else { return nil }
            self.init(count: byteCount) { unit[$0 % unit.count] }
        case .pattern(let pattern, let byteCount):
            self.init(count: byteCount) { pattern.byte(at: $0) }
        case .file(let file):
            guard let bytes = decoded?.bytes(of: file) else { return nil }
            self.init(bytes)
        }
    }

    private init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { bytes[$0] }
    }

    private init(count: Int, byte: @escaping (Int) -> UInt8) {
        (self.count, self.byte) = (count, byte)
    }

    subscript(offset: Int) -> UInt8 { byte(offset) }
}
