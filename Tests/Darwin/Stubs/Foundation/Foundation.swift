// swift-format-ignore-file
// These are names of Apple, of which only the types are said.
// Apple's overlay of Foundation: bridges, and values that FoundationEssentials has not. Bodies only need to compile.
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationEssentials
@_exported import ObjectiveC

public typealias Data = FoundationEssentials.Data
public typealias Date = FoundationEssentials.Date
public typealias URL = FoundationEssentials.URL

/// A bridge whose functions are never called.
public protocol Bridge: _ObjectiveCBridgeable {}
extension Bridge {
    public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}

extension String: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSString }
extension Array: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSArray }
extension Dictionary: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSDictionary }
extension Set: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSSet }
extension Bool: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSNumber }
extension Int: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSNumber }
extension Double: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSNumber }
extension FoundationEssentials.Data: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSData }
extension FoundationEssentials.Date: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSDate }
extension FoundationEssentials.URL: @retroactive _ObjectiveCBridgeable, Bridge { public typealias _ObjectiveCType = NSURL }
extension URLRequest: Bridge { public typealias _ObjectiveCType = NSURLRequest }
extension NSError: Error {}

public struct URLRequest: Hashable, Sendable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public typealias NetworkServiceType = NSURLRequest.NetworkServiceType
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {}
    public var url: URL?
    public var cachePolicy: CachePolicy = .useProtocolCachePolicy
    public var timeoutInterval: TimeInterval = 60
    public var mainDocumentURL: URL?
    public var networkServiceType = NetworkServiceType(rawValue: 0)!
    public var allowsCellularAccess = true
    public var httpMethod: String?
    public var allHTTPHeaderFields: [String: String]?
    public var httpBody: Data?
    public var httpBodyStream: InputStream? {
        get { nil }
        set {}
    }
    public var httpShouldHandleCookies = true
    public var httpShouldUsePipelining = false
    public func value(forHTTPHeaderField field: String) -> String? { nil }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}

public struct URLError: Error, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let cancelled = Code(rawValue: -999)
        public static let badURL = Code(rawValue: -1000)
        public static let timedOut = Code(rawValue: -1001)
        public static let unsupportedURL = Code(rawValue: -1002)
        public static let badServerResponse = Code(rawValue: -1011)
        public static let fileDoesNotExist = Code(rawValue: -1100)
        public static let httpTooManyRedirects = Code(rawValue: -1007)
        public static let unknown = Code(rawValue: -1)
    }
    public let code: Code
    public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
    public var errorCode: Int { code.rawValue }
    public var failingURL: URL? { nil }
}

open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardError: FileHandle { fatalError() }
    open class var standardOutput: FileHandle { fatalError() }
    public convenience init?(forReadingAtPath path: String) { nil }
    public convenience init(forReadingFrom url: URL) throws { fatalError() }
    public convenience init(forWritingTo url: URL) throws { fatalError() }
    public func truncate(atOffset offset: UInt64) throws {}
    open func write(_ data: Data) {}
    public func seekToEnd() throws -> UInt64 { 0 }
    public func seek(toOffset offset: UInt64) throws {}
    public func read(upToCount count: Int) throws -> Data? { nil }
    public func readToEnd() throws -> Data? { nil }
    public func close() throws {}
}

extension OperationQueue {
    /// `assign` in Objective-C, so that nothing keeps the queue.
    @unsafe public var underlyingQueue: DispatchQueue? {
        get { nil }
        set {}
    }
}
extension URLSession {
    public func data(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) {
        fatalError()
    }
    public func data(from url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) { fatalError() }
    public func upload(
        for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    public func download(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (URL, URLResponse) {
        fatalError()
    }
    public func bytes(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (AsyncBytes, URLResponse) {
        fatalError()
    }
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public var task: URLSessionDataTask { fatalError() }
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { nil }
        }
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}
extension URLSessionWebSocketTask {
    public enum Message: Sendable { case data(Data), string(String) }
    public func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    public func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
}
extension NSNumber {
    public convenience init(value: Int) { self.init() }
}

extension Error {
    public var localizedDescription: String { "" }
}

extension StringProtocol where Index == String.Index {
    public func range<T: StringProtocol>(
        of string: T, options mask: String.CompareOptions = [], range: Range<Index>? = nil, locale: Never? = nil
    ) -> Range<Index>? { nil }
}

// What the compiler calls where an error passes to Objective-C and back.
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }

public struct CharacterSet: Sendable {
    public static var urlFragmentAllowed: CharacterSet { CharacterSet() }
}

extension StringProtocol {
    public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? { nil }
}

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let isDirectoryKey = URLResourceKey(rawValue: "")
}

public struct URLResourceValues {
    public var isDirectory: Bool? { nil }
}

extension FoundationEssentials.URL {
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { URLResourceValues() }
}

/// Without its options, which nothing uses.
public enum JSONSerialization {
    public static func jsonObject(with data: Data) throws -> Any { fatalError() }
}
