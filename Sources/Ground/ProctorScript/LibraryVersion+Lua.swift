internal import CLua
package import ProctorBase

extension LibraryVersion {
    package static var lua: LibraryVersion {
        LibraryVersion("Lua", "\(LUA_VERSION_MAJOR).\(LUA_VERSION_MINOR).\(LUA_VERSION_RELEASE)")
    }
}
