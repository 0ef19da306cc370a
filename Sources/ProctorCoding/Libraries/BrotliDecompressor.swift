import CBrotli

/// Brotli's decoder (RFC 7932) without the large windows that are not of the RFC.
@safe struct BrotliDecompressor: ~Copyable {
    private let state: OpaquePointer
    private let scratch = Scratch()

    init() throws(CodingFailure) {
        guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw CodingFailure(.memory, "brotli does not start")
        }
        unsafe self.state = unsafe state
    }

    deinit {
        unsafe BrotliDecoderDestroyInstance(state)
    }

    /// Takes from `offset` on what gives at most ``Scratch/byteCount`` bytes.
    func step(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> EngineStep {
        var result = BROTLI_DECODER_RESULT_ERROR
        unsafe bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer { input in
            var next = input.baseAddress
            var inputLeft = input.count
            unsafe scratch.append(to: &output) { memory in
                var outputLeft = Scratch.byteCount
                var position: UnsafeMutablePointer<UInt8>? = unsafe memory
                result = unsafe BrotliDecoderDecompressStream(state, &inputLeft, &next, &outputLeft, &position, nil)
                return Scratch.byteCount - outputLeft
            }
            offset += input.count - inputLeft
        }
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: return .ended
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return .starved
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return .more
        default: throw failure
        }
    }

    private var failure: CodingFailure {
        let code = unsafe BrotliDecoderGetErrorCode(state)
        // Codes of this range are failed allocations.
        if -30 ... -21 ~= Int(code.rawValue) { return CodingFailure(.memory, "brotli got no memory") }
        var name = "the compressed bytes are damaged"
        if let text = unsafe BrotliDecoderErrorString(code) { unsafe name = String(cString: text) }
        return CodingFailure(.corrupt, "br: \(name)")
    }
}
