internal import ProctorRecorder
internal import ProctorReference

extension Breakage {
    /// Faults of a URLProtocol that no callback rule is about; part of ``wire``.
    static let protocols: [Breakage] = [
        .protocolFault("sends-the-stream-once", "keep no copy of a streamed body", fault: .keepsNoBody),
        .protocolFault(
            "cleans-up-in-deinit", "let go of the connection when the object is released, and not when it is stopped",
            fault: .cleansUpInDeinit),
        .protocolFault("allows-to-store-everything", "let every response be stored", fault: .storesEverything),
        .driver("classes-asked-backwards", "ask the classes from the last to the first", fault: .asksBackwards),
    ]

    static func protocolFault(
        _ label: String, _ name: String, fault: ReferenceProtocol.Options.Fault
    ) -> Breakage {
        setting(label, name, as: .urlProtocol) { $0.protocolFault = fault }
    }
}
