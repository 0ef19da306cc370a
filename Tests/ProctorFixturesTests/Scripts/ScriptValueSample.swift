import ProctorScript

/// A table as a script returns it.
enum ScriptValueSample {
    static let table = ScriptValue.table([
        .init(Array("status".utf8), .whole(200)),
        .init(
            Array("headers".utf8),
            .table([.init(Array("A".utf8), .text("{{now}}")), .init(Array("B".utf8), .text([0xFF]))])),
        .init(
            Array("body".utf8),
            .list([.text("{{{ab"), .table([.init(Array("text".utf8), .text("{{c}"))])])),
    ])
}
