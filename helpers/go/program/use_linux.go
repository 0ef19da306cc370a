package program

import (
	"fmt"
	"os"
)

// use gives a path by which the file that was looked at is executed itself, whatever stands at its path by then. It holds for
// this process and those that it starts, as long as the file is open.
func use(file *os.File, path string) (string, *os.File, error) {
	opened := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd())
	here, hereError := file.Stat()
	there, thereError := os.Stat(opened)
	if hereError == nil && thereError == nil && os.SameFile(here, there) {
		return opened, file, nil
	}
	// Without /proc.
	return usePath(file, path)
}
