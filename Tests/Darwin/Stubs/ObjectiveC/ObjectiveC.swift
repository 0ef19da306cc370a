// swift-format-ignore-file
// These are names of Apple, of which only the types are said.
// Apple's overlay of ObjectiveC.
@_exported import ObjectiveC

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral {
    var value: Bool
    public init(_ value: Bool) { self.value = value }
    public init(booleanLiteral value: Bool) { self.value = value }
    public var boolValue: Bool { value }
}

@frozen public struct Selector: ExpressibleByStringLiteral, Equatable, Hashable {
    var pointer: OpaquePointer
    public init(_ text: String) { self.init(stringLiteral: text) }
    public init(stringLiteral value: String) { pointer = OpaquePointer(bitPattern: 1)! }
}

public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }

extension NSObject: Equatable, Hashable {
    public static func == (one: NSObject, other: NSObject) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) {}
}
