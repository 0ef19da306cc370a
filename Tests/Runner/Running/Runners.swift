/// Who runs the pages of a folder.
enum Runners {
    static let all: [String: any RowRunner] = [
        "commands": CommandRunner(),
        "conversations": ConversationRunner(),
        "imports": ImportRunner(),
        "readers": ReaderRunner(),
    ]
}
