/// One question to a file, as it is handed to the process that runs the file.
package struct PACQuestion: Sendable, Equatable {
    package var url: String
    package var host: String
    package var script: [UInt8]
    /// The addresses of names that the file may look up.
    package var names: [String: String]

    /// The most bytes of a file.
    package static let scriptByteLimit = 1 << 20
    /// The most bytes of a whole question.
    static let byteLimit = 2 << 20

    package init(url: String, host: String, script: [UInt8], names: [String: String] = [:]) {
        (self.url, self.host, self.script, self.names) = (url, host, script, names)
    }

    /// Each text behind its length in decimal and a line feed: URL, host, script, then names and their addresses.
    var bytes: [UInt8] {
        let texts =
            [Array(url.utf8), Array(host.utf8), script] + names.flatMap { [Array($0.key.utf8), Array($0.value.utf8)] }
        return texts.flatMap { Array("\($0.count)\n".utf8) + $0 }
    }

    /// nil: the bytes are no question.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit else { return nil }
        var texts: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: 0x0A),
                let count = Int(String(decoding: rest[..<end], as: UTF8.self)), count >= 0,
                rest.endIndex - end - 1 >= count
            else { return nil }
            let start = end + 1
            texts.append(Array(rest[start..<start + count]))
            rest = rest[(start + count)...]
        }
        guard texts.count >= 3, texts.count % 2 == 1 else { return nil }
        url = String(decoding: texts[0], as: UTF8.self)
        host = String(decoding: texts[1], as: UTF8.self)
        script = texts[2]
        names = [:]
        for index in stride(from: 3, to: texts.count, by: 2) {
            names[String(decoding: texts[index], as: UTF8.self)] = String(decoding: texts[index + 1], as: UTF8.self)
        }
    }
}
