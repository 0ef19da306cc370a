package proctor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"proctor.test/proctor/program"
)

// answerLimit is how many bytes of an answer are read, and startLimit how long a server may take to be ready.
const answerLimit, startLimit = 256 << 20, 30 * time.Second

// guardian ends the server when its own input ends. The system closes that with this process, however the process ends.
const guardian = `trap "" INT HUP; "$@" </dev/null 2>&1 & server=$!; exec >&- 2>&-; read -r line; kill "$server"`

type server struct {
	base, token string
	client      *http.Client
	// input is referred to for as long as the server lives, since the collector closes what nobody refers to.
	input io.Closer
}

var only struct {
	sync.Once
	server
	err error
	// started says that a server of our own is running.
	started bool
}

// shared is the one server of this process, started at the first call.
func shared() (*server, error) {
	only.Do(func() {
		only.client = &http.Client{Transport: &http.Transport{}, Timeout: 60 * time.Second}
		if only.base = strings.TrimRight(os.Getenv("PROCTOR_SERVER"), "/"); only.base == "" {
			only.err = only.start()
			only.started = only.err == nil
			return
		}
		only.token = os.Getenv("PROCTOR_TOKEN")
		if _, err := only.call("GET", "runs", nil); err != nil {
			only.err = fmt.Errorf("PROCTOR_SERVER, called with PROCTOR_TOKEN, is %s: %w", only.base, err)
		}
	})
	return &only.server, only.err
}

func (s *server) start() error {
	path, err := program.Path()
	if err != nil {
		return err
	}
	command := exec.Command("/bin/sh", "-c", guardian, "sh", path, "serve", "--port", "0", "--own-token",
		"--ephemeral-ca", "--grace", "0")
	input, inputError := command.StdinPipe()
	output, outputError := command.StdoutPipe()
	if inputError != nil || outputError != nil {
		return fmt.Errorf("no pipe to %s: %v, %v", path, inputError, outputError)
	}
	if err = command.Start(); err != nil {
		return err
	}
	s.input = input
	late := time.AfterFunc(startLimit, func() { input.Close() })
	said, lines := "", bufio.NewScanner(output)
	for len(said) < 1<<16 && lines.Scan() {
		var ready struct{ Proctor, Base, Token string }
		if json.Unmarshal(lines.Bytes(), &ready) == nil && ready.Proctor == "ready" {
			late.Stop()
			// Other users of the machine reach the port too, and the token keeps them out of what the tests send.
			s.base, s.token = ready.Base, ready.Token
			// The server never waits for its reader.
			go io.Copy(io.Discard, output)
			return nil
		}
		said += lines.Text() + "\n"
	}
	input.Close()
	return fmt.Errorf("%s serve ended, or was not ready within %v: %s", path, startLimit, strings.TrimSpace(said))
}

// call makes one call of the control API; the error of one that was refused is the server's sentence.
func (s *server) call(method, path string, body []byte) ([]byte, error) {
	request, err := http.NewRequest(method, s.base+"/__proctor/"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	if err != nil || response.StatusCode < 300 {
		return answer, err
	}
	var refusal struct{ Error struct{ Message string } }
	if json.Unmarshal(answer, &refusal) != nil || refusal.Error.Message == "" {
		return nil, fmt.Errorf("%s %s was answered %s, and not as a proctor answers", method, request.URL, response.Status)
	}
	return nil, errors.New(refusal.Error.Message)
}
