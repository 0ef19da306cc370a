import ProctorBase

/// Several steps one after another, the first one nearest to the content (RFC 9110 §8.4).
public struct EncodingChain: ~Copyable {
    /// An encoder where an array can hold it.
    private final class Link {
        var encoder: CodingEncoder

        init(_ step: CodingStep) throws(CodingFailure) {
            encoder = try CodingEncoder(step)
        }
    }

    private var links: [Link] = []

    /// No step at all changes nothing; more than ``DecodingChain/depthBound`` are refused.
    public init(_ steps: [CodingStep]) throws(CodingFailure) {
        guard steps.count <= DecodingChain.depthBound else { throw DecodingChain.refusal(steps.count) }
        for step in steps { links.append(try Link(step)) }
    }

    /// Takes all of the bytes and appends what has passed every step by now.
    public mutating func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
        try pass(bytes, from: 0, into: &output)
    }

    /// Ends every step, in their order; to be called once, as the last.
    public mutating func finish(into output: inout [UInt8]) throws(CodingFailure) {
        for (index, link) in links.enumerated() {
            var coded: [UInt8] = []
            try link.encoder.finish(into: &coded)
            try pass(coded.span, from: index + 1, into: &output)
        }
    }

    private func pass(_ bytes: Span<UInt8>, from first: Int, into output: inout [UInt8]) throws(CodingFailure) {
        guard first < links.count else { return output.append(bytes) }
        guard first + 1 < links.count else { return try links[first].encoder.encode(bytes, into: &output) }
        var coded: [UInt8] = []
        try links[first].encoder.encode(bytes, into: &coded)
        try pass(coded.span, from: first + 1, into: &output)
    }
}

// Its encoders are its own.
extension EncodingChain: @unchecked Sendable {}

extension CodingEncoder {
    /// All of the bytes at once, by every step in order.
    public static func encode(_ bytes: [UInt8], steps: [CodingStep]) throws(CodingFailure) -> [UInt8] {
        var chain = try EncodingChain(steps)
        var output: [UInt8] = []
        try chain.encode(bytes.span, into: &output)
        try chain.finish(into: &output)
        return output
    }
}
