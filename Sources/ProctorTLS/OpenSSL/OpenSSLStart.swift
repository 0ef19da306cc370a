internal import COpenSSL

/// OpenSSL as this module wants it, before its first use in the process.
///
/// By itself it takes everything down when the process exits, under threads that still make keys: they would crash.
enum OpenSSLStart {
    /// Read it before anything else of OpenSSL; takes effect once.
    static let once: Void = proctor_start_openssl()
}
