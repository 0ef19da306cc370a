import ProctorBase
import ProctorHTTP

// What the OpenAPI description of a scenario says of its messages.
extension JournalTable {
    static let described: Event<DescriptionNote> = Event("described") {
        Key("of", .word, \.message)
        Key("operation", .text, ifAny: \.operation)
        Key("faults", .list(.object(descriptionFault)), \.faults)
        Key("open", .list(.text), \.open)
    } make: {
        .described(DescriptionNote($0, operation: $1, faults: $2, open: $3))
    }

    private static let descriptionFault: Object<DescriptionNote.Fault> = Object {
        Key("part", .text, \.part)
        Key("pointer", .text, \.pointer)
        Key("schemaPointer", .text, \.schemaPointer)
        Key("place", .text, \.place)
        Key("sentence", .text, \.sentence)
    } make: {
        DescriptionNote.Fault(part: $0, pointer: $1, schemaPointer: $2, place: $3, sentence: $4)
    }
}
