package import ProctorBase
internal import ProctorFixtures
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

/// Scripts of Lua in scenarios: their keys, their check where a fixture is read, and their runs.
package enum Scripting {
    /// Hands them over, for every scenario that this process reads from then on.
    package static func register() {
        ScenarioReader.script.register(ScenarioReader.luaScript)
        ScenarioReader.libraries.register(ScenarioReader.luaLibraries)
        Stage.scriptSlot.register { LuaScripts($0) }
    }

    /// What it links.
    package static var libraries: [LibraryVersion] { [.lua] }
}
