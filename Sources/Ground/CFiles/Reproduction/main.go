var client = newClient()

func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = func(ctx context.Context, network, target string) (net.Conn, error) {
		// Names that no name server knows lead to their places.
		if place, ok := places[strings.ToLower(strings.Replace(target, ".:", ":", 1))]; ok {
			target = place
		}
		return new(net.Dialer).DialContext(ctx, network, target)
	}
	transport.Proxy = nil
	if proxy != "" {
		transport.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: proxy})
	}
	transport.TLSClientConfig = &tls.Config{}
	if trust != "" {
		text, err := os.ReadFile(trust)
		if err != nil {
			panic(err)
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(text)
	}
	// http2
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP2(true)
	transport.Protocols.SetUnencryptedHTTP2(true)
	// end
	made := &http.Client{Transport: transport}
	if cookies {
		made.Jar, _ = cookiejar.New(nil)
	}
	return made
}

type options struct {
	headers       [][2]string
	data          string
	form, query   [][2]string
	streamed      bool
	refuse        bool
	timeout       time.Duration
}

func values(pairs [][2]string) url.Values {
	all := url.Values{}
	for _, pair := range pairs {
		all.Add(pair[0], pair[1])
	}
	return all
}

func load(method, address string, with options) {
	told, count := "", int64(0)
	err := func() error {
		var body io.Reader
		if with.form != nil {
			body = strings.NewReader(values(with.form).Encode())
		} else if with.data != "" {
			body = strings.NewReader(with.data)
			if with.streamed {
				body = struct{ io.Reader }{body}
			}
		}
		request, err := http.NewRequest(method, address, body)
		if err != nil {
			return err
		}
		if with.form != nil {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		} else if with.streamed {
			request.GetBody = func() (io.ReadCloser, error) {
				return io.NopCloser(struct{ io.Reader }{strings.NewReader(with.data)}), nil
			}
		}
		if with.query != nil {
			query := request.URL.Query()
			for name, list := range values(with.query) {
				query[name] = append(query[name], list...)
			}
			request.URL.RawQuery = query.Encode()
		}
		for _, header := range with.headers {
			if strings.EqualFold(header[0], "Host") {
				request.Host = header[1]
			} else {
				request.Header.Add(header[0], header[1])
			}
		}
		client.CheckRedirect = nil
		if with.refuse {
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		}
		client.Timeout = with.timeout
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		told = fmt.Sprintf("%d %s, ", response.StatusCode, response.Request.URL)
		count, err = io.Copy(io.Discard, response.Body)
		return err
	}()
	if err == nil {
		fmt.Printf("%s%d bytes\n", told, count)
	} else if told != "" {
		fmt.Printf("%serror after %d bytes: %v\n", told, count, err)
	} else {
		fmt.Printf("error: %v\n", err)
	}
}

