package proctor;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Finds the program proctor: the one that is named, the one in an artifact of this system's, or the one in PATH. */
final class Program {
    private Program() {}

    /** The value of PROCTOR_BINARY; else the path of the program in the class path, which the first call on a machine unpacks; else "proctor". */
    static String path() throws IOException {
        var named = System.getenv().getOrDefault("PROCTOR_BINARY", "");
        if (!named.isEmpty()) return named;
        var place = "program/" + system();
        // The name is one that no other program has.
        try (var name = Program.class.getResourceAsStream(place + "/name"); var packed = Program.class.getResourceAsStream(place + "/proctor.gz")) {
            return name == null || packed == null
                ? "proctor" : unpack(packed, new String(name.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    /** The classifier of the artifact with the program of this system, as os-maven-plugin calls it. */
    private static String system() {
        var architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-"
            + switch (architecture) {
                case "amd64" -> "x86_64";
                case "aarch64" -> "aarch_64";
                default -> architecture;
            };
    }

    private static String unpack(InputStream packed, String name) throws IOException {
        var content = packed.readAllBytes();
        // Its last four bytes are the length of what is packed (RFC 1952 §2.3.1).
        var length = Integer.toUnsignedLong(ByteBuffer.wrap(content, content.length - 4, 4).order(ByteOrder.LITTLE_ENDIAN).getInt());
        // A new file belongs to this user, whose name and number Java does not tell.
        var sample = Files.createTempFile("proctor", "");
        UserPrincipal user;
        try {
            user = Files.getOwner(sample);
        } finally {
            Files.delete(sample);
        }
        var caches = caches(user);
        Files.createDirectories(caches);
        caches = caches.toRealPath();
        // Java executes by the path alone, so it has to lead to the same file a moment later.
        if (foreign(caches, user) != null) return unpackAnew(content, user);
        var parent = caches.resolve("proctor-program");
        var folder = parent.resolve(name);
        var path = folder.resolve("proctor");
        for (var place : List.of(parent, folder)) {
            if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) createOwn(place);
            checkOwn(place, user, true);
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            checkOwn(path, user, false);
            // Another length is not a whole program.
            if (Files.size(path) == length && Files.isExecutable(path)) return path.toString();
        }
        var part = Files.createTempFile(folder, "part", "");
        try {
            write(content, part);
            // Of several processes that unpack at once each moves a whole program to the same place.
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        return path.toString();
    }

    /** Unpacks to a new folder of the temporary ones, where the folder of caches is not safe; it goes with the process. */
    private static String unpackAnew(byte[] content, UserPrincipal user) throws IOException {
        var parent = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        var foreign = foreign(parent, user);
        if (foreign != null) throw refusal(foreign, user);
        var folder = Files.createTempDirectory(parent, "proctor-program-");
        folder.toFile().deleteOnExit();
        var path = folder.resolve("proctor");
        path.toFile().deleteOnExit();
        write(content, path);
        return path.toString();
    }

    private static void write(byte[] content, Path path) throws IOException {
        Files.copy(new GZIPInputStream(new ByteArrayInputStream(content)), path, StandardCopyOption.REPLACE_EXISTING);
        if (!path.toFile().setExecutable(true)) throw new IOException(path + " can't be made executable");
    }

    /**
     * The first folder on the way from one to the root in which another user could put something else in the place of what is ours; null
     * where there is none. Each is of this user or of the root's owner, and others may write to none but where they can't move what is
     * not theirs, as in /tmp.
     */
    private static Path foreign(Path folder, UserPrincipal user) throws IOException {
        var above = Files.getOwner(folder.getRoot());
        for (var place = folder; place != null; place = place.getParent()) {
            var owner = Files.getOwner(place, LinkOption.NOFOLLOW_LINKS);
            var mode = (int) Files.getAttribute(place, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            var isOpen = (mode & 0022) != 0 && (mode & 01000) == 0;
            if (isOpen || !owner.equals(user) && !owner.equals(above)) return place;
        }
        return null;
    }

    private static Path caches(UserPrincipal user) {
        var caches = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        if (caches.startsWith("/")) return Path.of(caches);
        var home = System.getProperty("user.home", "");
        // "?" for a user without a home.
        if (home.startsWith("/") && Files.isDirectory(Path.of(home))) return Path.of(home, ".cache");
        return Path.of(System.getProperty("java.io.tmpdir"), "proctor-of-" + user.getName());
    }

    /** Makes a folder for this user alone; another process may have made it meanwhile. */
    private static void createOwn(Path folder) throws IOException {
        try {
            Files.createDirectories(folder.getParent());
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException made) {
            // It is looked at as any other.
        }
    }

    /** Refuses what is not a folder or regular file of this user's that no other user may write to; links are not followed. */
    private static void checkOwn(Path path, UserPrincipal user, boolean isFolder) throws IOException {
        var status = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        var isOpen = status.permissions().contains(PosixFilePermission.GROUP_WRITE)
            || status.permissions().contains(PosixFilePermission.OTHERS_WRITE);
        if (isOpen || !status.owner().equals(user) || !(isFolder ? status.isDirectory() : status.isRegularFile())) {
            throw refusal(path, user);
        }
    }

    private static IOException refusal(Path path, UserPrincipal user) {
        return new IOException("the program proctor is not taken from " + path + ", which another user may have changed: expected it to belong to "
            + user.getName() + ", without a link, and no other user to write to it; remove it, name another folder with XDG_CACHE_HOME, "
            + "or set PROCTOR_BINARY to the path of proctor");
    }
}
