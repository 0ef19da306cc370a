// A fixed module by which the cost of a build is told: processor seconds of a build are counted in compilations of this file
// (Scripts/build.sh), so that a slower machine has the same count. It does a bit of everything that our sources do; a change here
// makes all counts of Benchmarks/builds.tsv worthless.

enum Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Value])
    case table([String: Value])
}

struct ReadingError: Error, Equatable {
    let offset: Int
    let reason: String
}

struct Reader<Bytes: RandomAccessCollection> where Bytes.Element == UInt8, Bytes.Index == Int {
    let bytes: Bytes
    var offset: Int

    init(_ bytes: Bytes) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    mutating func skipBlanks() {
        while offset < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }

    mutating func readByte(_ wanted: UInt8) throws(ReadingError) {
        guard offset < bytes.endIndex, bytes[offset] == wanted else {
            throw ReadingError(offset: offset, reason: "wanted \(Character(UnicodeScalar(wanted)))")
        }
        offset += 1
    }

    mutating func readWord(_ word: String, as value: Value) throws(ReadingError) -> Value {
        for byte in word.utf8 { try readByte(byte) }
        return value
    }

    mutating func readValue(depth: Int = 0) throws(ReadingError) -> Value {
        guard depth < 64 else { throw ReadingError(offset: offset, reason: "deeper than 64 levels") }
        skipBlanks()
        guard offset < bytes.endIndex else { throw ReadingError(offset: offset, reason: "nothing is left") }
        switch bytes[offset] {
        case UInt8(ascii: "n"): return try readWord("null", as: .null)
        case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
        case UInt8(ascii: "\""): return .text(try readText())
        case UInt8(ascii: "["):
            return .list(try readItems(until: UInt8(ascii: "]"), depth: depth) { _ in nil }.map(\.value))
        case UInt8(ascii: "{"):
            let items = try readItems(until: UInt8(ascii: "}"), depth: depth) { reader throws(ReadingError) in
                reader.skipBlanks()
                let name = try reader.readText()
                reader.skipBlanks()
                try reader.readByte(UInt8(ascii: ":"))
                return name
            }
            return .table(Dictionary(items.map { ($0.name ?? "", $0.value) }) { _, last in last })
        default: return .number(try readNumber())
        }
    }

    private mutating func readItems(
        until end: UInt8, depth: Int, name: (inout Reader) throws(ReadingError) -> String?
    ) throws(ReadingError) -> [(name: String?, value: Value)] {
        offset += 1
        var items: [(name: String?, value: Value)] = []
        skipBlanks()
        if offset < bytes.endIndex, bytes[offset] == end {
            offset += 1
            return items
        }
        while true {
            let name = try name(&self)
            items.append((name, try readValue(depth: depth + 1)))
            skipBlanks()
            if offset < bytes.endIndex, bytes[offset] == end {
                offset += 1
                return items
            }
            try readByte(UInt8(ascii: ","))
        }
    }

    private mutating func readText() throws(ReadingError) -> String {
        try readByte(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while offset < bytes.endIndex, bytes[offset] != UInt8(ascii: "\"") {
            text.append(bytes[offset])
            offset += 1
        }
        try readByte(UInt8(ascii: "\""))
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func readNumber() throws(ReadingError) -> Double {
        let start = offset
        while offset < bytes.endIndex, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
        guard let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
            throw ReadingError(offset: start, reason: "no number")
        }
        return number
    }
}

struct Total: CustomStringConvertible {
    var counts: [String: Int] = [:]
    var largest: Double = -.infinity

    mutating func add(_ value: Value, at path: String = "") {
        switch value {
        case .null: counts["null", default: 0] += 1
        case .bool(let flag): counts["bool \(flag)", default: 0] += 1
        case .number(let number):
            counts["number", default: 0] += 1
            largest = max(largest, number)
        case .text(let text): counts["text", default: 0] += text.utf8.count
        case .list(let items): for (index, item) in items.enumerated() { add(item, at: "\(path)[\(index)]") }
        case .table(let members):
            for (name, member) in members.sorted(by: { $0.key < $1.key }) { add(member, at: "\(path).\(name)") }
        }
    }

    var description: String {
        counts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map { "\($0.key): \($0.value)" }.joined(
            separator: ", ")
    }
}

@main
enum Yardstick {
    static func main() throws {
        for line in CommandLine.arguments.dropFirst() {
            var total = Total()
            var reader = Reader(Array(line.utf8))
            total.add(try reader.readValue())
            print(total)
        }
    }
}
