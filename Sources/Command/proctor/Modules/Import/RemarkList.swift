internal import ProctorBase
internal import ProctorImport

/// Prints what an import or an export could not say, one line for each sentence.
enum RemarkList {
    /// Lines of one list that are printed.
    private static let lineLimit = 100

    static func write(_ remarks: ImportRemarks, under title: String, _ output: Output) {
        guard !remarks.isEmpty else { return }
        write(lines: grouped(remarks), under: title, output)
    }

    static func write(lines: [String], under title: String, _ output: Output) {
        output.message(title)
        for line in lines.prefix(lineLimit) { output.err("  \(PrintableText.sanitize(line, limit: 400))\n") }
        if lines.count > lineLimit { output.err("  and \(lines.count - lineLimit) more\n") }
    }

    /// Each sentence with its first place and the number of the others.
    private static func grouped(_ remarks: ImportRemarks) -> [String] {
        var sentences: [String] = []
        var places: [String: [String]] = [:]
        for remark in remarks {
            if places[remark.sentence] == nil { sentences.append(remark.sentence) }
            places[remark.sentence, default: []].append(remark.place)
        }
        return sentences.map { sentence in
            let all = places[sentence] ?? []
            let others = all.count > 1 ? " and \(Plural.count(all.count - 1, "other place"))" : ""
            return "\(all.first ?? "")\(others): \(sentence)"
        }
    }
}
