internal import COpenSSL
import ProctorBase

/// What OpenSSL says about a call that failed, and bytes it encodes.
enum OpenSSLWords {
    /// With the thread's whole queue of errors, which is emptied; the code is the newest one's.
    static func failure(_ call: String) -> CallFailure {
        let code = ERR_peek_last_error()
        return CallFailure(call: call, code: Int32(truncatingIfNeeded: code), text: OpenSSLErrors.takeSentence())
    }

    /// What an `i2d_…` function writes; empty when it refuses.
    static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let count = Int(write(nil))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe Int(write(&cursor))
        }
        return written == count ? bytes : []
    }
}
