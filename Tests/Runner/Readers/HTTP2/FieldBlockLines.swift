import ProctorHTTP
import ProctorHTTP2

/// Field blocks of one direction, as `82 86 | be`, read one behind the other; `table N` between them allows a size, `rest`
/// sends the table to rest.
enum FieldBlockLines {
    static func read(_ input: [UInt8], _ block: Block) throws -> [String] {
        guard let decoder = HeaderDecoder() else { throw TextError("no memory") }
        var limits = HeaderDecoder.Limits()
        limits.listByteCount = try block.number(of: "list") ?? limits.listByteCount
        limits.fieldCount = try block.number(of: "fields") ?? limits.fieldCount
        var lines: [String] = []
        for part in String(decoding: input, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ")
            if words.first == "table" {
                decoder.allowTable(ofByteCount: words.count > 1 ? UInt32(words[1]) ?? 0 : 0)
                continue
            }
            if words.first == "rest" {
                decoder.rest()
                continue
            }
            let bytes = try ByteText.hexadecimal(part[...])
            do {
                let section = try decoder.decode(bytes, limits)
                var line = HTTP2Lines.fields(section.fields)
                if section.isCut { line += " of \(section.fieldCount) fields, \(section.listByteCount) bytes" }
                if block.has("items") { line += " as " + section.items.map { item($0.kind) }.joined(separator: ", ") }
                lines.append(line)
            } catch {
                lines.append("\(error.reason) at \(error.offset)")
            }
        }
        return lines
    }

    static func item(_ kind: Representation.Kind) -> String {
        func text(_ text: Representation.Text) -> String { "\(text.byteCount)\(text.isHuffman ? " Huffman" : "")" }
        switch kind {
        case .tableSize(let size): return "table \(size)"
        case .indexed(let index): return "index \(index)"
        case .literal(let indexing, let name, let value):
            switch name {
            case .indexed(let index): return "\(indexing.rawValue) index \(index): \(text(value))"
            case .text(let name): return "\(indexing.rawValue) \(text(name)): \(text(value))"
            }
        }
    }
}
