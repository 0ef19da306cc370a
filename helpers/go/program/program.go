// Package program finds the program proctor: the one that is named, the one that came with this module, or the one in PATH.
package program

import (
	"compress/gzip"
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
	folder := filepath.Join(cache, "proctor-program", name)
	path := filepath.Join(folder, "proctor")
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path, nil
	}
	if err = os.MkdirAll(folder, 0o700); err != nil {
		return "", err
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
