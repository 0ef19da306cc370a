internal import CUV
package import ProctorBase

extension LibraryVersion {
    package static var libuv: LibraryVersion { unsafe LibraryVersion("libuv", uv_version_string()) }
}
