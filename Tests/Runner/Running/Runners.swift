/// Who runs the pages of a folder.
enum Runners {
    static let all: [String: any RowRunner] = [
        "conversations": ConversationRunner(),
        "diagnostics": DiagnosticsRunner(),
        "readers": ReaderRunner(),
    ]
}
