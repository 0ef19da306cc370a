import ProctorBase
import ProctorHTTP

extension ReaderRunner {
    /// Bodies of several parts, and forms.
    static let contents: [String: DataReader] = [
        // `boundary B`, `head-limit N`.
        "multipart": .pieces(isFuzzed: true) { pieces, block in try ContentLines.parts(pieces, block) },
        // `parts N`, `content N` and `head N` are limits.
        "form-data": .pieces(isFuzzed: true) { pieces, block in
            let type = "multipart/form-data; boundary=" + (block.value(of: "boundary") ?? "AaB03x")
            return try ContentLines.form(type: Array(type.utf8), pieces, block)
        },
        // A Content-Type of a form, whose body is empty.
        "form-type": .whole { input, block in
            let type = input.isEmpty && !block.has("empty") ? nil : input
            do throws(FormViolation) {
                _ = try FormData(parsing: [], contentType: type)
                return ["a form"]
            } catch { return ["refused: \(error.sentence)"] }
        },
        "urlencoded": .whole { input, _ in
            do throws(FormViolation) {
                let form = try URLEncodedForm(parsing: input)
                guard try URLEncodedForm(parsing: form.bytes) == form else {
                    return ["what is written is not read again"]
                }
                var lent: [URLEncodedForm.Pair] = []
                let longer = (Array("before?".utf8) + input)[7...]
                URLEncodedForm.forEachFromLast(in: longer) { lent.append(URLEncodedForm.Pair(name: $0, value: $1)) }
                guard lent == form.pairs.reversed(), URLEncodedForm.pieceCount(in: longer) >= form.pairs.count else {
                    return ["other pairs are lent"]
                }
                return form.pairs.map { "\(ByteText.optional($0.name))|\(ByteText.optional($0.value))" }
                    + ["written \(ByteText.optional(form.bytes))"]
            } catch { return ["refused: \(error)"] }
        },
    ]
}

private enum ContentLines {
    static func parts(_ pieces: [[UInt8]], _ block: Block) throws -> [String] {
        let boundary = Array((block.value(of: "boundary") ?? "part").utf8)
        guard
            var reader = MultipartReader(boundary: boundary, headByteLimit: try block.number(of: "head-limit") ?? 200)
        else { return ["no boundary"] }
        var lines: [String] = []
        var content: [UInt8] = []
        var isOpen = false
        func require(_ holds: Bool, _ what: String) throws {
            if !holds { throw RowError(block.line, what + "; pieces: " + pieces.map(ByteText.inLine).description) }
        }
        func add(_ event: MultipartEvent) throws {
            if case .content(let bytes) = event {
                try require(isOpen && !bytes.isEmpty, "content without a part, or without bytes")
                content += bytes
                return
            }
            if !content.isEmpty { lines.append("content \(ByteText.inLine(content))") }
            content = []
            switch event {
            case .partBegan(let fields):
                try require(!isOpen, "a part within a part")
                isOpen = true
                lines.append("part")
                lines += MessageLines.fields(fields)
            case .content: break
            case .partEnded:
                try require(isOpen, "an end without a part")
                isOpen = false
            case .ended(let isClosed):
                try require(!isOpen, "the end within a part")
                lines.append(isClosed ? "closed" : "not closed")
            case .refused(let violation):
                try require(0...pieces.reduce(0) { $0 + $1.count } ~= violation.offset, "a violation outside")
                lines.append(
                    "refused \(MessageLines.place(violation))" + (violation.bound.map { " limit \($0)" } ?? ""))
            }
        }
        for (index, piece) in pieces.enumerated() {
            let leading = pieces.count == 1 ? 0 : index % 4
            let input = [UInt8](repeating: UInt8(ascii: "-"), count: leading) + piece
            var offset = leading
            while let event = reader.next(input.span, at: &offset) { try add(event) }
            try require(offset == input.count, "input is left")
        }
        while let event = reader.finish() { try add(event) }
        try require(reader.finish() == nil, "the end is not the end")
        return lines
    }

    static func form(type: [UInt8], _ pieces: [[UInt8]], _ block: Block) throws -> [String] {
        let limits = FormData.Limits(
            partCount: try block.number(of: "parts") ?? 1_000,
            contentByteCount: try block.number(of: "content") ?? 16 << 20,
            headByteCount: try block.number(of: "head") ?? 16 << 10)
        do throws(FormViolation) {
            var reader = try FormDataReader(contentType: type, limits: limits)
            for piece in pieces { try reader.read(piece.span) }
            let form = try reader.finish()
            return form.parts.map { part in
                var line = "part \(ByteText.optional(part.name))"
                if let name = part.fileName { line += ", file \(ByteText.optional(name))" }
                if let type = part.contentType { line += ", type \(ByteText.optional(type))" }
                return line + ", \(part.fields.count) fields, \(ByteText.optional(part.content))"
            } + ["\(form.parts.count) parts"]
        } catch { return ["refused: \(error)"] }
    }
}
