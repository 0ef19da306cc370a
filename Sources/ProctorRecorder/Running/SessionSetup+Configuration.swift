internal import Foundation
internal import ProctorBase
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension SessionSetup {
    /// A configuration that keeps nothing and takes nothing from outside.
    func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = proxyDictionary
        configuration.httpCookieAcceptPolicy =
            switch cookies {
            case .never: .never
            case .mainDocument: .onlyFromMainDocumentDomain
            case .always: .always
            }
        configuration.urlCache = cache.map { Self.memoryCache($0) }
        if let requestTimeout { configuration.timeoutIntervalForRequest = StepRequest.seconds(requestTimeout) }
        if let resourceTimeout { configuration.timeoutIntervalForResource = StepRequest.seconds(resourceTimeout) }
        return configuration
    }

    /// The proxy of the program for http and https; where it has none, the one that leads to its names.
    private var proxyDictionary: [AnyHashable: Any] {
        let isOfNames = proxy == nil && names != nil
        guard let proxy = proxy ?? (isOfNames ? namesProxy : nil), let (host, port) = Self.authority(proxy) else {
            return [:]
        }
        var dictionary: [AnyHashable: Any] = [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
        if isOfNames { dictionary["ExceptionsList"] = ["127.0.0.1", "127.*", "::1"] }
        return dictionary
    }

    private static func memoryCache(_ byteCount: Int) -> URLCache {
        #if canImport(Darwin)
            URLCache(memoryCapacity: max(0, byteCount), diskCapacity: 0, directory: nil)
        #else
            URLCache(memoryCapacity: max(0, byteCount), diskCapacity: 0, diskPath: nil)
        #endif
    }

    /// The queue of the delegate; nil lets the session make one.
    func delegateQueue() -> OperationQueue? {
        switch queue {
        case .main: .main
        case .concurrent: QueueLabel.concurrentQueue("concurrent")
        case .default: nil
        case .serial: QueueLabel.serialQueue("D")
        }
    }

    /// Host and port of an origin or an authority; nil without a port.
    private static func authority(_ text: String) -> (host: String, port: Int)? {
        let url = URL(string: text.contains("://") ? text : "http://\(text)")
        guard let host = url?.host, let port = url?.port else { return nil }
        return (host, port)
    }
}
