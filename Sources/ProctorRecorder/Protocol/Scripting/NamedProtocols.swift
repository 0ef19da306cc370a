internal import Foundation
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The classes of an assignment's list: a loading system asks classes, and Swift makes none while it runs.
///
/// What each takes is found by the request (``ScriptedLoad``), so that tests in one process stay apart.
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
    /// What an object of the class does where its step has no script.
    var usualCalls: [Assignment.ProtocolCall] {
        [
            Assignment.ProtocolCall(.response(status: 200, mime: "text/plain", storage: nil)),
            Assignment.ProtocolCall(.data(name + "\n")), Assignment.ProtocolCall(.finish),
        ]
    }
}
