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
	"sync"
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

// unpacked is what the first call has found, with the file that a descriptor needs open.
var unpacked struct {
	sync.Once
	path string
	file *os.File
	err  error
}

func unpack() (string, error) {
	unpacked.Do(func() { unpacked.path, unpacked.file, unpacked.err = find() })
	return unpacked.path, unpacked.err
}

// find gives a path of the program that nobody else can lead elsewhere, and the file that has to stay open for it.
func find() (string, *os.File, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = filepath.Join(os.TempDir(), fmt.Sprintf("proctor-of-%d", os.Getuid()))
	}
	if err = os.MkdirAll(cache, 0o700); err == nil {
		cache, err = filepath.EvalSymlinks(cache)
	}
	parent := filepath.Join(cache, "proctor-program")
	folder := filepath.Join(parent, name)
	path := filepath.Join(folder, "proctor")
	if err != nil {
		return "", nil, fmt.Errorf("the program proctor cannot be unpacked to %s: %w", folder, err)
	}
	// Whoever may write to one of the folders could put a program of their own there.
	for _, place := range []string{parent, folder} {
		if err = os.MkdirAll(place, 0o700); err != nil {
			return "", nil, fmt.Errorf("the program proctor cannot be unpacked to %s: %w", folder, err)
		}
		info, err := os.Lstat(place)
		if err != nil {
			return "", nil, fmt.Errorf("the program proctor cannot be unpacked: %w", err)
		}
		if !isOwn(info, os.ModeDir) {
			return "", nil, refusal(place)
		}
	}
	for isFirst := true; ; isFirst = false {
		// A pipe at the path must not hold the call.
		if file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0); err == nil {
			// Another length than that of the program, by the end of its gzip (RFC 1952 §2.3.1), is not a whole one.
			info, err := file.Stat()
			switch {
			case err != nil || !isOwn(info, 0):
				file.Close()
				return "", nil, refusal(path)
			case uint32(info.Size()) == binary.LittleEndian.Uint32([]byte(packed[len(packed)-4:])):
				return use(file, path)
			}
			file.Close()
		} else if !os.IsNotExist(err) {
			return "", nil, refusal(path)
		}
		if !isFirst {
			return "", nil, refusal(path)
		}
		part, err := write(folder)
		if err == nil {
			// Of several processes that unpack at once each moves a whole program to the same place.
			err = os.Rename(part, path)
		}
		if err != nil {
			os.Remove(part)
			return "", nil, fmt.Errorf("the program proctor cannot be unpacked to %s: %w", folder, err)
		}
	}
}

// isOwn tells whether a file or folder is this user's, of that kind, and for no other user to write to.
func isOwn(info os.FileInfo, kind os.FileMode) bool {
	status, isUnix := info.Sys().(*syscall.Stat_t)
	return info.Mode().Type() == kind && info.Mode()&0o022 == 0 && (!isUnix || int(status.Uid) == os.Geteuid())
}

func refusal(path string) error {
	return fmt.Errorf("the program proctor is not taken from %s, which another user may have changed: expected it to belong to "+
		"user %d, without a link, and no other user to write to it; remove it, name another folder with XDG_CACHE_HOME, "+
		"or set PROCTOR_BINARY to the path of proctor", path, os.Geteuid())
}

// usePath gives the path itself where no other user can put anything else there: each folder above it, up to the root, is of
// this user or of the root's owner, and others may write to none but where they can't move what is not theirs.
func usePath(file *os.File, path string) (string, *os.File, error) {
	defer file.Close()
	root, err := os.Stat("/")
	if err != nil {
		return "", nil, err
	}
	for place := filepath.Dir(path); ; place = filepath.Dir(place) {
		info, err := os.Lstat(place)
		if err != nil {
			return "", nil, err
		}
		status, isUnix := info.Sys().(*syscall.Stat_t)
		above, _ := root.Sys().(*syscall.Stat_t)
		isForeign := isUnix && int(status.Uid) != os.Geteuid() && status.Uid != above.Uid
		if isForeign || info.Mode()&0o022 != 0 && info.Mode()&os.ModeSticky == 0 {
			return "", nil, refusal(place)
		}
		if place == filepath.Dir(place) {
			break
		}
	}
	// The folders stand still; what they have is looked at once more.
	if now, err := os.Lstat(path); err != nil || !isOwn(now, 0) {
		return "", nil, refusal(path)
	}
	return path, nil, nil
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
