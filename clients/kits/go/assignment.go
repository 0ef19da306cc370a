package proctor

import (
	"encoding/base64"
	"fmt"
	"net"
	"slices"
	"strings"
	"unicode/utf8"
)

// BodyLimit is how many bytes of a body are told (in base64 they fit a line of 1 MiB), uploadLimit how many are sent.
const BodyLimit, uploadLimit = 640 << 10, 256 << 20

// Assignment has the keys of Docs/clients/assignment.md that a client without callbacks can be told.
type Assignment struct {
	Version, Deadline   int
	Scenario, Case, Run string
	// Storage is the folder of a client that is started again, and EarlierSteps how many steps it has done before.
	Storage      string
	EarlierSteps int
	// Protocol is "h2" where the client speaks HTTP/2 to every origin by itself.
	Protocol string
	Needs    []string
	Steps    []Step
	Session  struct {
		Cookies, Trust, Proxy, ProxyProtocol, OwnScheme     string
		Resolver                                            string
		ProxyUser, ProxyPassword, Pac                       *string
		RequestTimeout, ResourceTimeout, ConnectionsPerHost int
		Identity                                            *struct{ Certificate, Key string }
		Names                                               []Name
	}
}

type Step struct {
	Method, URL, BodyForm, OnResponse string
	Headers, Form, Query              [][2]string
	FieldNames, Protocols             []string
	Conversation                      []Act
	Page                              string
	Fetch                             *struct {
		Mode, Credentials, Redirect, ReferrerPolicy string
	}
	Body *struct {
		Text, Base64 string
		Count        *int
	}
	OnRedirect, OnChallenge []Answer
	ChallengeCount          *int
	Beforehand              *struct {
		Follow     bool
		Credential *struct{ User, Password, Token string }
	}
	CancelAt struct {
		Event string
		Count int
	}
	Timeout          int
	Together, Launch bool
	Download         any
}

// Act is what a client does over its WebSocket.
type Act struct {
	Act, Text, Base64, Reason string
	IsText                    bool
	Count, Code               int
}

type Answer struct {
	Answer, Method, URL string
	Headers             [][2]string
}

type Name struct {
	Name, Address string
	Addresses     []string
	Port          int
}

// check finds what the client lacks, or cannot be told before a step.
func (a Adapter) check(one *Assignment) error {
	has := func(word string) bool { return slices.Contains(a.Abilities, word) }
	for _, word := range one.Needs {
		if !has(word) {
			return Unimplemented{0, fmt.Sprintf("needs: %s has no %s", a.Client, word)}
		}
	}
	for task, step := range one.Steps {
		if key, reason := a.refusal(&step, has); key != "" {
			return Unimplemented{task, fmt.Sprintf("steps[%d].%s: %s %s", task, key, a.Client, reason)}
		}
	}
	return nil
}

func (a Adapter) refusal(step *Step, has func(string) bool) (key, reason string) {
	answers, moment := step.OnChallenge, step.CancelAt
	if step.ChallengeCount != nil {
		answers = answers[:min(len(answers), *step.ChallengeCount)]
	}
	isUsed := slices.ContainsFunc(answers, func(one Answer) bool { return one.Answer == "use" })
	switch {
	case isUsed && !has("basic") && !has("digest") && !has("bearer"):
		return "onChallenge", "answers no challenge"
	case step.Beforehand == nil && (isUsed || !has("redirect-per-answer")):
		return "beforehand", "is told no such answers before a load"
	case moment.Event != "" && !slices.Contains(a.Moments, moment.Event), moment.Event == "response" && moment.Count > 1:
		return "cancelAt", "can't be cancelled then"
	// A question in whose callback the load is cancelled is not answered.
	case !slices.Contains([]string{"", "allow", "cancel"}, step.OnResponse) && moment.Event != "response":
		return "onResponse", "can't say " + step.OnResponse
	case step.Download != nil:
		return "download", "decides nothing about a file"
	case a.Refuse != nil:
		return a.Refuse(step)
	}
	return "", ""
}

// ProxyScheme is that of the proxy's URL: https where TLS is spoken to it, socks5 where SOCKS 5 is.
func (a *Assignment) ProxyScheme() string {
	switch a.Session.ProxyProtocol {
	case "https":
		return "https"
	case "socks5", "socks5h":
		return "socks5"
	}
	return "http"
}

// IsStreamed says that the length of the body is not to be known.
func (s *Step) IsStreamed() bool {
	return strings.HasSuffix(s.BodyForm, "stream") || strings.HasSuffix(s.BodyForm, "pair")
}

// Content is the bytes of a body.
func (s *Step) Content() ([]byte, error) {
	data, err := []byte(s.Body.Text), error(nil)
	if s.Body.Base64 != "" {
		data, err = base64.StdEncoding.DecodeString(s.Body.Base64)
	}
	if count := s.Body.Count; count != nil && *count > uploadLimit {
		return nil, fmt.Errorf("a body has at most %d bytes, not %d", uploadLimit, *count)
	} else if count != nil && len(data) > 0 {
		data = slices.Repeat(data, *count/len(data)+1)[:*count]
	}
	return data, err
}

// AddBody adds the count of bytes, and the body itself where it is whole.
func AddBody(facts Facts, body []byte, count int) {
	facts["bytes"] = count
	if len(body) == count && utf8.Valid(body) && !slices.Contains(body, 0) {
		facts["body"] = string(body)
	} else if len(body) == count {
		facts["bodyBase64"] = base64.StdEncoding.EncodeToString(body)
	}
}

// Place is where a host and its port listen, for net.Dial; false for names that nobody is to look up.
func (one *Assignment) Place(host string, port int) (network, address string, isKnown bool) {
	plain := strings.TrimSuffix(strings.ToLower(host), ".")
	for _, entry := range one.Session.Names {
		if entry.Name == plain && entry.Port == port {
			if path, isPath := strings.CutPrefix(entry.Address, "unix:"); isPath {
				return "unix", path, true
			}
			return "tcp", entry.Address, true
		}
	}
	if plain == "localhost" {
		host = "127.0.0.1"
	}
	return "tcp", net.JoinHostPort(host, fmt.Sprint(port)), net.ParseIP(host) != nil
}
