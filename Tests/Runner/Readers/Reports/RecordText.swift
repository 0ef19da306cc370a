import ProctorEvents
import ProctorGrading

/// Records of exams in a short form: `exam NAME key=value …`, and `SCENARIO#CASE KIND OUTCOME key=value …`.
///
/// Other lines are records as they stand, and `---` begins another file.
struct RecordText {
    let files: [[UInt8]]

    init(_ input: [UInt8]) {
        var client = "c"
        let lines = String(decoding: input, as: UTF8.self).replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        files = lines.split(separator: "---", omittingEmptySubsequences: false).map { file in
            let texts = file.map { Self.record(String($0), &client) }
            let isHeadless = texts.first?.hasPrefix("{\"client\"") == true
            return Array(((isHeadless ? [Self.header("c", "")] : []) + texts).joined(separator: "\n").utf8)
        }
    }

    private static func record(_ line: String, _ client: inout String) -> String {
        if let match = line.wholeMatch(of: /exam (\S+)(.*)/) {
            client = String(match.1)
            return header(client, members(match.2))
        }
        guard let match = line.wholeMatch(of: /(\S+)#(\S+) (must|should|observes) (\S+)(.*)/) else { return line }
        return
            #"{"client":"\#(client)","case":"\#(match.1)#\#(match.2)","scenario":"\#(match.1)","name":"\#(match.2)","#
            + #""kind":"\#(match.3)","outcome":"\#(match.4)"\#(members(match.5))}"#
    }

    private static func header(_ client: String, _ members: String) -> String {
        #"{"exam":"proctor","version":1,"client":"\#(client)","platform":"neutral","proctor":"0"\#(members)}"#
    }

    /// ` key=value` as members of an object; what is no JSON is a text.
    private static func members(_ text: Substring) -> String {
        let names = text.matches(of: /(?:^| )([A-Za-z]+)=/)
        return names.enumerated().map { index, name in
            let end = index + 1 < names.count ? names[index + 1].range.lowerBound : text.endIndex
            let value = text[name.range.upperBound..<end]
            let isJSON = "[{\"".contains(value.prefix(1)) && !value.isEmpty || Int(value) != nil
            return #","\#(name.1)":"# + (isJSON ? String(value) : #""\#(value.replacing("\"", with: "\\\""))""#)
        }.joined()
    }

    /// The exams of each file, and whether the last line of one breaks off.
    func read() throws(TraceReadingError) -> (exams: [[ExamRecord]], isCut: Bool) {
        var isCut = false
        var exams: [[ExamRecord]] = []
        for file in files {
            var reader = ExamRecordReader()
            try reader.read(file, file: "f.jsonl")
            isCut = isCut || reader.isCut
            exams.append(reader.exams)
        }
        return (exams, isCut)
    }
}
