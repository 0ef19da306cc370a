import ProctorBase

struct ReplyMeaning {
    private(set) var framing: ReplyFraming = .none
    private(set) var keepsConnection = true
    /// 205: the content must be empty; chunks and close show that only when bytes arrive.
    private(set) var forbidsContent = false

    private var fields = FieldMeaning()

    /// Framing that does not depend on the fields.
    private enum Ending {
        /// 1xx and 204: framing fields MUST NOT be sent, and are not read.
        case empty
        /// 101, and 2xx to CONNECT: as `empty`, and HTTP ends.
        case tunnel
        /// HEAD and 304: the fields describe the content that a GET would get.
        case described
    }

    /// Reads the known fields in order, then decides the framing; throws what makes the reply unreadable.
    init(
        _ section: FieldSection, line: StatusLine, to method: RepliedMethod, limits: ReplyLimits, undoesCodings: Bool,
        findings: inout Findings
    ) throws(Violation) {
        // Copied to local variables first: the optimiser makes no direct span of a stored property.
        let (head, joined) = (section.bytes, section.unfolded)
        let bytes = head.span
        let unfolded = joined.span
        let ending = Self.ending(line.status, method)
        for entry in section.entries {
            guard let field = KnownField(bytes.extracting(entry.name), of: .reply) else { continue }
            let value = entry.isUnfolded ? unfolded.extracting(entry.value) : bytes.extracting(entry.value)
            switch (ending, field) {
            case (.empty, .contentLength), (.tunnel, .contentLength):
                findings.report(.contentLengthWithoutContent, at: entry.raw.lowerBound, value.excerpt(0..<value.count))
            case (.empty, .transferEncoding), (.tunnel, .transferEncoding):
                findings.report(
                    .transferEncodingWithoutContent, at: entry.raw.lowerBound, value.excerpt(0..<value.count))
            default:
                // The only bound of a length without content is `Int.max`.
                let limit = ending == nil ? limits.bodyByteCount : .max
                try fields.readField(field, FieldValue(entry), value: value, lengthLimit: limit, findings: &findings)
            }
        }
        if line.status == 101, fields.upgrade == nil {
            // The protocol after the head is unknown in that case.
            let isCRLF = bytes.count >= 2 && bytes[bytes.count - 2] == .carriageReturn
            throw findings.fatal(.switchingWithoutUpgrade, at: bytes.count - (isCRLF ? 2 : 1))
        }
        fields.checkUpgrade(&findings)
        try frame(line, ending, undoesCodings: undoesCodings, findings: &findings)
        keepsConnection = keepsConnection && fields.keepsConnection(line.version)
    }

    private static func ending(_ status: Int, _ method: RepliedMethod) -> Ending? {
        switch status {
        case 101: .tunnel
        case 200..<300 where method == .connect: .tunnel
        case 100..<200, 204: .empty
        case 304: .described
        default: method == .head ? .described : nil
        }
    }

    private mutating func frame(
        _ line: StatusLine, _ ending: Ending?, undoesCodings: Bool, findings: inout Findings
    ) throws(Violation) {
        // RFC 9112 §6.1 requires to close the connection after a message with both fields.
        if fields.transferCodings != nil, let length = fields.contentLength {
            findings.report(.contentLengthWithTransferEncoding, at: length.line)
            keepsConnection = false
        }
        switch ending {
        case .empty, .described: return
        case .tunnel:
            framing = .tunnel
            keepsConnection = false
            return
        case nil: break
        }
        if let codings = fields.transferCodings {
            // An HTTP/1.0 message with Transfer-Encoding MUST be treated as badly framed (RFC 9112 §6.1): some clients
            // read its chunks, others read them as content.
            guard line.version.hasHTTP11Semantics else {
                throw findings.fatal(.transferEncodingInHTTP10, at: codings.line)
            }
            framing = try codings.endsWithChunked(areUndone: undoesCodings, &findings) ? .chunked : .untilClose
        } else if let length = fields.contentLength?.length {
            framing = .length(length)
        } else {
            framing = .untilClose
        }
        if framing == .untilClose { keepsConnection = false }
        if line.status == 205 { forbid(findings: &findings) }
    }

    /// A 205 has no content (RFC 9110 §15.3.6), but normal framing: content is read and reported.
    private mutating func forbid(findings: inout Findings) {
        if case .length(let byteCount) = framing {
            if byteCount > 0 { findings.report(.contentIn205, at: fields.contentLength?.line ?? 0) }
        } else {
            forbidsContent = true
        }
    }
}

/// The effect of a request's method on the framing of its reply (RFC 9112 §6.3).
enum RepliedMethod: Sendable {
    case head, connect, other

    /// The comparison is case-sensitive (RFC 9110 §9.1).
    init(_ name: [UInt8]) {
        switch name.count {
        case 4 where name.span.equals("HEAD"): self = .head
        case 7 where name.span.equals("CONNECT"): self = .connect
        default: self = .other
        }
    }
}
