import ProctorBase
import ProctorTestSupport
import Testing

struct StreamTableTests {
    /// Streams that open and end in any order stand as in a dictionary, sorted.
    @Test(arguments: [UInt64(1), 2, 3]) func `holds what a dictionary holds`(_ seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        var table = StreamTable<UInt32, Int>()
        var dictionary: [UInt32: Int] = [:]
        for step in 0..<2_000 {
            let stream = UInt32.random(in: 1...40, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: #expect(table.remove(stream) == dictionary.removeValue(forKey: stream))
            case 1:
                let isThere = table.change(stream) { $0 += 1 } != nil
                #expect(isThere == (dictionary[stream] != nil))
                dictionary[stream]? += 1
            default:
                table[stream] = step
                dictionary[stream] = step
            }
            #expect(table[stream] == dictionary[stream])
        }
        #expect(table.keys == dictionary.keys.sorted())
        #expect(table.values == table.keys.map { dictionary[$0] })
        for stream in table.keys { table[stream] = nil }
        #expect(table.isEmpty)
    }
}
