# An adapter of Proctor for LWP::UserAgent of Perl (Docs/clients/adapters.md).
#
# What it is told, so that it neither gets help nor is hindered:
#
# - One LWP::UserAgent for all steps, with `keep_alive`; nothing of the environment, which it reads only when it is told to.
# - Names are looked up in the assignment's table, in the place of the system's resolver (getaddrinfo of IO::Socket::IP); others are
#   not found.
# - The URL is given as a text; what becomes of it is asked. A query is encoded by `query_form` of URI, a form by the same.
# - `max_redirect` is 20, for by itself it follows seven. By itself it follows GET and HEAD alone; where a redirect is to be followed, the
#   step's method is put into `requests_redirectable`, as its manual says, and else none is there.
# - An HTTP::Cookies in memory where cookies are kept.
# - A credential is what `get_basic_credentials` gives, which it calls when it is asked by Basic or Digest, by an origin or a proxy.
# - A streamed body is a function; it begins anew when it has come to its end.
# - `decoded_content` undoes codings, though it asks for none; what it can't decode is an error.
# - `SSL_ca_file`, `SSL_cert_file` and `SSL_key_file`; `timeout` for silence.
# - To cancel is to die in a handler: at the head, or at a piece of the body that it hands over.
#
# What it makes of a failure is a response of its own, with the field Client-Warning; a redirect that it does not follow any more has it too.

use v5.34;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';
use FindBin;
use lib "$FindBin::RealBin/../../kits/perl";
use Proctor;
use HTTP::Cookies;
use HTTP::Request;
use IO::Socket::IP;
use LWP::Protocol::https;
use LWP::UserAgent;
use Socket ();
use URI;

my ($session, $current);
{
    no warnings qw(redefine prototype);
    my $system = \&Socket::getaddrinfo;
    *IO::Socket::IP::getaddrinfo = sub {
        my ($host, $port, $hints) = @_;
        my ($address, $number) = Proctor::place($session, $host // '', $port // 0);
        # The text of EAI_NONAME.
        return 'Name or service not known: it is not among the names of the assignment, and no other is looked up' unless defined $address;
        return $system->($address, $number, { %{ $hints // {} }, flags => Socket::AI_NUMERICHOST() });
    };
}

package Agent {
    use parent -norequire, 'LWP::UserAgent';

    sub get_basic_credentials ($self, $realm, $uri, $is_proxy) { return @{ $current->{account} // [] } }
    sub redirect_ok ($self, $request, $response) { return $self->SUPER::redirect_ok($request, $response) }
}

# What its texts say, in the order in which they are looked for.
my @errors = (
    [qr/not among the names|Name or service not known|Bad hostname/, 'cannotFindHost'],
    [qr/Redirect loop detected/, 'tooManyRedirects'],
    [qr/certificate has expired/i, 'serverCertificateHasBadDate'],
    [qr/certificate verify failed|hostname verification failed|verify hostnames/i, 'serverCertificateUntrusted'],
    [qr/alert certificate required/i, 'clientCertificateRequired'],
    [qr/alert (?:bad|unsupported) certificate|alert certificate (?:revoked|expired|unknown)|alert unknown ca/i, 'clientCertificateRejected'],
    [qr/timed? ?out|timeout/i, 'timedOut'],
    [qr/Connection refused|establishing SSL tunnel failed/, 'cannotConnect'],
    [qr/unexpected eof|reset by peer|Broken pipe|closed connection|EOF/i, 'connectionLost'],
    [qr/SSL/, 'secureConnectionFailed'],
    [qr/scheme '[^']*' is not supported|URL must be absolute|Access to '[^']*' URIs/, 'unsupportedURL'],
    [qr/URL missing|No Host option|Bad (?:host|URI)|Can't locate object method "host"/i, 'badURL'],
    [qr/status line|chunk|Line too long|Too many header|Bad header|EOL/i, 'badServerResponse'],
    [qr/Can't connect/, 'cannotConnect'],
);

sub failure ($text) {
    my ($one) = grep { $text =~ $_->[0] } @errors;
    return (error => $one ? $one->[1] : 'unknown', domain => 'perl-lwp', message => substr $text, 0, 2000);
}

sub make_agent () {
    my %tls = (verify_hostname => 1);
    $tls{SSL_ca_file} = $session->{trust} if $session->{trust};
    @tls{qw(SSL_cert_file SSL_key_file)} = @{ $session->{identity} }{qw(certificate key)} if $session->{identity};
    my $agent = Agent->new(keep_alive => 10, env_proxy => 0, max_redirect => 20, ssl_opts => \%tls);
    $agent->cookie_jar(HTTP::Cookies->new) if $session->{cookies} ne 'never';
    $agent->proxy(['http', 'https'], "http://$session->{proxy}/") if $session->{proxy};
    return $agent;
}

sub make_request ($step) {
    my $uri = URI->new($step->{url});
    $uri->query_form($uri->query_form, map { @$_ } @{ $step->{query} }) if $step->{query};
    my $request = HTTP::Request->new($step->{method}, $uri);
    $request->push_header($_->[0], $_->[1]) for @{ $step->{headers} };
    if ($step->{form}) {
        my $form = URI->new('http:');
        $form->query_form(map { @$_ } @{ $step->{form} });
        # As HTTP::Request::Common has it.
        $request->content(($form->query // '') =~ s/(?<!%0D)%0A/%0D%0A/gr);
        $request->init_header('Content-Type' => 'application/x-www-form-urlencoded');
    }
    elsif (defined(my $body = Proctor::content($step))) {
        my $position = 0;
        $request->content(!Proctor::is_streamed($step) ? $body : sub {
            my $piece = substr $body, $position, 1 << 16;
            $position = length $piece ? $position + length $piece : 0;
            return $piece;
        });
    }
    return $request;
}

# Whether LWP will send another request when this head has come.
sub is_final ($response) {
    my $step = $current->{step};
    return 0 if $step->{beforehand}{follow} && $response->code =~ /\A30[12378]\z/ && defined $response->header('Location');
    return 1 if $response->code !~ /\A40[17]\z/ || !$current->{account};
    return $current->{asked}++;
}

sub is_moment ($events, $count) {
    my $moment = $current->{step}{cancelAt} or return 0;
    return $moment->{count} == $count && grep { $_ eq $moment->{event} } @$events;
}

sub cancel ($index, $trace) {
    $trace->say('cancel', $index);
    $current->{is_cancelled} = 1;
    die "cancelled\n";
}

sub load ($agent, $step, $index, $trace) {
    my $account = $step->{beforehand}{credential};
    $current = { step => $step, index => $index, account => $account && exists $account->{user} ? [@$account{qw(user password)}] : undef, body => '', bytes => 0 };
    my $silence = $step->{timeout} // $session->{requestTimeout};
    $agent->timeout($silence ? $silence / 1000 : 180);
    $agent->requests_redirectable($step->{beforehand}{follow} ? ['GET', 'HEAD', $step->{method}] : []);
    $agent->set_my_handler(response_header => sub ($response, @rest) {
        $current->{is_final} = is_final($response);
        return unless $current->{is_final};
        $current->{response} = $response;
        cancel($index, $trace) if is_moment(['response'], 1) || ($step->{onResponse} // '') eq 'cancel';
    });
    $agent->set_my_handler(response_data => sub ($response, $agent, $handler, $data) {
        return 1 unless $current->{is_final};
        $current->{bytes} += length $data;
        cancel($index, $trace) if is_moment(['data', 'progress'], ++$current->{pieces});
        return 1;
    });
    my $response = eval { $agent->request(make_request($step), undef, $step->{cancelAt} ? 1 : undef) };
    if (!$response) {
        my $error = $@;
        die $error if ref $error;
        return $current->{is_cancelled} ? (error => 'cancelled', domain => 'perl-lwp', bytes => 0) : (failure($error), bytes => 0);
    }
    return facts($step, $response);
}

sub facts ($step, $response) {
    my $warning = $response->header('Client-Warning') // '';
    my $has_sockets = !$session->{proxy} && grep { $_->{address} =~ /\Aunix:/ } @{ $session->{names} // [] };
    Proctor::unimplemented("steps[$current->{index}].url: perl-lwp reaches no Unix socket, and a redirect leads to one", $current->{index})
        if $has_sockets && $warning eq 'Internal response' && $response->content =~ /not among the names/;
    return $current->{is_cancelled}
        ? (error => 'cancelled', domain => 'perl-lwp', bytes => 0)
        : (failure($response->decoded_content(charset => 'none') || $response->message), bytes => 0, body => '')
        if $warning eq 'Internal response';
    my %facts = (status => $response->code + 0, url => $response->request->uri->as_string);
    my $mime = Proctor::mime(scalar $response->header('Content-Type'));
    $facts{mime} = $mime if defined $mime;
    # LWP adds fields of its own.
    %facts = (%facts, Proctor::field_facts($step, sub ($name) { return scalar $response->header($name) }));
    if ($current->{is_cancelled}) {
        return (%facts, error => 'cancelled', domain => 'perl-lwp', bytes => $current->{bytes});
    }
    my $died = $response->header('X-Died');
    return (%facts, failure($died // $response->header('Client-Aborted')), Proctor::body_facts($response->content, length $response->content))
        if defined $died || defined $response->header('Client-Aborted');
    my $body = eval { $response->decoded_content(charset => 'none', raise_error => 1) };
    return (%facts, error => 'cannotDecodeContentData', domain => 'perl-lwp', message => substr($@, 0, 2000), bytes => 0) unless defined $body;
    return (%facts, Proctor::body_facts($body, length $body), $warning =~ /Redirect loop/ ? failure($warning) : ());
}

exit Proctor::main({
    client => 'perl-lwp', revision => '1', version => $LWP::UserAgent::VERSION,
    abilities => [qw(
        methods repeated-fields verbatim-urls encodes-values fragment redirects redirect-refuse cookie-jar cookies-from-addresses basic digest
        challenge-default proxy proxy-tunnel trust identity upload-stream response-answers cancel time-limit-silence)],
    facts => [qw(url status mime bytes body error message header)],
    moments => [qw(response data progress)],
    check => sub ($assignment, $cannot) {
        while (my ($index, $step) = each @{ $assignment->{steps} }) {
            $cannot->($index, 'method', 'delivers a socket for CONNECT') if $step->{method} eq 'CONNECT';
            my $is_socket = ($step->{address} // '') =~ /\Aunix:/ && !$assignment->{session}{proxy};
            $cannot->($index, 'url', 'reaches no Unix socket') if $is_socket;
        }
    },
    run => sub ($assignment, $trace) {
        $session = $assignment->{session};
        my $agent = make_agent();
        for my $index (0 .. $#{ $assignment->{steps} }) {
            $trace->say('resume', $index);
            $trace->say('result', $index, facts => { load($agent, $assignment->{steps}[$index], $index, $trace) });
        }
    },
});
