import ProctorServer
import ProctorTestSupport

/// Plays a scenario, talks to it over sockets, and compares what comes and what the journal says.
///
/// Blocks are acts, done in their order; `Docs/inside/test-data.md` says what each may hold.
struct ConversationRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        if row.block("variants") != nil { return try await runVariants(row, &check) }
        let setting = try await ConversationSetting(row)
        let server = try await Server.start(setting.catalogue, configuration: setting.configuration)
        do {
            let run = try await setting.run(on: server)
            var conversation = Conversation(
                server: server, run: run, row: row, folder: setting.folder?.path)
            conversation.name(&check)
            check.names["folder"] = setting.folder?.path
            for block in row.blocks where !ConversationSetting.names.contains(block.name) {
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

extension ConversationRunner {
    /// Rows whose scenarios differ in one value have no other acts.
    private func runVariants(_ row: Row, _ check: inout Check) async throws {
        let folder = try await ConversationSetting.folder(row)
        for block in row.blocks where !ConversationSetting.names.contains(block.name) {
            guard block.name == "variants" else {
                throw RowError(block.line, "beside \"variants\" stand only scenario, limits, file and slow")
            }
            try await Variants(row: row).run(
                block, configuration: try ConversationSetting.configuration(row), folder: folder?.path, &check)
        }
    }
}
