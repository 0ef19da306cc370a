// swift-format-ignore-file
// These are names of Apple, of which only the types are said.
// The members of Dispatch that the code uses.

public struct DispatchTime: Comparable, Sendable {
    public var uptimeNanoseconds: UInt64
    public static func now() -> DispatchTime { DispatchTime(uptimeNanoseconds: 0) }
    public static func < (one: Self, other: Self) -> Bool { one.uptimeNanoseconds < other.uptimeNanoseconds }
    public static func + (time: Self, interval: DispatchTimeInterval) -> Self { time }
    public static func + (time: Self, seconds: Double) -> Self { time }
}

public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

@frozen public enum DispatchTimeoutResult: Sendable {
    case success
    case timedOut
}

public final class DispatchSpecificKey<T>: Sendable {
    public init() {}
}

open class DispatchObject: @unchecked Sendable {
    init() {}
}

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) {}
    @discardableResult public func signal() -> Int { 0 }
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

public final class DispatchGroup: DispatchObject, @unchecked Sendable {
    public override init() {}
    public func enter() {}
    public func leave() {}
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
    public func notify(queue: DispatchQueue, execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    public static let main = DispatchQueue(label: "")
    public class func global() -> DispatchQueue { main }
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 2)
    }
    public convenience init(label: String, attributes: Attributes = []) { self.init() }
    public var label: String { "" }
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func async(group: DispatchGroup, execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func asyncAfter(
        deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
    ) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}
