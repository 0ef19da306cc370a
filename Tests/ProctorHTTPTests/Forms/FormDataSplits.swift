import ProctorHTTP
import Testing

/// Reads a form whole, byte by byte and cut in two at every place; every way must give the same form or refusal.
enum FormDataSplits {
    static func form(
        _ body: [UInt8], type: [UInt8], limits: FormData.Limits = FormData.Limits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Result<FormData, FormViolation> {
        func read(_ pieces: [[UInt8]]) -> Result<FormData, FormViolation> {
            do throws(FormViolation) {
                var reader = try FormDataReader(contentType: type, limits: limits)
                for piece in pieces { try reader.read(piece.span) }
                return .success(try reader.finish())
            } catch {
                return .failure(error)
            }
        }
        let whole = read([body])
        #expect(read(body.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
        for cut in 0...body.count {
            #expect(
                read([Array(body[..<cut]), Array(body[cut...])]) == whole, "cut at \(cut)",
                sourceLocation: sourceLocation)
        }
        #expect(read([[], body, []]) == whole, "between empty pieces", sourceLocation: sourceLocation)
        return whole
    }
}
