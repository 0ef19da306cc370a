import CBrotli

/// Brotli's encoder (RFC 7932) with its default window of 4 MiB.
@safe final class BrotliCompressor: EncodingEngine {
    private let state: OpaquePointer
    private let scratch = Scratch()

    init(level: Int?) throws(CodingFailure) {
        guard let state = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else {
            throw CodingFailure(.memory, "brotli does not start")
        }
        unsafe self.state = unsafe state
        let quality = UInt32(clamping: level ?? Int(BROTLI_DEFAULT_QUALITY))
        unsafe _ = BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, quality)
    }

    deinit {
        unsafe BrotliEncoderDestroyInstance(state)
    }

    func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) throws(CodingFailure) {
        let operation = isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS
        let isDone = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe run(operation, input, into: &output)
        }
        guard isDone else { throw CodingFailure(.memory, "brotli does not go on") }
    }

    private func run(
        _ operation: BrotliEncoderOperation, _ input: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
    ) -> Bool {
        var next = input.baseAddress
        var inputLeft = input.count
        var isDone = true
        repeat {
            unsafe scratch.append(to: &output) { memory in
                var outputLeft = Scratch.byteCount
                var position: UnsafeMutablePointer<UInt8>? = unsafe memory
                let code = unsafe BrotliEncoderCompressStream(
                    state, operation, &inputLeft, &next, &outputLeft, &position, nil)
                isDone = code != BROTLI_FALSE
                return Scratch.byteCount - outputLeft
            }
        } while unsafe isDone && (inputLeft > 0 || BrotliEncoderHasMoreOutput(state) != BROTLI_FALSE)
        return isDone
    }
}

/// Brotli's decoder (RFC 7932) without large windows, which are not part of the RFC.
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

    /// Decodes bytes from `offset` on, as many as give at most ``Scratch/byteCount`` bytes.
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
        // The codes of this range mean failed allocations.
        if -30 ... -21 ~= Int(code.rawValue) { return CodingFailure(.memory, "brotli got no memory") }
        var name = "the compressed bytes are damaged"
        if let text = unsafe BrotliDecoderErrorString(code) { unsafe name = String(cString: text) }
        return CodingFailure(.corrupt, "br: \(name)")
    }
}
