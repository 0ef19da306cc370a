public import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Callbacks of WebSocket and stream tasks; on Linux the latter are declared and never called.
extension SessionRecorder {
    /// `wsOpen`, with the sub-protocol (R57).
    public func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        let call = desk.enter(
            .wsOpen, `protocol`, of: webSocketTask, in: session,
            method: "urlSession(_:webSocketTask:didOpenWithProtocol:)")
        defer { call.returns() }
        user?.opened(session, webSocketTask, `protocol`)
    }

    /// `wsClose`, with the close code (RFC 6455 §7.4).
    public func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        let call = desk.enter(
            .wsClose, String(closeCode.rawValue), of: webSocketTask, in: session,
            method: "urlSession(_:webSocketTask:didCloseWith:reason:)")
        defer { call.returns() }
        user?.closed(session, webSocketTask, closeCode, reason)
    }

    /// `streamReadClosed`.
    public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
        let call = desk.enter(.streamReadClosed, of: streamTask, in: session, method: "urlSession(_:readClosedFor:)")
        defer { call.returns() }
        user?.readClosed(session, streamTask)
    }

    /// `streamWriteClosed`.
    public func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) {
        let call = desk.enter(
            .streamWriteClosed, of: streamTask, in: session, method: "urlSession(_:writeClosedFor:)")
        defer { call.returns() }
        user?.writeClosed(session, streamTask)
    }

    /// `betterRoute`.
    public func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask) {
        let call = desk.enter(
            .betterRoute, of: streamTask, in: session, method: "urlSession(_:betterRouteDiscoveredFor:)")
        defer { call.returns() }
        user?.foundBetterRoute(session, streamTask)
    }

    /// `streamsCaptured`, the last of its lane (R58).
    public func urlSession(
        _ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream,
        outputStream: OutputStream
    ) {
        let call = desk.enter(
            .streamsCaptured, of: streamTask, in: session, method: "urlSession(_:streamTask:didBecome:outputStream:)")
        defer { call.returns() }
        user?.captured(session, streamTask, inputStream, outputStream)
    }
}
