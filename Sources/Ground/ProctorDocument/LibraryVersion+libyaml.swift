internal import CYAML
package import ProctorBase

extension LibraryVersion {
    package static var libyaml: LibraryVersion { unsafe LibraryVersion("libyaml", yaml_get_version_string()) }
}
