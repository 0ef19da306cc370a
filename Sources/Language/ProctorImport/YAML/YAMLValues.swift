package import ProctorBase
package import ProctorDocument

/// A YAML file of any length as a list of values, for what programs wrote and nobody edits, such as recordings.
///
/// It holds the file as the JSON text that says the same, and 9 to 10 bytes for each value: a plain scalar that JSON can say
/// without quotes (a number, `true`, `false`, `null`, `~` and nothing at all) is that, and any other is a text. ``Document`` is for what
/// people write: it has places of keys and of letters, at 100 bytes a value.
package final class YAMLValues: Sendable {
    package let json: JSONDocument
    private let places: PlaceTable
    private let binaries: AscendingIndexes
    private let lines: SourceFile

    /// Parses UTF-8; `file` is the name in messages.
    package init(
        parsing bytes: [UInt8], file: String, limits: Document.Limits = Document.Limits()
    ) throws(YAMLRefusal) {
        if let refusal = limits.refusal(ofByteCount: bytes.count, file: file) { throw YAMLRefusal(refusal) }
        let source = SourceFile(path: file, bytes: bytes)
        let result = unsafe source.bytes.withUnsafeBufferPointer { input -> Result<YAMLTranscript, YAMLRefusal> in
            var transcriber = unsafe YAMLTranscriber(
                parser: YAMLParser(source: source, input: input), source: source, limits: limits)
            return transcriber.transcript()
        }
        let transcript = try result.get()
        do throws(LineFault) {
            json = try JSONDocument(parsing: transcript.text, valueLimit: limits.nodeCount)
        } catch {
            // What JSON bounds and YAML does not, such as the digits of an exponent.
            throw YAMLRefusal(Diagnostic(path: file, sentence: "the file can't be said as JSON: \(error.sentence)"))
        }
        (places, binaries, lines) = (transcript.places, transcript.binaries, source)
        if let twice = json.shadowedMember { throw refusal(of: twice) }
    }

    /// Where the value begins.
    package func location(of index: Int) -> SourceLocation { lines.location(at: places[index]) }

    /// Whether the value is `!!binary` or `!binary`, as recordings have them: its text is base64.
    package func isBinary(_ index: Int) -> Bool { binaries.contains(index) }

    private func refusal(of twice: (first: Int, second: Int)) -> YAMLRefusal {
        let name = quoted(String(decoding: json.values[twice.second].name ?? [], as: UTF8.self))
        let (first, second) = (location(of: twice.first), location(of: twice.second))
        return YAMLRefusal(
            Diagnostic(
                location: second,
                sentence: "the key \(name) stands here twice; its first value is at \(first.line):\(first.column)"))
    }
}

/// Why a YAML file is refused: the first mistake.
package struct YAMLRefusal: Error, Sendable {
    package let diagnostic: Diagnostic

    init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}

extension JSONDocument {
    /// The first member that a later one of its object replaces, and the next one of its name; nil where there is none.
    fileprivate var shadowedMember: (first: Int, second: Int)? {
        guard let first = values.indices.first(where: { values[$0].isShadowed }), let name = values[first].name else {
            return nil
        }
        var second = values[first].end
        while second < values.count, !values[second].isNamed(name) { second = values[second].end }
        return (first, min(second, values.count - 1))
    }
}
