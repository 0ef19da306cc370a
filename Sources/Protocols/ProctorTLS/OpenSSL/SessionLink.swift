internal import COpenSSL
internal import ProctorLoop
internal import ProctorTLSWire

/// Connects an `SSL` to its session: callbacks find the session, and I/O goes through it.
@safe final class SessionLink: Sendable {
    static let shared = SessionLink()

    private let index: Int32
    private let method: SharedObject?

    private init() {
        index = proctor_SSL_ex_data_index()
        let pointer = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "proctor session")
        unsafe BIO_meth_set_read_ex(pointer, readRecords)
        unsafe BIO_meth_set_write_ex(pointer, writeRecords)
        // A flush does nothing; other commands are unknown.
        unsafe BIO_meth_set_ctrl(pointer) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        unsafe BIO_meth_set_create(pointer) { bio in
            unsafe BIO_set_init(bio, 1)
            return 1
        }
        method = unsafe pointer.map { unsafe SharedObject(owning: $0) { unsafe BIO_meth_free($0) } }
    }

    /// Sets the BIO of the `SSL`; neither retains the session, which owns both.
    func join(_ ssl: OpaquePointer, to session: TLSSession) {
        let argument = unsafe Unmanaged.passUnretained(session).toOpaque()
        guard let method, let bio = unsafe BIO_new(method.pointer) else { return }
        unsafe BIO_set_data(bio, argument)
        unsafe SSL_set_bio(ssl, bio, bio)
        unsafe SSL_set_ex_data(ssl, index, argument)
    }

    func session(of ssl: OpaquePointer?) -> TLSSession? {
        guard let argument = unsafe SSL_get_ex_data(ssl, index) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(argument).takeUnretainedValue()
    }
}

private let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY

private func session(of bio: OpaquePointer?) -> TLSSession? {
    guard let argument = unsafe BIO_get_data(bio) else { return nil }
    return unsafe Unmanaged<TLSSession>.fromOpaque(argument).takeUnretainedValue()
}

private func readRecords(
    _ bio: OpaquePointer?, _ room: UnsafeMutablePointer<CChar>?, _ roomCount: Int, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    guard let session = unsafe session(of: bio) else { return 0 }
    let taken = unsafe session.receive(into: UnsafeMutableRawBufferPointer(start: room, count: roomCount))
    guard taken > 0 else {
        if taken < 0 { unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY) }
        return 0
    }
    unsafe count?.pointee = taken
    return 1
}

private func writeRecords(
    _ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ byteCount: Int, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, retryFlags)
    guard let session = unsafe session(of: bio) else { return 0 }
    unsafe session.enqueue(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    unsafe count?.pointee = byteCount
    return 1
}

/// The callback of SSL_CTX_set_keylog_callback.
func noteSecret(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let session = unsafe SessionLink.shared.session(of: ssl), let line = unsafe line else { return }
    session.recordSecret(
        line: unsafe Array(UnsafeBufferPointer(start: line, count: strlen(line))).map { UInt8(bitPattern: $0) })
}

/// The callback of SSL_set_info_callback; it handles only alerts.
func noteInformation(_ ssl: OpaquePointer?, _ place: Int32, _ value: Int32) {
    guard place & SSL_CB_ALERT != 0, let session = unsafe SessionLink.shared.session(of: ssl) else { return }
    session.recordAlert(
        TLSAlert(
            isOurs: place & SSL_CB_WRITE != 0, isFatal: value >> 8 == SSL3_AL_FATAL,
            number: UInt8(truncatingIfNeeded: value)))
}

/// The callback of SSL_set_msg_callback: it gets the headers of written records, and then their messages.
func noteMessage(
    _ isWritten: Int32, _ version: Int32, _ type: Int32, _ bytes: UnsafeRawPointer?, _ count: Int,
    _ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?
) {
    guard let argument = unsafe argument else { return }
    let session = unsafe Unmanaged<TLSSession>.fromOpaque(argument).takeUnretainedValue()
    guard isWritten == 1 else {
        if type == SSL3_RT_HANDSHAKE, count > 0, unsafe bytes?.load(as: UInt8.self) == UInt8(SSL3_MT_FINISHED) {
            session.hasReadFinished = true
        }
        return
    }
    let message = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    if type == SSL3_RT_HEADER {
        unsafe session.labels?.addRecord(head: message)
    } else if let type = UInt8(exactly: type).flatMap(ContentType.init) {
        unsafe session.labels?.addMessage(type, message)
    }
}
