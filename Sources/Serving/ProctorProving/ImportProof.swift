package import ProctorBase
internal import ProctorCoding
internal import ProctorDocument
internal import ProctorHTTP
package import ProctorImport
internal import ProctorOpenAPI
package import ProctorScenario

/// Holds a scenario that was made of a source to what the source says: its requests are asked in their order, and what
/// comes is compared.
package struct ImportProof {
    private let draft: Draft
    private let asker: ScenarioAsker
    private let budget: WorkBudget
    private let description: APIDescription?
    private var findings = Findings()

    /// What a scenario is not as its source says.
    package struct Findings {
        /// Each with its place in the source.
        package var differences = ImportRemarks()
        /// Why replies are not held to the description, or to parts of it; nil where they are, and where there is none.
        package var gap: ImportRemark?
        /// Whether there is a description by which messages can be judged.
        package var hasJudge = false
        /// Replies that are not as it says.
        package var faultyReplyCount = 0
    }

    private init(_ scenario: Scenario, _ draft: Draft, _ budget: WorkBudget) {
        (self.draft, self.budget) = (draft, budget)
        asker = ScenarioAsker(scenario, origins: draft.origins, within: budget)
        (description, findings.gap) = draft.description.map(Self.read) ?? (nil, nil)
        findings.hasJudge = description != nil
    }

    package static func findings(
        of scenario: Scenario, _ draft: Draft, within budget: WorkBudget, progress: ImportProgress? = nil
    ) throws(SpentBudget) -> Findings {
        var proof = ImportProof(scenario, draft, budget)
        progress?.beginPhase("asking the scenario the requests of its source", of: draft.claims.count)
        for claim in draft.claims {
            progress?.countStep()
            try proof.checkClaim(claim)
        }
        return proof.findings
    }

    private static func read(_ source: SourceDescription) -> (APIDescription?, ImportRemark?) {
        let document =
            source.isJSON
            ? Document.parseJSON(source.bytes, file: source.file) : Document.parse(source.bytes, file: source.file)
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        if let root = document.root,
            let read = APIDescription.read(root, file: source.file, base: source.base, formats: [], sink: sink)
        {
            let open = read.openings
            let remark = open.first.map { first in
                ImportRemark(
                    at: "\(first.location)",
                    "\(first.sentence)" + (open.count > 1 ? "; so are \(open.count - 1) other parts" : "")
                        + ": replies are not held to that")
            }
            return (read, remark)
        }
        let reason = sink.diagnostics.first.map { "\($0.location): \($0.sentence)" } ?? "it can't be read"
        return (
            nil,
            ImportRemark(
                at: source.file, "replies are not held to this description, since it can't be judged by: \(reason)")
        )
    }

    private mutating func add(_ claim: SourceClaim, _ sentence: String) {
        let asked = PrintableText.sanitize("\(claim.request.method) \(claim.request.target)", limit: 120)
        findings.differences.append(ImportRemark(at: claim.place, "\(asked): \(sentence)"))
    }

    /// As much is read of a reply whose content is not compared.
    private static let headByteLimit = 256 << 10

    private mutating func checkClaim(_ claim: SourceClaim) throws(SpentBudget) {
        try budget.spend(1)
        let isCompared = claim.content != nil || description != nil
        switch try asker.ask(
            claim.request, origin: claim.origin, contentLimit: isCompared ? .max : Self.headByteLimit)
        {
        case .reply(let head, let content, let index):
            let place = draft.exchanges.indices.contains(index) ? draft.exchanges[index].place : ""
            if let wanted = claim.answeredBy, wanted != place {
                add(claim, "what was made of \(place) answers this request")
            } else {
                checkReply(head, content, claim)
            }
        case .noHead:
            if claim.status != nil { add(claim, "the connection ends before a reply") }
        case .missed(let reasons):
            add(
                claim,
                "no exchange answers the request that was recorded"
                    + (reasons.isEmpty ? "" : ": \(reasons.prefix(2).joined(separator: "; "))"))
        case .failed(let reason): add(claim, reason)
        }
        guard let form = claim.request.formContent else { return }
        var other = claim
        other.request.content = form
        other.request.formContent = nil
        other.request.fields.set(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
        if case .missed = try asker.ask(other.request, origin: claim.origin) {
            add(claim, "no exchange answers the same values as a form")
        }
    }

    // MARK: Replies

    private mutating func checkReply(_ head: ReplyHead, _ content: [UInt8], _ claim: SourceClaim) {
        if let status = claim.status, head.status != status {
            add(claim, "the status is \(head.status), and \(status) in the source")
            return
        }
        if let reason = claim.reason, head.reason != Array(reason.utf8) {
            add(
                claim,
                "the reason is \(Self.shown(head.reason)), and \(Self.shown(Array(reason.utf8))) in the source")
        }
        let fields = [HTTPField](head.fields)
        checkFields(fields, claim)
        if let wanted = claim.content { checkContent(content, fields, wanted, claim) }
        if let wanted = claim.contentByteCount, case .length(let count) = head.framing, count != wanted {
            add(claim, "the content has \(count) bytes, and \(wanted) in the source")
        }
        judge(head, fields, content, claim)
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        QuotedText.quote(PrintableText.sanitize(String(decoding: bytes, as: UTF8.self), limit: 80))
    }

    /// Fields that the server writes by itself.
    private static let own: Set<String> = ["content-length", "transfer-encoding", "connection", "date"]

    private mutating func checkFields(_ fields: [HTTPField], _ claim: SourceClaim) {
        var names: [String] = []
        var wanted: [String: [SourceClaim.FieldValue]] = [:]
        for (name, value) in claim.fields {
            let key = name.lowercased()
            if wanted[key] == nil { names.append(name) }
            wanted[key, default: []].append(value)
        }
        for name in names {
            let values = wanted[name.lowercased()] ?? []
            if values.contains(where: { if case .leftOut = $0 { true } else { false } }) { continue }
            let got = fields.all(named: name).map(\.bytes)
            guard got.count == values.count else {
                let lines = got.count == 1 ? "1 line" : "\(got.count) lines"
                add(claim, "the reply has \(lines) of the field \(name), and the source \(values.count)")
                continue
            }
            for (value, bytes) in zip(values, got) {
                switch value {
                case .any, .leftOut: continue
                case .equal(let wanted) where wanted == bytes: continue
                case .begins(let wanted) where bytes.starts(with: wanted): continue
                case .equal(let wanted), .begins(let wanted):
                    add(
                        claim,
                        "the field \(name) is \(Self.shown(bytes)), and \(Self.shown(wanted)) in the source")
                }
            }
        }
        guard claim.hasAllFields else { return }
        for field in fields where wanted[field.name.lowercased()] == nil && !Self.own.contains(field.name.lowercased())
        {
            add(claim, "the reply has the field \(field.name), which the source does not have")
        }
    }

    private mutating func checkContent(
        _ content: [UInt8], _ fields: [HTTPField], _ wanted: [UInt8], _ claim: SourceClaim
    ) {
        guard content != wanted else { return }
        let codings = fields.all(named: "Content-Encoding")
            .flatMap { $0.bytes.split(separator: UInt8(ascii: ",")) }
            .compactMap { ContentCoding(name: $0.filter { $0 > 0x20 }) }
        var decoded = content
        if !codings.isEmpty, !content.isEmpty {
            do throws(CodingFailure) {
                decoded = try CodingDecoder.decode(content, codings: codings, limit: 256 << 20)
            } catch {
                add(claim, "the content is not what its Content-Encoding says: \(error)")
                return
            }
        }
        guard decoded != wanted else { return }
        let offset = zip(decoded, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        add(
            claim,
            "the content has \(decoded.count) bytes, and \(wanted.count) in the source; they differ from byte "
                + "\(offset ?? min(decoded.count, wanted.count)) on")
    }

    /// Holds the reply to the description that it was made of.
    private mutating func judge(_ head: ReplyHead, _ fields: [HTTPField], _ content: [UInt8], _ claim: SourceClaim) {
        guard let description else { return }
        let line = APIDescription.RequestLine(method: claim.request.method, target: Array(claim.request.target.utf8))
        let message = DescribedMessage(
            fields: fields.map { ($0.name.lowercased(), $0.bytes) }, content: content.isEmpty ? .none : .whole(content))
        let verdict = description.judge(replyTo: line, status: head.status, message, within: budget)
        if !verdict.faults.isEmpty { findings.faultyReplyCount += 1 }
        for fault in verdict.faults.prefix(3) { add(claim, "the sample breaks its schema: \(fault.description)") }
    }
}
