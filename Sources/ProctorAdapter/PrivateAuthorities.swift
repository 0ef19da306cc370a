#if os(Linux)
    internal import Glibc

    /// The system's list of authorities, as only this process sees it.
    ///
    /// URLSession on Linux uses only that list to judge servers; no environment variable names another one. So another
    /// file is mounted over it in a mount namespace of this process, which ends with it (mount_namespaces(7)).
    enum PrivateAuthorities {
        /// Where libcurl of Debian and its relatives looks.
        private static let list = "/etc/ssl/certs/ca-certificates.crt"
        /// CLONE_NEWNS and CLONE_NEWUSER of linux/sched.h.
        private static let newMounts: CInt = 0x0002_0000
        private static let newUser: CInt = 0x1000_0000

        /// Mounts a PEM file over the list; false, with nothing changed, where the system forbids it.
        ///
        /// Call it while there is one thread: a process with more cannot enter a user namespace (unshare(2)), and later
        /// threads inherit both.
        static func replace(by path: String) -> Bool {
            guard let unshare = unshare else { return false }
            // A process that may mount needs no user namespace.
            guard unshare(newMounts) == 0 || unshare(newMounts | newUser) == 0 else { return false }
            guard unsafe mount(nil, "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else { return false }
            return unsafe mount(path, list, nil, UInt(MS_BIND), nil) == 0
        }

        /// unshare(2), which the headers declare only with _GNU_SOURCE.
        private static var unshare: (@convention(c) (CInt) -> CInt)? {
            unsafe dlsym(nil, "unshare").map { unsafe unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self) }
        }
    }
#endif
