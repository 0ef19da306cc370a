package import ProctorBase
internal import ProctorHTTP
internal import ProctorSchema

extension APIDescription {
    /// The method and the target of a request.
    package struct RequestLine {
        let method: String
        let path: ArraySlice<UInt8>
        let query: [UInt8]

        /// `target` is in origin-form.
        package init(method: String, target: [UInt8]) {
            self.method = method
            let mark = target.firstIndex(of: UInt8(ascii: "?"))
            path = target[..<(mark ?? target.endIndex)]
            query = mark.map { Array(target[($0 + 1)...]) } ?? []
        }
    }

    /// The path of the description to which a request belongs, and its operation.
    enum Match {
        case operation(Operation, values: [String: [UInt8]])
        case noOperation(PathItem)
        case noPath
        /// Why it is not known which operation it is.
        case open(String)
    }

    func match(_ line: RequestLine) -> Match {
        var others: PathItem?
        var open: String?
        for base in basePaths {
            guard line.path.starts(with: base.utf8) else { continue }
            let path = line.path.dropFirst(base.utf8.count)
            for item in paths {
                guard let values = item.template.match(path) else { continue }
                if let operation = item.operations.first(where: { $0.method == line.method }) {
                    return .operation(operation, values: values)
                }
                if let own = item.open {
                    open =
                        open
                        ?? "path: it may be \(QuotedText.quote(own)) (\(item.place.location)), whose query is not compared"
                } else {
                    others = others ?? item
                }
            }
        }
        if let open { return .open(open) }
        if others == nil, unreadPathCount > 0 {
            return .open("path: it may be one of \(Plural.count(unreadPathCount, "path")) that could not be read")
        }
        return others.map { .noOperation($0) } ?? .noPath
    }

    /// What the description says of a request.
    package func judge(
        _ line: RequestLine, _ message: DescribedMessage, within budget: WorkBudget? = nil
    ) -> DescriptionVerdict {
        var verdict = DescriptionVerdict()
        switch match(line) {
        case .open(let sentence): verdict.leaveOpen(sentence)
        case .noPath: verdict.add(unknownPath(line))
        case .noOperation(let item): verdict.add(unknownMethod(line, item))
        case .operation(let operation, let values):
            var judging = MessageJudging(
                side: .request, budget: budget, verdict: DescriptionVerdict(operation: operation.name))
            judging.judgeRequest(operation, line, values, message)
            verdict = judging.verdict
        }
        return verdict
    }

    /// What the description says of the reply to a request; nothing where it does not know the request.
    package func judge(
        replyTo line: RequestLine, status: Int, _ message: DescribedMessage, within budget: WorkBudget? = nil
    ) -> DescriptionVerdict {
        guard case .operation(let operation, _) = match(line) else { return DescriptionVerdict() }
        var judging = MessageJudging(
            side: .reply, budget: budget, verdict: DescriptionVerdict(operation: operation.name))
        judging.judgeReply(status, operation, message, isToHead: line.method == "HEAD")
        return judging.verdict
    }

    /// Whether the description knows requests of that line; the sentence says what it lacks.
    package func refusal(of line: RequestLine) -> String? {
        switch match(line) {
        case .operation, .open: nil
        case .noPath: unknownPath(line).description
        case .noOperation(let item): unknownMethod(line, item).description
        }
    }

    private func unknownPath(_ line: RequestLine) -> DescriptionFault {
        let path = EscapedText.escape(line.path)
        let nearest = NearestName.find(path, in: basePaths.flatMap { base in paths.map { base + $0.template.text } })
        let bases = basePaths.filter { !$0.isEmpty }
        return DescriptionFault(
            part: "path", schemaPointer: place.pointer, location: place.location,
            sentence: "\(QuotedText.quote(path)) is none of the paths"
                + (bases.isEmpty ? "" : ", which begin with \(bases.joined(separator: " or "))")
                + (nearest.map { "; nearest is \($0)" } ?? ""))
    }

    private func unknownMethod(_ line: RequestLine, _ item: PathItem) -> DescriptionFault {
        let known = item.operations.map(\.method).joined(separator: ", ")
        return DescriptionFault(
            part: "method", schemaPointer: item.place.pointer, location: item.place.location,
            sentence: "\(item.template.text) has no \(EscapedText.escape(line.method.utf8, limit: 40)); it has "
                + (known.isEmpty ? "no operation" : known))
    }
}
