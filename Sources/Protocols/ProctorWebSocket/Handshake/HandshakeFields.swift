internal import ProctorBase
internal import ProctorHTTP

/// The fields of a head, with the places of their values, and what is found wrong with them.
struct HandshakeFields {
    let section: FieldSection
    /// Where the head ends.
    let end: Int
    private(set) var violations: [HandshakeViolation] = []

    /// A field line; the offset is that of the value.
    struct Line {
        let value: [UInt8]
        let offset: Int
    }

    init(_ section: FieldSection, byteCount: Int) {
        self.section = section
        end = byteCount
    }

    func lines(named name: StaticString) -> [Line] {
        section.compactMap { line in
            guard Array(line.name).span.equalsIgnoringCase(name) else { return nil }
            // The value of a folded line stands elsewhere.
            let isFolded = line.raw.contains(0x0A)
            return Line(value: Array(line.value), offset: isFolded ? line.raw.startIndex : line.value.startIndex)
        }
    }

    /// The only line of that name.
    mutating func onlyLine(
        _ name: StaticString, missing: HandshakeViolation.Kind, twice: HandshakeViolation.Kind
    ) -> Line? {
        let lines = lines(named: name)
        if lines.isEmpty { report(missing, at: end) }
        if lines.count > 1 { report(twice, at: lines[1].offset) }
        return lines.first
    }

    /// The elements of all lines of that name, which make one list; an empty list is reported.
    mutating func elements(of name: StaticString) -> [Line] {
        let lines = lines(named: name)
        let elements = lines.flatMap { line in
            HTTPField(name: "", bytes: line.value).elements.map {
                Line(value: Array($0), offset: line.offset + $0.startIndex)
            }
        }
        if let first = lines.first, elements.isEmpty { report(.emptyList, at: first.offset, "\(name)") }
        return elements
    }

    /// Whether a line of that name has the element, in any letter case.
    func lists(_ element: String, in name: StaticString) -> Bool {
        lines(named: name).contains { HTTPField(name: "", bytes: $0.value).lists(element) }
    }

    /// Reads Sec-WebSocket-Extensions.
    mutating func extensions(in message: DeflateParameters.Message) -> [WebSocketExtension] {
        var extensions: [WebSocketExtension] = []
        for element in elements(of: "sec-websocket-extensions") {
            var scanner = ExtensionScanner(element.value)
            do throws(HandshakeViolation) {
                let read = try scanner.read()
                extensions.append(read)
                if read.name == DeflateParameters.name { _ = try DeflateParameters(read, in: message) }
            } catch {
                violations.append(
                    HandshakeViolation(error.kind, at: element.offset + error.offset, error.sentence))
            }
        }
        return extensions
    }

    mutating func report(_ kind: HandshakeViolation.Kind, at offset: Int, _ detail: String = "") {
        violations.append(HandshakeViolation(kind, at: offset, detail: detail))
    }
}
