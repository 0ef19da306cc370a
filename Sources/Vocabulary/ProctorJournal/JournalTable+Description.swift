import ProctorBase
import ProctorHTTP

// What the OpenAPI description of a scenario says of its messages.
extension JournalTable {
    static let described: JournalShape<DescriptionNote, JournalEvent> = JournalShape(
        named: "described",
        says: "what the scenario's OpenAPI description says of a request or of the reply to it; "
            + "only where there is a fault, or something that could not be judged",
        fields: JournalKey<DescriptionNote>.word("of", says: "what was judged", of: \.message),
        JournalKey<DescriptionNote>.text(
            "operation", says: "its method and path in the description", when: "where the description knows it",
            of: \.operation),
        JournalKey<DescriptionNote>.objects(
            "faults", descriptionFault, says: "in what it departs from the description", of: \.faults),
        JournalKey<DescriptionNote>.texts("open", says: "what could not be judged, with the reason", of: \.open)
    ) { .described(DescriptionNote($0, operation: $1, faults: $2, open: $3)) }

    private static let descriptionFault: JournalShape<DescriptionNote.Fault, DescriptionNote.Fault> = JournalShape(
        named: "faults", says: "one departure",
        fields: JournalKey<DescriptionNote.Fault>.text(
            "part", says: "the part of the message, as `query parameter page` or `body`", of: \.part),
        JournalKey<DescriptionNote.Fault>.text(
            "pointer", says: "the JSON pointer within the part; empty for all of it", of: \.pointer),
        JournalKey<DescriptionNote.Fault>.text(
            "schemaPointer", says: "the JSON pointer in the description", of: \.schemaPointer),
        JournalKey<DescriptionNote.Fault>.text("place", says: "file, line and column of that", of: \.place),
        JournalKey<DescriptionNote.Fault>.text(
            "sentence", says: "what was wanted and what came, for a person", of: \.sentence)
    ) { DescriptionNote.Fault(part: $0, pointer: $1, schemaPointer: $2, place: $3, sentence: $4) }
}
