import ProctorCoding
import Testing

struct CodingEncoderTests {
    @Test(arguments: Row.wellFormed)
    func `the same content gives the same bytes, however it is cut`(row: Row) throws {
        let whole = try Feeding.encode(Sample.mixture, row.step, by: .max)
        for size in [65_536, 10_007, 1_000] {
            #expect(try Feeding.encode(Sample.mixture, row.step, by: size) == whole, "pieces of \(size)")
        }
        let short = try Feeding.encode(Sample.text, row.step, by: .max)
        #expect(try Feeding.encode(Sample.text, row.step, by: 1) == short)
    }

    @Test(arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd, .identity])
    func `what is missing is the end, and never more than there is`(coding: ContentCoding) throws {
        let whole = try CodingEncoder.encode(Sample.mixture, steps: [CodingStep(coding)])
        for count in [0, 1, 7, 70_000, whole.count - 1, whole.count, whole.count + 1, 1 << 20] {
            let step = CodingStep(coding, missingByteCount: count)
            let cut = try Feeding.encode(Sample.mixture, step, by: 9_999)
            #expect(cut == whole.dropLast(count), "\(count) missing")
        }
    }

    @Test func `what trails stands behind what is missing`() throws {
        let step = CodingStep(.identity, missingByteCount: 3, trailing: [1, 2])
        #expect(try CodingEncoder.encode([5, 6, 7, 8], steps: [step]) == [5, 1, 2])
        #expect(try CodingEncoder.encode([5], steps: [step]) == [1, 2])
    }

    @Test func `a finished encoder takes nothing more`() throws {
        var encoder = try CodingEncoder(CodingStep(.gzip))
        var output: [UInt8] = []
        try encoder.finish(into: &output)
        let count = output.count
        let text = Sample.text
        var kinds: [CodingFailure.Kind] = []
        do throws(CodingFailure) { try encoder.encode(text.span, into: &output) } catch { kinds.append(error.kind) }
        do throws(CodingFailure) { try encoder.finish(into: &output) } catch { kinds.append(error.kind) }
        #expect(kinds == [.usage, .usage])
        #expect(output.count == count)
    }
}
