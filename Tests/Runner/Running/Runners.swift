/// Who runs the pages of a folder.
enum Runners {
    static let all: [String: any RowRunner] = [
        "commands": CommandRunner(),
        "conversations": ConversationRunner(),
        "diagnostics": DiagnosticsRunner(),
        "handshakes": HandshakeRunner(),
        "imports": ImportRunner(),
        "readers": ReaderRunner(),
        "verdicts": VerdictRunner(),
    ]
}
