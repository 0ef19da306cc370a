// Requests of Go by net/http: go run main.go PORT
package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	base := "http://127.0.0.1:" + os.Args[1]
	read := func(response *http.Response, err error) {
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	read(http.Get(base + "/old"))
	read(http.Get(base + "/zip"))
	read(http.Get(base + "/chunks"))
	read(http.Post(base+"/echo", "application/json", strings.NewReader(`{"a": 1}`)))
	read(http.Head(base + "/file"))
}
