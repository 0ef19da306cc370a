// Command proctor becomes the program proctor of its module: `go run proctor.test/proctor/cmd/proctor serve`, or, with Go 1.24 and
// `go get -tool proctor.test/proctor/cmd/proctor`, `go tool proctor serve`.
package main

import (
	"fmt"
	"os"
	"syscall"

	"proctor.test/proctor/program"
)

func main() {
	path, err := program.Path()
	if err == nil {
		err = syscall.Exec(path, append([]string{path}, os.Args[1:]...), os.Environ())
	}
	fmt.Fprintf(os.Stderr, "proctor: %v\n", err)
	os.Exit(2)
}
