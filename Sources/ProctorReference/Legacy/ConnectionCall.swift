/// A call of a ``ReferenceConnectionDelegate``.
package enum ConnectionCall: Sendable, Equatable {
    case common(LegacyCall)
    case needNewBodyStream
    case didSendBodyData(n: Int, total: Int, expected: Int)
    case didReceiveResponse(LoadResponse)
    case didReceiveData([UInt8])
    case willCache(LoadResponse, byteCount: Int)
    case didFinishLoading
    case didFail(LoadError)
}
