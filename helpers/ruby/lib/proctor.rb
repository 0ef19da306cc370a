# frozen_string_literal: true

require "json"
require "net/http"
require "tempfile"
require "proctor/stub"

# Tests of HTTP clients, judged by a Proctor server: PROCTOR_SERVER with PROCTOR_TOKEN, or one that is started once a process.
module Proctor
  # The server can't be had, or refuses a call.
  class Error < StandardError; end

  # A verdict that fails the test, with the timeline.
  class Failure < StandardError; end

  # The control API of the one server of this process.
  module Server
    # The shell ends the server when this process is gone, however it ended, since the pipe to its input is closed then.
    GUARD = '"$@" & exec >&-; read -r _; kill $! 2>&-; wait'
    READY_SECONDS = 30
    LOCK = Mutex.new

    module_function

    def base
      LOCK.synchronize { @base ||= ENV.fetch("PROCTOR_SERVER", "").chomp("/").then { |named| named.empty? ? start : named } }
    end

    # The program: PROCTOR_BINARY, that of the gem or of the archive of a release in which this file is, or the one in PATH.
    def program
      named = ENV.fetch("PROCTOR_BINARY", "")
      wanted = named.empty? ? "proctor" : named
      paths = wanted.include?("/") ? [wanted] : ENV.fetch("PATH", "").split(":").map { |folder| File.join(folder, wanted) }
      paths.unshift(*%w[../program/proctor ../../../proctor].map { |path| File.expand_path(path, __dir__) }) if named.empty?
      found = paths.find { |path| File.file?(path) && File.executable?(path) }
      return found if found

      what = named.empty? ? "'proctor' is not in PATH" : "PROCTOR_BINARY names '#{named}', which is no program"
      raise Error, "#{what}; set PROCTOR_BINARY to its path, or PROCTOR_SERVER to the URL of a running server"
    end

    def start
      path = program
      command = ["/bin/sh", "-c", GUARD, "sh", path, "serve", "--port", "0", "--own-token", "--ephemeral-ca",
                 "--grace", "0"]
      # A process group of its own: ^C is for the tests, which then end the server.
      said = Tempfile.new("proctor-stderr")
      @pipe = IO.popen([*command, { pgroup: true, err: said.path }], "r+")
      line = @pipe.wait_readable(READY_SECONDS) ? @pipe.gets.to_s : ""
      if line.start_with?("{")
        # Other users of the machine reach the port too, and the token keeps them out of what the tests send.
        ready = JSON.parse(line)
        @token = ready["token"]
        return ready["base"]
      end

      @pipe.close
      words = File.read(said.path).strip[0, 2000]
      raise Error, "'#{path} serve' has not started in #{READY_SECONDS} s, or has ended; it said:\n#{words.empty? ? 'nothing' : words}"
    end

    # Calls /__proctor/PATH; what is not text is sent as JSON.
    def call(method, path, body = nil)
      uri = URI("#{base}/__proctor/#{path}")
      request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri)
      token = @token || ENV.fetch("PROCTOR_TOKEN", "")
      request["Authorization"] = "Bearer #{token}" unless token.empty?
      request.body = body.is_a?(String) ? body : JSON.generate(body) unless body.nil?
      # No proxy: whatever the environment names is for the client under test.
      reply = Net::HTTP.start(uri.host, uri.port, nil, use_ssl: uri.scheme == "https", read_timeout: 60) { |http| http.request(request) }
      return reply.body.to_s if reply.code.to_i < 300

      told = JSON.parse(reply.body)["error"] rescue nil
      raise Error, told ? told["message"] : "no Proctor server answers #{reply.code} to #{uri}"
    rescue SystemCallError, SocketError, Timeout::Error, EOFError => e
      raise Error, "the Proctor server at #{uri} does not answer: #{e.message}"
    end

    def ask(method, path, body = nil) = JSON.parse(call(method, path, body))

    # The path of a PEM file with the authority to trust, which is there until the process ends.
    def trust
      pem = @trust ? "" : call("GET", "ca.pem")
      LOCK.synchronize { @trust ||= Tempfile.new(["proctor-ca", ".pem"]).tap { |file| file.write(pem) && file.close } }.path
    end
  end

  # One run of a scenario: ports, turns and journal of its own.
  class Run
    attr_reader :id, :scenario, :base, :origins, :stubs
    # Whether a verdict was asked for, and whether one was raised, which has the timeline.
    attr_reader :judged, :raised

    def initialize(info, case_name, stubs = [])
      @id, @scenario, @base, @origins = info.values_at("run", "scenario", "base", "origins")
      @case, @stubs = case_name, stubs
    end

    def url(path = "/", origin: nil) = "#{origin ? @origins.fetch(origin) : @base}#{path.start_with?('/') ? path : "/#{path}"}"

    # The same for a WebSocket: ws:, or wss: where the origin speaks TLS.
    def ws_url(path = "/", origin: nil) = "ws#{url(path, origin: origin).delete_prefix('http')}"

    # The variables that lead common clients here: addresses, proxies for names, the authority.
    def environment
      variables = call("GET", "environment")["environment"]
      authority = variables["PROCTOR_CA"]
      variables.transform_values { |value| value == authority ? Server.trust : value }
    end

    # Any call about the run (Docs/use/control.md).
    def call(method, path, body = nil) = Server.ask(method, "runs/#{@id}/#{path}", body)

    # What happened, a hash for each line (Docs/judging/journal.md).
    def journal = Server.call("GET", "runs/#{@id}/journal").lines.map { |line| JSON.parse(line) }

    def requests = Request.all(self)

    # What verdict says, without an error.
    def judge(case_name = @case, result = nil, within: 5)
      query = URI.encode_www_form({ within: (within * 1000).to_i, case: case_name }.compact)
      call("POST", "judge?#{query}", result.nil? ? "" : { results: [result].flatten })
    end

    # Judges when nothing is under way any more, or after so many seconds; Failure where the verdict is one.
    def verdict(case_name = @case, result = nil, within: 5)
      told = judge(case_name, result, within: within)
      @judged, @raised = true, told["isFailure"]
      raise Failure, told["text"] if @raised

      told
    end

    def timeline = judge(within: 1).then { |told| [told["sentence"], told["timeline"]].compact.join("\n") }
  end

  # Makes the runs of one test, and ends them with it.
  class Test
    def initialize
      @runs, @stubs, @origin = [], [], {}
      # Clients of a test may run on several threads, and the first of them opens the run for all.
      @opening = Mutex.new
    end

    # A run of a scenario, to be judged by the case; other options are those of the call (Docs/use/control.md).
    def run(scenario, case_name = nil, **options) = add(Server.ask("POST", "runs", { scenario: scenario, **options }), case_name)

    # A run of the scenario whose YAML or JSON is given.
    def inline(text, case_name = nil) = add(Server.ask("POST", "inline", text), case_name)

    # A stub of the test: on("GET /items").reply(200, json: []).times(2). All stubs stand before the first url.
    def on(request, **patterns)
      refuse_change
      place = caller_locations(1, 1).first
      file = place.absolute_path.to_s.delete_prefix("#{Dir.pwd}/")
      Stub.new(request, place: file.empty? ? nil : "#{file}:#{place.lineno}", **patterns).tap { |stub| @stubs << stub }
    end

    # What the stubs' server is, by the keys of Docs/format/origins.md: scheme: "https", host: "api.example.org".
    def origin(**keys)
      refuse_change
      keys.each { |key, value| @origin[key] = Proctor.checked(value, key) }
    end

    # The run of the stubs, which is opened when it is first asked for.
    def stubbed = @opening.synchronize { @stubbed ||= open_stubs }

    def url(path = "/") = stubbed.url(path)

    # The same for a WebSocket: ws:, or wss: where the stubs speak TLS.
    def ws_url(path = "/") = stubbed.ws_url(path)

    # The path of a PEM file with the authority to trust where the stubs speak TLS.
    def trust = Server.trust

    # The variables that lead common clients to the stubs.
    def environment = stubbed.environment

    # All requests that came to the stubs so far, also those that none expected.
    def requests = stubbed.requests

    # Judges the stubs now; without it they are judged at the end of the test.
    def verify(within: 5) = stubbed.verdict(within: within)

    # Judges what the test has not judged where it has passed, and deletes the runs. Gives what is to be shown of a test that failed.
    def finish(has_failed:)
      stubbed unless @stubs.empty? || has_failed
      @runs.reject(&:judged).each(&:verdict) unless has_failed
      has_failed ? @runs.reject(&:raised).map { |run| "#{run.scenario} at #{run.base}\n#{run.timeline}" } : []
    ensure
      @runs.each { |run| Server.call("DELETE", "runs/#{run.id}") rescue nil }
    end

    private

    def open_stubs
      raise Error, 'there is no stub yet: on("GET /items").reply(200)' if @stubs.empty?

      scenario = { summary: "Exchanges of a test", exchanges: @stubs.map(&:exchange) }
      scenario[:origins] = { main: @origin } unless @origin.empty?
      add(Server.ask("POST", "stubs", scenario), nil, @stubs).tap { |run| @stubs.each { |stub| stub.serve(run) } }
    end

    def refuse_change
      raise Error, "all stubs of a test stand before its first url, which opens their ports" if @stubbed
    end

    def add(info, case_name, stubs = []) = Run.new(info, case_name, stubs).tap { |run| @runs << run }
  end
end
