internal import COpenSSL

/// The thread's queue of OpenSSL's errors; to be emptied before a call whose failure is to be told.
enum OpenSSLErrors {
    /// All of them in one sentence, the first one first, without saying one twice; the queue is empty then.
    static func takeSentence() -> String {
        var parts: [String] = []
        while true {
            var data: UnsafePointer<CChar>?
            var flags: Int32 = 0
            let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
            guard code != 0 else { break }
            var part = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            if flags & ERR_TXT_STRING != 0, let data = unsafe data {
                let more = unsafe String(cString: data)
                if !more.isEmpty { part += " (\(more))" }
            }
            if !parts.contains(part), parts.count < 8 { parts.append(part) }
        }
        return parts.isEmpty ? "OpenSSL gives no reason" : parts.joined(separator: "; ")
    }
}
