import ProctorServer

/// Plays a scenario, talks to it over sockets, and compares what comes and what the journal says.
///
/// Blocks are acts, done in their order; `Docs/inside/test-data.md` says what each may hold.
struct ConversationRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        let setting = try Setting(row)
        let server = try await Server.start(Catalogue(setting.scenarios), configuration: setting.configuration)
        do {
            let run = try await setting.run(on: server)
            var conversation = Conversation(server: server, run: run, row: row)
            conversation.name(&check)
            for block in row.blocks where !Setting.names.contains(block.name) {
                try await conversation.act(block, &check)
            }
            await conversation.end()
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
    }
}
