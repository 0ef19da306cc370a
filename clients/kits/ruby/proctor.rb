# frozen_string_literal: true

# The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
#
#   class Tiny < Proctor::Adapter ... end
#   exit Tiny.new.main
#
# A subclass gives the names below, and `session(assignment)`, whose value has `close`, and `load(session, assignment, index, trace)`,
# which gives the facts of a result. `check(assignment)` calls `cannot` for what the client can't be told.

require "json"
require "monitor"

module Proctor
  # Bytes of a body that are told (in base64 they fit a line of 1 MiB), and bytes of one that is sent.
  BODY_LIMIT = 640 << 10
  UPLOAD_LIMIT = 256 << 20
  # Seconds before the deadline at which an adapter gives up.
  MARGIN = 0.2
  IS_MANY = ENV["PROCTOR_ASSIGNMENTS"] == "many"
  # That of the server's journal.
  CLOCK = RUBY_PLATFORM.include?("darwin") ? 4 : Process::CLOCK_MONOTONIC

  # The program asks for what the client can't be told; `task` is the number of the step.
  class Unimplemented < StandardError
    attr_reader :task

    def initialize(reason, task = 0)
      super(reason)
      @task = task
    end
  end

  # What came on standard input is no assignment, or an argument is not known.
  class Misuse < StandardError; end

  # The program has the adapter cancel the load.
  class Cancelled < StandardError; end

  module_function

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # Writes the whole text at once; a trace that nobody reads ends the program.
  def write(text)
    text = text.b
    text = text.byteslice($stdout.syswrite(text)..) until text.empty?
  rescue Errno::EPIPE
    exit!(74)
  end

  # The bytes of a step's body; nil where it has none.
  def content(step)
    body = step["body"] or return nil
    data = body.key?("base64") ? body["base64"].unpack1("m") : body.fetch("text", "").b
    count = data.empty? ? 0 : body.fetch("count", data.bytesize)
    raise Unimplemented, "a body has at most #{UPLOAD_LIMIT} bytes, not #{count}" if count > UPLOAD_LIMIT
    (data * (count / [data.bytesize, 1].max + 1)).byteslice(0, count)
  end

  # Whether the length of a step's body is not to be known.
  def streamed?(step) = step.key?("body") && step["bodyForm"].end_with?("stream", "pair")

  # The length of a body, and the body itself where `body` is all of it.
  def body_facts(body, byte_count)
    facts = { "bytes" => byte_count }
    return facts unless body.bytesize == byte_count && byte_count <= BODY_LIMIT
    text = body.dup.force_encoding(Encoding::UTF_8)
    is_text = text.valid_encoding? && !body.include?("\0")
    facts.merge(is_text ? { "body" => text } : { "bodyBase64" => [body].pack("m0") })
  end

  # What `find.(name)` gives for each field that the program asks for; nil for none.
  def field_facts(step)
    names = step.fetch("fieldNames", [])
    return {} if names.empty?
    { "header" => names.filter_map { |name| (value = yield name) && "#{name}: #{value}" }.join("\n") }
  end

  # The media type alone; nil where there is none.
  def mime(content_type)
    type = content_type&.split(";")&.first&.strip&.downcase
    type unless type.to_s.empty?
  end

  # Where a name and its port listen, as `["127.0.0.1", 4711]`; nil for a name that nobody is to look up, and one on a Unix socket.
  def place(session, host, port)
    plain = host.downcase.delete_suffix(".")
    entry = session.fetch("names", []).find { |one| one["name"] == plain && one["port"] == port }
    found = entry && /\A\[?(.*?)\]?:(\d+)\z/.match(entry["address"])
    return [found[1], found[2].to_i] if found && !entry["address"].start_with?("unix:")
    return ["127.0.0.1", port] if plain == "localhost"
    [host, port] if host.match?(/\A\[?[0-9a-f:]*:[0-9a-f:.]*\]?\z|\A\d+(\.\d+){3}\z/i)
  end

  # Writes lines of lane `harness`, from any thread; each has left the process when the call returns.
  class Trace
    def initialize(adapter, assignment, began)
      @lock, @count, @open, @is_over = Monitor.new, 0, [], false
      line(
        "trace" => "proctor", "version" => 1, "client" => adapter.client, "clientVersion" => adapter.version,
        "adapter" => adapter.client, "adapterVersion" => adapter.revision, "clock" => "monotonic", "unit" => "ns",
        "lanes" => ["harness"], "facts" => adapter.facts, "abilities" => adapter.abilities,
        **assignment.slice("scenario", "case", "run"))
      left = assignment["deadline"] / 1000.0 - MARGIN - (Proctor.now - began)
      @watch = Thread.new do
        sleep [0.1, left].max
        give_up
      end
    end

    def say(event, task = 0, **rest)
      @lock.synchronize do
        next if @is_over
        @open.push(task) if event == "resume"
        @open.delete(task) if event == "result"
        nanoseconds = Process.clock_gettime(CLOCK, :nanosecond)
        # A longer text would not fit a line.
        rest[:facts] = rest[:facts].reject { |_, value| value.is_a?(String) && value.bytesize > BODY_LIMIT } if rest[:facts]
        line({ "seq" => @count += 1, "ns" => nanoseconds, "lane" => "harness", "task" => task, "ev" => event }.merge(rest))
      end
    end

    def close
      @lock.synchronize { @is_over = true }
      @watch.kill
    end

    private

    def line(value) = Proctor.write("#{JSON.generate(value)}\n")

    # Nothing else ends a call that blocks.
    def give_up
      @lock.synchronize do
        message = "the step had not ended at the deadline"
        @open.dup.each { |task| say("result", task, facts: { error: "timedOut", domain: "adapter", message: message }) }
        Proctor.write("\n") if IS_MANY && !@is_over
        exit!(0) unless @is_over
      end
    end
  end

  # A client without callbacks.
  class Adapter
    # Names of events at which the client can be cancelled.
    def moments = []

    def cannot(index, key, reason) = raise(Unimplemented.new("steps[#{index}].#{key}: #{client} #{reason}", index))

    # Raises for the first part of a program that the client can't be told; nothing has begun yet.
    def check(assignment)
      lacking = (assignment.fetch("needs", []) - abilities).min
      raise Unimplemented, "needs: #{client} has no #{lacking}" if lacking
      assignment["steps"].each_with_index { |step, index| check_step(step, index) }
    end

    def main(words = ARGV)
      if words == ["--version"]
        Proctor.write("#{client} #{version}\n")
        return 0
      end
      raise Misuse, "unknown argument '#{words[0]}'; expected none or --version" unless words.empty?
      perform($stdin.read, Proctor.now) unless IS_MANY
      while IS_MANY && (text = $stdin.gets)
        perform(text, Proctor.now)
        Proctor.write("\n")
      end
      0
    rescue Misuse, JSON::ParserError => error
      warn "#{client} adapter: #{error.message.lines.first.chomp}"
      64
    end

    private

    def check_step(step, index)
      answers = step["onChallenge"].first(step["challengeCount"] || step["onChallenge"].size).map { |one| one["answer"] }
      logs_in = abilities.intersect?(%w[basic digest bearer])
      cannot(index, "onChallenge", "answers no challenge") if answers.include?("use") && !logs_in
      cannot(index, "beforehand", "is told no such answers before a load") unless step.key?("beforehand")
      event, count = step.fetch("cancelAt", {}).values_at("event", "count")
      is_late = event == "response" && count > 1
      cannot(index, "cancelAt", "can't be cancelled then") if event && (is_late || !moments.include?(event))
      # A question in whose callback the load is cancelled is not answered.
      answer = event == "response" ? "allow" : step.fetch("onResponse", "allow")
      cannot(index, "onResponse", "can't say #{answer}") unless %w[allow cancel].include?(answer)
      cannot(index, "download", "decides nothing about a file") if step.key?("download")
    end

    def read(text)
      assignment = JSON.parse(text)
      raise Misuse, "no assignment of version 1" unless assignment.is_a?(Hash) && assignment["version"] == 1
      is_whole = assignment["deadline"].is_a?(Integer) && assignment["session"].is_a?(Hash)
      steps = assignment["steps"]
      is_whole &&= steps.is_a?(Array) && steps.any? && steps.all? { |step| %w[method url headers bodyForm onChallenge].all? { step.key?(_1) } }
      raise Misuse, "deadline, session or steps are missing" unless is_whole
      assignment
    end

    def perform(text, began)
      assignment = read(text)
      trace = Trace.new(self, assignment, began)
      begin
        check(assignment)
        run(assignment, trace)
      rescue Unimplemented => error
        trace.say("unimplemented", error.task, arg: error.message)
      end
      trace.close
    end

    def run(assignment, trace)
      session = session(assignment)
      assignment["steps"].each_index do |index|
        trace.say("resume", index)
        trace.say("result", index, facts: load(session, assignment, index, trace))
      end
    ensure
      session&.close
    end
  end
end
