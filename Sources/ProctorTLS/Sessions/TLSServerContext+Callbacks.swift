internal import COpenSSL

// What OpenSSL asks of a server while it reads a ClientHello.
extension TLSServerContext {
    func setCallbacks() {
        let handle = unsafe context.handle
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe proctor_SSL_CTX_set_tlsext_servername_callback(handle, answerServerName)
        unsafe proctor_SSL_CTX_set_tlsext_servername_arg(handle, argument)
        if setup.applicationProtocols != .ignored {
            unsafe SSL_CTX_set_alpn_select_cb(handle, selectApplicationProtocol, argument)
        }
        if identity.staple != nil {
            unsafe proctor_SSL_CTX_set_tlsext_status_cb(handle, staple)
            unsafe proctor_SSL_CTX_set_tlsext_status_arg(handle, argument)
        }
        if setup.resumption == .refused {
            unsafe SSL_CTX_set_session_ticket_cb(handle, { _, _ in 1 }, { _, _, _, _, _, _ in refusedTicket }, nil)
        }
        if setup.canAlert || keyLog != nil {
            unsafe SSL_CTX_set_keylog_callback(handle, noteSecret)
        }
        if setup.canAlert {
            // What is agreed on by this extension can't be asked for, and an alert's MAC depends on it.
            unsafe SSL_CTX_set_options(handle, proctor_SSL_OP_NO_ENCRYPT_THEN_MAC)
        }
    }

    /// The context whose callback is called; it lives as long as any session of it.
    fileprivate static func of(_ argument: UnsafeMutableRawPointer?) -> TLSServerContext? {
        unsafe argument.map { unsafe Unmanaged<TLSServerContext>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Ignored, and another one is given.
private let refusedTicket: SSL_TICKET_RETURN = SSL_TICKET_RETURN(SSL_TICKET_RETURN_IGNORE_RENEW)

private func answerServerName(
    _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe TLSServerContext.of(argument),
        unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) != nil
    else { return SSL_TLSEXT_ERR_NOACK }
    switch context.setup.serverName {
    case .accepted: return SSL_TLSEXT_ERR_OK
    case .refused:
        unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_TLSEXT_ERR_ALERT_FATAL
    case .warned:
        unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_TLSEXT_ERR_ALERT_WARNING
    }
}

private func selectApplicationProtocol(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe TLSServerContext.of(argument), let selected = unsafe selected else {
        return SSL_TLSEXT_ERR_NOACK
    }
    switch context.setup.applicationProtocols {
    case .ignored: return SSL_TLSEXT_ERR_NOACK
    case .refused: return SSL_TLSEXT_ERR_ALERT_FATAL
    case .forced:
        unsafe selected.pointee = unsafe UnsafePointer(context.forcedProtocol.baseAddress)
        unsafe selectedCount?.pointee = UInt8(clamping: context.forcedProtocol.count)
        return SSL_TLSEXT_ERR_OK
    case .select(let names):
        let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
        for name in names {
            var start = 0
            while start < list.count {
                let count = unsafe Int(list[start])
                guard start + 1 + count <= list.count else { break }
                let entry = unsafe UnsafeBufferPointer(rebasing: list[start + 1..<start + 1 + count])
                if unsafe entry.elementsEqual(name.utf8) {
                    unsafe selected.pointee = entry.baseAddress
                    unsafe selectedCount?.pointee = UInt8(clamping: count)
                    return SSL_TLSEXT_ERR_OK
                }
                start += 1 + count
            }
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}

private func staple(_ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let staple = unsafe TLSServerContext.of(argument)?.identity.staple, !staple.isEmpty,
        let copy = unsafe proctor_OPENSSL_malloc(staple.count)
    else { return SSL_TLSEXT_ERR_NOACK }
    unsafe staple.withUnsafeBytes {
        unsafe copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count)
    }
    unsafe proctor_SSL_set_tlsext_status_ocsp_resp(ssl, copy.assumingMemoryBound(to: UInt8.self), staple.count)
    return SSL_TLSEXT_ERR_OK
}
