// build: GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS=-p=1 go build -o OUT IN
// Loads a URL with fasthttp: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
package main

import (
	"log"
	"os"
	"strings"

	"github.com/valyala/fasthttp"
)

func main() {
	request, reply := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	request.Header.SetMethod(os.Args[1])
	request.SetRequestURI(os.Args[2])
	follows := false
	for _, word := range os.Args[3:] {
		name, value, _ := strings.Cut(word, ": ")
		switch {
		case word == "+follow":
			follows = true
		case word[0] == '@':
			body, _ := os.ReadFile(word[1:])
			request.SetBody(body)
		default:
			request.Header.Add(name, value)
		}
	}
	client, failure := &fasthttp.Client{}, error(nil)
	if follows {
		failure = client.DoRedirects(request, reply, 10)
	} else {
		failure = client.Do(request, reply)
	}
	if failure != nil {
		log.Fatal(failure)
	}
	os.Stdout.Write(reply.Body())
}
