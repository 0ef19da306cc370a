import ProctorBase
import ProctorHTTP
import ProctorScenario
import ProctorTrace

/// What a request's content was: its framing, its trailers, and what it says as a form.
extension WireRecord.SeenRequest {
    /// What its head says of the end of the content (RFC 9112 §6.3).
    var framing: Measurement {
        switch head.framing {
        case .none: Measurement("none")
        case .length: Measurement("length")
        case .chunked: Measurement("chunked")
        }
    }

    /// Nothing where the content is not chunked, and a list without elements where it is empty.
    var chunks: Measurement {
        guard head.framing == .chunked else { return .absent }
        guard let content else { return .unread }
        // A chunk that was cut off said more bytes than came.
        guard content.chunks.reduce(0, { $0 &+ $1 }) >= content.byteCount else {
            return .notKept("the journal kept the sizes of \(WireText.count(content.chunks.count, "chunk")) only")
        }
        return .list(content.chunks.map { Array(String($0).utf8) })
    }

    /// Nothing where the content is not chunked.
    var chunkLines: Measurement {
        guard head.framing == .chunked else { return .absent }
        guard let content else { return .unread }
        let count = content.chunks.count + (content.isComplete ? 1 : 0)
        guard content.chunkLines.count >= count else {
            return .notKept("the journal kept \(WireText.count(content.chunkLines.count, "line")) of chunks only")
        }
        return .list(content.chunkLines)
    }

    /// Nothing where no line of that name came; several lines are a list.
    func trailer(_ name: String) -> Measurement {
        guard head.framing == .chunked else { return .absent }
        guard let content else { return .unread }
        guard content.isComplete else { return .unknown("the body was cut short, before any trailer") }
        let wanted = name.utf8.map(\.asciiLowercased)
        return Measurement(
            ofValues: content.trailers.compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    line[..<colon].map(\.asciiLowercased) == wanted
                else { return nil }
                return Self.value(line[line.index(after: colon)...])
            })
    }

    /// Without blanks at either end; a fold is one space (RFC 9112 §5.2).
    private static func value(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let words = bytes.split { $0 == 0x0D || $0 == 0x0A }.map { line in
            Array(line.drop { isBlank($0) }.reversed().drop { isBlank($0) }.reversed())
        }
        return Array(words.joined(separator: [0x20]))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    // MARK: Forms

    /// The decoded values of a name, a list where there are several; nothing where the form has no such name.
    func form(_ name: String) -> Measurement {
        measured("application/x-www-form-urlencoded") { body, _ throws(FormViolation) in
            Measurement(ofValues: try URLEncodedForm(parsing: body).values(of: name))
        }
    }

    /// How many parts of multipart/form-data there are.
    var partCount: Measurement {
        measured("multipart/form-data") { body, type throws(FormViolation) in
            Measurement(try FormData(parsing: body, contentType: type).parts.count)
        }
    }

    /// Nothing where there is no such part, or where the part does not say it.
    func part(_ index: Int, _ fact: FactName.PartFact) -> Measurement {
        measured("multipart/form-data") { body, type throws(FormViolation) in
            let parts = try FormData(parsing: body, contentType: type).parts
            guard parts.indices.contains(index) else { return .absent }
            let part = parts[index]
            switch fact {
            case .name: return .text(part.name)
            case .filename: return part.fileName.map { .text($0) } ?? .absent
            case .type: return part.contentType.map { .text($0) } ?? .absent
            case .body: return .text(part.content)
            }
        }
    }

    /// Reads the whole content, if it is what its Content-Type must say.
    private func measured(
        _ wanted: String, _ read: ([UInt8], [UInt8]) throws(FormViolation) -> Measurement
    ) -> Measurement {
        guard let content else { return .unread }
        guard content.isComplete else {
            return .unknown("a body that was cut short after \(WireText.count(content.byteCount, "byte"))")
        }
        guard content.kept.count == content.byteCount else {
            return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of the body")
        }
        guard let type = head.fields.first(named: "Content-Type") else {
            return .unknown("a body without a Content-Type")
        }
        guard MediaType(Array(type))?.essence == wanted else {
            return .unknown("a body of type \(WireText.quoted(type))")
        }
        do throws(FormViolation) {
            return try read(content.kept, Array(type))
        } catch {
            return .unknown("a form that can't be read: \(error.sentence)")
        }
    }
}

extension Measurement {
    fileprivate static let unread = Measurement.notKept("the body was not read")
}
