internal import ProctorBase

/// What a server of the Model Context Protocol tells of itself: its name, its tools, and the documents that it has.
package struct MCPServerDescription: Sendable {
    package let name: String
    package let title: String
    package let version: String
    /// How the tools are used together, for the model.
    package let instructions: String
    package let tools: [MCPTool]
    package let documents: [MCPDocument]
    /// Documents by a template of their URI (RFC 6570).
    package let templates: [MCPDocument]

    package init(
        name: String, title: String, version: String, instructions: String, tools: [MCPTool],
        documents: [MCPDocument], templates: [MCPDocument]
    ) {
        (self.name, self.title, self.version, self.instructions) = (name, title, version, instructions)
        (self.tools, self.documents, self.templates) = (tools, documents, templates)
    }

    func writeInfo(to json: inout JSONText) {
        json.member("name", name)
        json.member("title", title)
        json.member("version", version)
    }

    /// Neither list changes while the server runs, so no notification about them is promised.
    func writeCapabilities(to json: inout JSONText) {
        json.object("capabilities") { json in
            json.object("tools") { _ in }
            json.object("resources") { _ in }
        }
    }
}

/// A text that a client can read by its URI.
package struct MCPDocument: Sendable {
    /// A URI, or the template of some.
    package let uri: String
    package let name: String
    package let title: String
    package let summary: String
    /// The media type.
    package let type: String

    package init(uri: String, name: String, title: String, summary: String, type: String) {
        (self.uri, self.name, self.title, self.summary, self.type) = (uri, name, title, summary, type)
    }
}

/// Work that a client has asked for, to be answered once.
package struct MCPCall: Sendable {
    package let work: Work
    let id: MCPRequestID
    let era: Era
    /// Tells apart two requests of one id, the first of which was withdrawn.
    let number: Int

    package enum Work: Sendable {
        /// A tool of the server by its name, with arguments that were checked.
        case tool(String, MCPArguments)
        /// A document by its URI.
        case resource(String)
    }

    /// How versions are agreed on.
    enum Era: Sendable {
        /// Once, by `initialize`.
        case handshake
        /// Each request states its version, from 2026 on.
        case request
    }
}

/// What came of a call.
package enum MCPResult: Sendable {
    /// The result of a tool; an error is a sentence for the model, which can call again.
    case text(String, isError: Bool)
    /// The text of a document, and its media type.
    case document(String, type: String)
    /// No document has the URI; a sentence.
    case nothingThere(String)
}
