# frozen_string_literal: true

# An adapter of Proctor for Net::HTTP of Ruby (Docs/clients/adapters.md).
#
# What it is told, so that it neither gets help nor is hindered:
#
# - An object of Net::HTTP for each scheme, host and port, which is started once and shared by all steps; no proxy of the
#   environment.
# - Names are looked up in the assignment's table, in the place of the system's resolver (`Socket.tcp`); others are not found.
# - `URI(url)`, as its manual says; what becomes of the text is asked. A query and a form are encoded by `URI.encode_www_form`.
# - Requests are Net::HTTPGenericRequest, which takes any method; a field that is there twice has its values in one line, which is
#   the client's doing, so that it lacks `repeated-fields`.
# - A streamed body is `body_stream` with `Transfer-Encoding: chunked`, any other `body`.
# - `read_timeout`, `write_timeout` and `open_timeout` for silence. Its second attempt at a request that may be repeated stays as it comes
#   (`max_retries` is 1).
# - To cancel is `finish`: at the head, or at a piece of the body that it hands over.
#
# It follows no redirects, keeps no cookies and answers no challenges. It undoes gzip and deflate where it asked for them; a step whose
# content has another coding is `unimplemented`.

require "net/http"
require "openssl"
require "stringio"
require "zlib"
require_relative "../../kits/ruby/proctor"

# In the place of the system's resolver: the names of the assignment, and numbers.
module NamesOfTheAssignment
  class << self
    attr_accessor :session
  end

  def tcp(host, port, *rest, **options)
    place = Proctor.place(NamesOfTheAssignment.session, host, port)
    unless place
      raise SocketError, "getaddrinfo: #{host.inspect} at port #{port} is not among the names of the assignment, and no other is looked up"
    end
    super(*place, *rest, **options)
  end
end
Socket.singleton_class.prepend(NamesOfTheAssignment)

# The started connections of an assignment.
class Connections
  def initialize(setup)
    @setup, @kept = setup, {}
  end

  def get(uri, silence)
    http = @kept[[uri.scheme, uri.hostname, uri.port]] ||= make(uri)
    if silence
      http.open_timeout = silence
      http.read_timeout = http.write_timeout = silence
    end
    http.started? ? http : http.start
  end

  def close
    @kept.each_value { |http| http.finish if http.started? }
  end

  private

  def make(uri)
    proxy = URI("http://#{@setup['proxy']}") if @setup.key?("proxy")
    http = Net::HTTP.new(uri.hostname, uri.port, proxy&.hostname, proxy&.port)
    http.use_ssl = uri.scheme == "https"
    http.ca_file = @setup["trust"] if @setup.key?("trust")
    if (identity = @setup["identity"])
      certificates = OpenSSL::X509::Certificate.load_file(identity["certificate"])
      http.cert, *http.extra_chain_cert = certificates
      http.key = OpenSSL::PKey.read(File.read(identity["key"]))
    end
    http
  end
end

# One step, and the facts of what the client has in the end.
class Load
  def initialize(adapter, connections, assignment, index, trace)
    @adapter, @connections, @index, @trace = adapter, connections, index, trace
    @session, @step = assignment["session"], assignment["steps"][index]
    @facts, @body, @byte_count, @piece_count = {}, String.new(encoding: Encoding::BINARY), 0, 0
  end

  def run
    begin
      perform
    rescue Proctor::Unimplemented
      raise
    rescue Proctor::Cancelled
      @facts.update("error" => "cancelled", "domain" => @adapter.client)
    rescue StandardError, Timeout::Error => error
      message = "#{error.class}: #{error.message}".scrub[0, 2000]
      @facts.update("error" => Failures.name(error), "domain" => @adapter.client, "message" => message)
    end
    @facts.merge(Proctor.body_facts(@body, @byte_count))
  end

  private

  def perform
    uri = URI(@step["url"])
    raise URI::InvalidURIError, "no URL of HTTP: #{@step['url'].inspect}" unless uri.is_a?(URI::HTTP)
    if (query = @step["query"])
      uri.query = [uri.query, URI.encode_www_form(query)].compact.join("&")
    end
    request = request(uri)
    silence = @step["timeout"] || @session["requestTimeout"]
    http = @connections.get(uri, silence && silence / 1000.0)
    http.request(request) { |response| receive(http, response) }
  end

  def request(uri)
    method = @step["method"]
    request = Net::HTTPGenericRequest.new(method, !body.nil? || @step.key?("form"), method != "HEAD", uri)
    @step["headers"].each { |name, value| request[name] = value }
    if @step.key?("form")
      request.body = URI.encode_www_form(@step["form"])
      request["Content-Type"] ||= "application/x-www-form-urlencoded"
    elsif body && Proctor.streamed?(@step)
      request.body_stream = StringIO.new(body)
      request["Transfer-Encoding"] = "chunked"
    elsif body
      request.body = body
    end
    request
  end

  def body = @content ||= Proctor.content(@step)

  # Where it repeats a request that broke, it gives the response of the second attempt too, and that of the first counts no more.
  def receive(http, response)
    @facts, @body, @byte_count, @piece_count = {}, String.new(encoding: Encoding::BINARY), 0, 0
    @facts["url"] = response.uri.to_s if response.uri
    @facts["status"] = response.code.to_i
    type = Proctor.mime(response["Content-Type"])
    @facts["mime"] = type if type
    @facts.update(Proctor.field_facts(@step) { |name| response[name] })
    refuse_coded(response)
    cancel(http) if cancelled?("response") || @step["onResponse"] == "cancel"
    response.read_body { |piece| take(http, piece) }
  end

  # It takes the field away where it undoes a coding.
  def refuse_coded(response)
    coding = response["Content-Encoding"].to_s.strip
    return if coding.empty? || coding.casecmp?("identity") || response.decode_content && %w[gzip x-gzip deflate].include?(coding.downcase)
    @adapter.cannot(@index, "url", "does not undo the coding #{coding}, which the content has")
  end

  def take(http, piece)
    @byte_count += piece.bytesize
    @piece_count += 1
    @body << piece.b if @body.bytesize <= Proctor::BODY_LIMIT
    cancel(http) if cancelled?("data", "progress", count: @piece_count)
  end

  def cancelled?(*events, count: 1)
    moment = @step["cancelAt"]
    moment && events.include?(moment["event"]) && moment["count"] == count
  end

  def cancel(http)
    @trace.say("cancel", @index)
    http.finish
    raise Proctor::Cancelled
  end
end

# The neutral names of what Net::HTTP raises.
module Failures
  # What OpenSSL's message says: the first that is found in it counts.
  TLS = {
    "certificate has expired" => "serverCertificateHasBadDate", "not yet valid" => "serverCertificateNotYetValid",
    "certificate verify failed" => "serverCertificateUntrusted", "hostname" => "serverCertificateUntrusted",
    "alert certificate required" => "clientCertificateRequired", "alert bad certificate" => "clientCertificateRejected",
    "alert certificate revoked" => "clientCertificateRejected", "alert certificate expired" => "clientCertificateRejected",
    "alert unsupported certificate" => "clientCertificateRejected", "alert certificate unknown" => "clientCertificateRejected",
    "alert unknown ca" => "clientCertificateRejected", "unexpected eof" => "connectionLost", "connection reset" => "connectionLost",
  }.freeze
  # In the order in which they are looked for.
  KINDS = [
    [[Net::OpenTimeout, Net::ReadTimeout, Net::WriteTimeout, Timeout::Error, Errno::ETIMEDOUT], "timedOut"],
    [[URI::InvalidURIError, URI::InvalidComponentError], "badURL"],
    [[Zlib::Error], "cannotDecodeContentData"],
    [[Errno::ECONNREFUSED, Errno::EADDRNOTAVAIL, Errno::ENETUNREACH], "cannotConnect"],
    [[EOFError, Errno::ECONNRESET, Errno::EPIPE, Errno::ECONNABORTED, IOError], "connectionLost"],
    [[Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError, Net::ProtocolError], "badServerResponse"],
    [[Net::HTTPExceptions], "cannotConnect"],
  ].freeze

  module_function

  def name(error)
    chain = [error]
    chain << chain.last.cause while chain.last.cause && chain.size < 20
    text = chain.map(&:message).join("; ").scrub
    if chain.any?(OpenSSL::SSL::SSLError)
      lowered = text.downcase.tr("_", " ")
      return TLS.find { |words, _| lowered.include?(words) }&.last || "secureConnectionFailed"
    end
    return "cannotFindHost" if chain.any?(SocketError)
    # It is the class alone that tells a refused tunnel.
    return "cannotConnect" if text.include?("Failed to open TCP connection") && chain.none?(Timeout::Error)
    KINDS.each { |kinds, word| return word if chain.any? { |one| kinds.any? { |kind| one.is_a?(kind) } } }
    "unknown"
  end
end

# Net::HTTP as an adapter.
class RubyNetHTTP < Proctor::Adapter
  def client = "ruby-net-http"
  def revision = "1"
  def version = RUBY_VERSION
  def facts = %w[url status mime bytes body error message header]
  def moments = %w[response data progress]

  def abilities
    %w[
      methods verbatim-urls encodes-values redirect-refuse challenge-default proxy proxy-tunnel trust identity
      upload-stream response-answers cancel time-limit-silence
    ]
  end

  def check(assignment)
    super
    assignment["steps"].each_with_index do |step, index|
      cannot(index, "method", "takes CONNECT for its own tunnels") if step["method"] == "CONNECT"
      names = assignment["session"].fetch("names", [])
      is_socket = step.fetch("address", "").start_with?("unix:") && !names.empty?
      cannot(index, "url", "reaches no Unix socket") if is_socket && !assignment["session"].key?("proxy")
    end
    NamesOfTheAssignment.session = assignment["session"]
  end

  def session(assignment) = Connections.new(assignment["session"])

  def load(session, assignment, index, trace) = Load.new(self, session, assignment, index, trace).run
end

exit RubyNetHTTP.new.main
