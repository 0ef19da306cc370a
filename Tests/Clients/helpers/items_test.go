package client

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"proctor.test/proctor"
)

func TestGoroutinesShareTheStubs(t *testing.T) {
	items := proctor.New(t).On("GET /items").Reply(200, proctor.JSON([]int{})).Times(5)
	var all sync.WaitGroup
	urls := make([]string, 5)
	for at := range urls {
		all.Add(1)
		go func(at int) {
			defer all.Done()
			urls[at] = items.URL("/items")
			reply, err := http.Get(urls[at])
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(io.Discard, reply.Body)
			reply.Body.Close()
		}(at)
	}
	all.Wait()
	for _, url := range urls {
		if url != urls[0] {
			t.Errorf("%s and %s", url, urls[0])
		}
	}
}

func TestWhatJSONHasNoFormFor(t *testing.T) {
	defer func() {
		told := fmt.Sprint(recover())
		if !strings.Contains(told, "items_test.go:") || !strings.Contains(told, "JSON(…) has no form in JSON: json: unsupported type: chan int") {
			t.Error(told)
		}
	}()
	(&proctor.Stub{}).Reply(200, proctor.JSON(map[string]any{"a": make(chan int)}))
}
