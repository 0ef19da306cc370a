import CBrotli

/// Brotli's encoder (RFC 7932) with the window of 4 MiB that it takes by default.
@safe struct BrotliCompressor: ~Copyable {
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

    /// Takes all of the bytes; the end of the stream is written when they are the last ones.
    func compress(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) throws(CodingFailure) {
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
