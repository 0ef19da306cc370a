// Package program finds the program proctor: the one that is named, the one that came with this module, or the one in PATH.
package program

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// packed is the program in gzip, and name what no other program has, where the module of this system's program is built in.
var packed, name string

// Path is PROCTOR_BINARY; else the path of the program that is built in, which the first call on a machine unpacks into the
// user's folder of caches; else that of proctor in PATH.
func Path() (string, error) {
	named := os.Getenv("PROCTOR_BINARY")
	if named == "" && packed != "" {
		return unpack()
	}
	if named == "" {
		named = "proctor"
	}
	path, err := exec.LookPath(named)
	if err != nil {
		return "", fmt.Errorf("%w; set PROCTOR_BINARY to the path of proctor, or PROCTOR_SERVER to the URL of a running one", err)
	}
	return path, nil
}

func unpack() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = filepath.Join(os.TempDir(), fmt.Sprintf("proctor-of-%d", os.Getuid()))
	}
	parent := filepath.Join(cache, "proctor-program")
	folder := filepath.Join(parent, name)
	path := filepath.Join(folder, "proctor")
	// Whoever may write to one of the folders, or to the file, could put a program of their own there.
	for _, place := range []string{parent, folder} {
		if err = os.MkdirAll(place, 0o700); err != nil {
			return "", fmt.Errorf("the program proctor cannot be unpacked to %s: %w", folder, err)
		}
		if err = own(place, os.ModeDir); err != nil {
			return "", err
		}
	}
	if info, err := os.Lstat(path); err == nil {
		if err = own(path, 0); err != nil {
			return "", err
		}
		// Another length than that of the program, by the end of its gzip (RFC 1952 §2.3.1), is not a whole one.
		if uint32(info.Size()) == binary.LittleEndian.Uint32([]byte(packed[len(packed)-4:])) {
			return path, nil
		}
	}
	part, err := write(folder)
	if err == nil {
		// Of several processes that unpack at once each moves a whole program to the same place.
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
		return "", fmt.Errorf("the program proctor cannot be unpacked to %s: %w", folder, err)
	}
	return path, nil
}

// own refuses what is not a folder or regular file of this user's that no other user may write to; links are not followed.
func own(path string, kind os.FileMode) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("the program proctor cannot be unpacked: %w", err)
	}
	status, isUnix := info.Sys().(*syscall.Stat_t)
	if info.Mode().Type() != kind || info.Mode()&0o022 != 0 || isUnix && int(status.Uid) != os.Geteuid() {
		return fmt.Errorf("the program proctor is not taken from %s, which another user may have changed: expected it to belong to "+
			"user %d, without a link, and no other user to write to it; remove it, name another folder with XDG_CACHE_HOME, "+
			"or set PROCTOR_BINARY to the path of proctor", path, os.Geteuid())
	}
	return nil
}

// write unpacks the program to a new file of a folder.
func write(folder string) (string, error) {
	// A process that another goroutine starts meanwhile would inherit the open file, which then cannot be executed.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.CreateTemp(folder, "part-*")
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := gzip.NewReader(strings.NewReader(packed))
	if err == nil {
		_, err = io.Copy(file, content)
	}
	if err == nil {
		err = file.Chmod(0o700)
	}
	if err == nil {
		err = file.Close()
	}
	return file.Name(), err
}
