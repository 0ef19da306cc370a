# frozen_string_literal: true

module Proctor
  # How deep a value may be nested, which Ruby's own writer of JSON takes.
  MOST_DEPTH = 90

  # The value of a key, if JSON has a form for all of it; Error names the first place that has none, by its JSON pointer.
  def self.checked(value, key, pointer = "", depth = 0)
    place = pointer.empty? ? key.to_s : "#{key} #{pointer}"
    raise Error, "#{key} is nested deeper than #{MOST_DEPTH} values, or contains itself" if depth > MOST_DEPTH

    case value
    when Hash then value.each { |name, member| checked(member, key, "#{pointer}/#{name}", depth + 1) }
    when Array then value.each_with_index { |member, index| checked(member, key, "#{pointer}/#{index}", depth + 1) }
    when Symbol, Integer, true, false, nil then value
    when Float then raise Error, "#{place} is #{value}, which is no finite number: JSON has no form for it" unless value.finite?
    when String
      raise Error, "#{place} is no UTF-8, for which JSON has no form; bytes are written { base64: … }" unless value.dup.force_encoding("UTF-8").valid_encoding?
    else
      raise Error, "#{place} is #{value.inspect}, for which JSON has no form: wanted a String, a number, true, false, nil, an Array or a Hash"
    end
    value
  end

  # A request that came; stub is the one that answered it, nil where none did. time is when its head came, in seconds of a clock that does
  # not jump: the difference of two is what they are apart. messages are those that the client sent on the WebSocket that it opened.
  # end is how it ended: "read" where its reply was sent to its end, "left" where the client closed the connection before, "reset" where
  # it reset that or the stream, and nil while it is under way, or where the server ended it. body is the content without its codings, or
  # as it came where it is not what they say, and coded_body is always as it came.
  Request = Struct.new(:method, :target, :fields, :body, :stub, :time, :messages, :end, :coded_body) do
    # The values of a field, joined by commas (RFC 9110 §5.3); nil without it.
    def header(name)
      values = fields.filter_map { |key, value| value if key.casecmp?(name) }
      values.join(", ") unless values.empty?
    end

    def text = body.dup.force_encoding(Encoding::UTF_8)

    def json = JSON.parse(text)

    # All requests of a run so far, in the order in which they came.
    def self.all(run)
      run.journal.group_by { |line| line["request"] }.values.filter_map do |group|
        head, body, choice = %w[requestHead requestBody exchangeChosen].map { |event| group.find { |line| line["ev"] == event } }
        next unless head

        fields = head["fields"].map { |pair| pair.map { |value| value.is_a?(Hash) ? value["base64"].unpack1("m") : value } }
        stub = choice && run.stubs[choice["exchange"]]
        coded = kept(body || {}, "body")
        content = body&.key?("decoded") ? kept(body["decoded"], "body") : coded
        new(kept(head, "method"), kept(head, "target"), fields, content, stub, head["ns"] / 1e9, messages(group), ended(group), coded)
      end
    end

    def self.ended(lines)
      last = lines.find { |line| %w[replySent replyAborted].include?(line["ev"]) }
      last && (last["ev"] == "replySent" ? "read" : last["client"])
    end

    # The messages of a client in the lines of one request; Ping, Pong and Close are none.
    def self.messages(lines)
      frames = lines.select { |line| line["ev"] == "webSocketFrame" && line["by"] == "client" }
      frames.filter_map { |line| line["message"] }.select { |it| %w[text binary].include?(it["kind"]) }.map do |message|
        kept(message, "content").dup.force_encoding(message["kind"] == "text" ? Encoding::UTF_8 : Encoding::BINARY)
      end
    end

    # Bytes of the journal: a text, or base64 where they are none.
    def self.kept(line, key) = line["#{key}Base64"] ? line["#{key}Base64"].unpack1("m") : line[key].to_s
  end

  # One exchange of a test; each method gives the stub back. The words are those of all helpers (Docs/use/stubs.md).
  class Stub
    # place is FILE:LINE of the test, which failures name.
    def initialize(request, place: nil, **patterns)
      @request, @patterns, @replies, @beside, @place = request, {}, [], {}, place
      having(**patterns)
    end

    # What the request has besides, by the keys of Docs/format/requests.md: json, headers, cookies, query, form, body.
    def having(**patterns) = change { patterns.each { |key, value| @patterns[key] = Proctor.checked(value, key) } }

    # One reply; of several each is sent once, in turn, and the last one stays. content is text, or a list of texts with effects between
    # them; body is what Docs/format/bodies.md says. Others are the keys of Docs/format/replies.md, as effects, events and websocket.
    # Without a status it is 200, or what a websocket or a script says.
    def reply(status = nil, content = nil, json: :none, body: nil, headers: {}, **others)
      change do
        unless status.nil? || status.is_a?(Integer)
          remedy = status.to_s.match?(/\A\d+\z/) ? "write reply(#{status})" : "for JSON write reply(200, json: #{status.inspect})"
          raise Error, "a reply begins with its status, a number, found #{status.inspect}: #{remedy}"
        end
        unless content.nil? || content?(content)
          raise Error, "the content of a reply is text or a list with effects, found #{content.inspect}: for JSON write " \
                       "reply(#{status || 200}, json: #{content.inspect}), and for another form of a fixture body: …"
        end
        fields = headers.map { |name, value| { name => value } }
        typed = headers.any? { |name, _| name.to_s.casecmp?("content-type") }
        fields << { "Content-Type" => "application/json" } unless json == :none || typed
        whole = json == :none ? Proctor.checked(content || body, :body) : { json: Proctor.checked(json, :json) }
        others.each { |key, value| Proctor.checked(value, key) }
        # A list, and no mapping, so that a name can come twice.
        @replies << { status: status, **others, headers: fields.empty? ? nil : fields, body: whole }.compact
      end
    end

    # Exactly so many requests, 1 to 1,000,000: one more finds no exchange, and one that does not come fails the test.
    def times(count) = setting(:times, { exactly: count })

    # At least so many requests, 1 to 1,000,000.
    def at_least(count) = setting(:times, { "at-least": count })

    # The test passes without a request to the stub.
    def optional = setting(:optional, true)

    # Another key of an exchange (Docs/format/requests.md), as reads.
    def setting(key, value) = change { @beside[key] = Proctor.checked(value, key) }

    # The requests that this stub has answered so far, in the order in which they came.
    def requests = @run ? @run.requests.select { |request| request.stub.equal?(self) } : []

    def serve(run) = @run = run

    # The exchange as a fixture has it.
    def exchange = { request: asked, reply: @replies.empty? ? [{}] : @replies, place: @place, **@beside }.compact

    private

    # Whether it can be nothing but content; a list of texts alone may be JSON.
    def content?(value)
      value.is_a?(String) || (value.is_a?(Array) && value.any? { |piece| piece.is_a?(Hash) && (piece.key?(:do) || piece.key?("do")) })
    end

    def asked
      return @request if @patterns.empty?

      method, target = @request.split(" ", 2)
      path, query = target.split("?", 2)
      { method: method, path: path, query: query, **@patterns }.compact
    end

    def change
      raise Error, "a stub is whole before the first url of its test: say it earlier" if @run

      yield
      self
    end
  end
end
