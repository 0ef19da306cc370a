#if os(Linux)
    internal import Glibc

    /// The system's list of certificate authorities, replaced for this process only.
    ///
    /// URLSession on Linux reads only that list; no environment variable can name another file. So another file is
    /// mounted over the list in a mount namespace of this process, which ends with the process (mount_namespaces(7)).
    enum PrivateAuthorities {
        /// The path that libcurl reads on Debian and distributions based on it.
        private static let list = "/etc/ssl/certs/ca-certificates.crt"
        /// CLONE_NEWNS and CLONE_NEWUSER of linux/sched.h.
        private static let newMounts: CInt = 0x0002_0000
        private static let newUser: CInt = 0x1000_0000

        /// Mounts a PEM file over the list; returns false and changes nothing where the system forbids it.
        ///
        /// Call it while the process has one thread: with more threads, it cannot enter a user namespace (unshare(2)).
        /// Threads that start later inherit both namespaces.
        static func replace(by path: String) -> Bool {
            guard let unshare = unshare else { return false }
            // A process that has the right to mount needs no user namespace.
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
