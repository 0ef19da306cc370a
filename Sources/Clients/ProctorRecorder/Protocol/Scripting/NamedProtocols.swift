internal import Foundation
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The Swift classes for the classes in an assignment's list, since Swift makes no classes at run time.
///
/// Which requests each class loads depends on the request's ``ScriptedLoad``, so that tests in one process do not
/// affect each other.
enum NamedProtocols {
    static let all: [URLProtocol.Type] = [
        FirstProtocol.self, SecondProtocol.self, ThirdProtocol.self, FourthProtocol.self,
    ]

    /// The classes for a list's entries with that place, in the order of the list.
    static func classes(of list: [ProtocolClass], in place: ProtocolClass.Place) -> [URLProtocol.Type] {
        zip(list, all).filter { $0.0.place == place }.map(\.1)
    }

    private final class FirstProtocol: ScriptedProtocol {
        override class var place: Int? { 0 }
    }

    private final class SecondProtocol: ScriptedProtocol {
        override class var place: Int? { 1 }
    }

    private final class ThirdProtocol: ScriptedProtocol {
        override class var place: Int? { 2 }
    }

    private final class FourthProtocol: ScriptedProtocol {
        override class var place: Int? { 3 }
    }
}

extension ProtocolClass {
    /// The calls of an object of the class when its step has no script.
    var usualCalls: [Assignment.ProtocolCall] {
        [
            Assignment.ProtocolCall(.response(status: 200, mime: "text/plain", storage: nil)),
            Assignment.ProtocolCall(.data(name + "\n")), Assignment.ProtocolCall(.finish),
        ]
    }
}
