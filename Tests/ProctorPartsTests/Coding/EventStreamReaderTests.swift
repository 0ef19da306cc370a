import ProctorCoding
import ProctorHTTP
import Testing

/// Event streams as clients must read them (WHATWG HTML §9.2.5, §9.2.6).
struct EventStreamReaderTests {
    @Test(arguments: ["", "a\nb", "\r\n\r", "a\r\nb\rc\n", "ä"])
    func `text is its lines, and these are the text again as data`(text: String) throws {
        let lines = EventData.lines(of: Array(text.utf8))
        var reader = EventStreamReader()
        var input: [UInt8] = []
        for line in lines { input += Array("data: ".utf8) + line + [0x0A] }
        let whole: [UInt8] = Array(lines.joined(separator: [0x0A]))
        #expect(try reader.read(input + [0x0A]).map(\.data) == [whole])
        #expect(lines.allSatisfy { !$0.contains(0x0A) && !$0.contains(0x0D) })
    }
}
