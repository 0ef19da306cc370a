package Proctor;

# The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
#
#   exit Proctor::main({ client => 'tiny', revision => '1', version => $Tiny::VERSION, abilities => [...], facts => [...],
#       moments => ['response'], check => sub { my ($assignment, $cannot) = @_ }, run => sub { my ($assignment, $trace) = @_ } });
#
# `check` calls `$cannot->($index, $key, $reason)` for what the client can't be told.

use v5.34;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';
use Encode ();
use JSON::PP ();
use MIME::Base64 qw(decode_base64 encode_base64);
use POSIX ();
use Scalar::Util qw(blessed);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC setitimer ITIMER_REAL);

# Bytes of a body that are told (in base64 they fit a line of 1 MiB), and bytes of one that is sent.
use constant { BODY_LIMIT => 640 << 10, UPLOAD_LIMIT => 256 << 20 };
# Seconds before the deadline at which an adapter gives up.
use constant MARGIN => 0.2;
use constant { USAGE => 64, UNREAD => 74 };

my $json = JSON::PP->new->utf8->allow_nonref;
my $is_many = ($ENV{PROCTOR_ASSIGNMENTS} // '') eq 'many';

# Writes a line at once; a trace that nobody reads ends the program.
sub line ($value = undef) {
    my $text = ($value ? $json->encode($value) : '') . "\n";
    while (length $text) {
        my $sent = syswrite STDOUT, $text;
        next if !defined $sent && $!{EINTR};
        POSIX::_exit(UNREAD) unless $sent;
        substr $text, 0, $sent, '';
    }
}

# Ends the program of the assignment: it asks for what the client can't be told.
sub unimplemented ($reason, $task = 0) { die bless { reason => $reason, task => $task }, 'Proctor::Unimplemented' }

# The bytes of a step's body; undef where it has none.
sub content ($step) {
    my $body = $step->{body} or return;
    my $data = exists $body->{base64} ? decode_base64($body->{base64}) : Encode::encode_utf8($body->{text} // '');
    return '' unless length $data;
    my $count = $body->{count} // length $data;
    unimplemented("a body has at most ${\ UPLOAD_LIMIT } bytes, not $count") if $count > UPLOAD_LIMIT;
    return substr $data x (1 + int $count / length $data), 0, $count;
}

# Whether the length of a step's body is not to be known.
sub is_streamed ($step) { return exists $step->{body} && $step->{bodyForm} =~ /(?:stream|pair)\z/ }

# The length of a body, and the body itself where `$body` is all of it.
sub body_facts ($body, $count) {
    return (bytes => $count) if length $body != $count || $count > BODY_LIMIT;
    my $text = eval { Encode::decode('UTF-8', my $copy = $body, Encode::FB_CROAK) };
    return (bytes => $count, defined $text && $body !~ /\0/ ? (body => $text) : (bodyBase64 => encode_base64($body, '')));
}

# What `$find->($name)` gives for each field that the program asks for; undef for none.
sub field_facts ($step, $find) {
    my @names = @{ $step->{fieldNames} // [] } or return;
    return (header => join "\n", map { my $value = $find->($_); defined $value ? "$_: $value" : () } @names);
}

# The media type alone; undef where there is none.
sub mime ($type) {
    my ($plain) = ($type // '') =~ /\A\s*([^;]*?)\s*(?:;|\z)/;
    return length $plain ? lc $plain : undef;
}

# Where a name and its port listen: a host and a port; nothing for a name that nobody is to look up, and one on a Unix socket.
sub place ($session, $host, $port) {
    my $plain = lc $host =~ s/\.\z//r;
    for my $one (@{ $session->{names} // [] }) {
        next if $one->{name} ne $plain || $one->{port} != $port;
        return $one->{address} =~ /\A\[?([^\]]*?)\]?:(\d+)\z/ if $one->{address} !~ /\Aunix:/;
    }
    return ('127.0.0.1', $port) if $plain eq 'localhost';
    return $host =~ /\A\[?[0-9a-f:]*:[0-9a-f:.]*\]?\z|\A\d+(?:\.\d+){3}\z/i ? ($host =~ s/[\[\]]//gr, $port) : ();
}

package Proctor::Trace {
    # Writes lines of lane `harness`; each has left the process when the call returns.
    sub new ($class, $adapter, $assignment) {
        Proctor::line({
            trace => 'proctor', version => 1, client => $adapter->{client}, clientVersion => "$adapter->{version}",
            adapter => $adapter->{client}, adapterVersion => $adapter->{revision}, lanes => ['harness'], unit => 'ns',
            clock => 'monotonic', facts => $adapter->{facts}, abilities => $adapter->{abilities},
            map { defined $assignment->{$_} ? ($_ => $assignment->{$_}) : () } qw(scenario case run) });
        return bless { count => 0, open => {} }, $class;
    }

    sub say ($self, $event, $task = 0, %rest) {
        $self->{open}{$task} = 1 if $event eq 'resume';
        delete $self->{open}{$task} if $event eq 'result';
        # Whole: a number of Perl has 53 bits.
        # A longer text would not fit a line.
        my $facts = $rest{facts} // {};
        delete @$facts{ grep { !ref $facts->{$_} && length($facts->{$_} // '') > Proctor::BODY_LIMIT } keys %$facts };
        my ($seconds, $part) = split /\./, sprintf '%.9f', Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
        Proctor::line({ seq => ++$self->{count}, ns => $seconds * 1_000_000_000 + $part, lane => 'harness', task => $task + 0, ev => $event, %rest });
    }

    # Nothing else ends a call that blocks.
    sub give_up ($self) {
        my %facts = (error => 'timedOut', domain => 'adapter', message => 'the step had not ended at the deadline');
        $self->say('result', $_, facts => \%facts) for sort { $a <=> $b } keys %{ $self->{open} };
        Proctor::line() if $is_many;
        POSIX::_exit(0);
    }
}

sub misuse ($adapter, $reason) {
    print STDERR "$adapter->{client} adapter: $reason\n";
    POSIX::_exit(USAGE);
}

sub check ($adapter, $assignment) {
    my %has = map { $_ => 1 } @{ $adapter->{abilities} };
    for my $word (sort @{ $assignment->{needs} // [] }) {
        unimplemented("needs: $adapter->{client} has no $word") unless $has{$word};
    }
    my $cannot = sub ($index, $key, $reason) { unimplemented("steps[$index].$key: $adapter->{client} $reason", $index) };
    while (my ($index, $step) = each @{ $assignment->{steps} }) {
        my @answers = @{ $step->{onChallenge} };
        splice @answers, $step->{challengeCount} if defined $step->{challengeCount} && $step->{challengeCount} < @answers;
        my $is_used = grep { $_->{answer} eq 'use' } @answers;
        $cannot->($index, 'onChallenge', 'answers no challenge') if $is_used && !grep { $has{$_} } qw(basic digest bearer);
        $cannot->($index, 'beforehand', 'is told no such answers before a load') unless exists $step->{beforehand};
        my ($event, $number) = @{ $step->{cancelAt} // {} }{qw(event count)};
        my $is_possible = !defined $event || grep({ $_ eq $event } @{ $adapter->{moments} }) && !($event eq 'response' && $number > 1);
        $cannot->($index, 'cancelAt', "can't be cancelled then") unless $is_possible;
        # A question in whose callback the load is cancelled is not answered.
        my $answer = ($event // '') eq 'response' ? 'allow' : $step->{onResponse} // 'allow';
        $cannot->($index, 'onResponse', "can't say $answer") unless $answer =~ /\A(?:allow|cancel)\z/;
        $cannot->($index, 'download', 'decides nothing about a file') if exists $step->{download};
    }
    $adapter->{check}->($assignment, $cannot) if $adapter->{check};
}

sub perform ($adapter, $text) {
    my $began = clock_gettime(CLOCK_MONOTONIC);
    my $assignment = eval { $json->decode($text) };
    misuse($adapter, 'standard input has no assignment of version 1')
        unless ref $assignment eq 'HASH' && ($assignment->{version} // 0) == 1 && $assignment->{deadline} && ref $assignment->{session};
    misuse($adapter, 'the assignment has no steps') unless @{ $assignment->{steps} // [] };
    my $trace = Proctor::Trace->new($adapter, $assignment);
    # At once, and not when the call that blocks is over.
    POSIX::sigaction(POSIX::SIGALRM(), POSIX::SigAction->new(sub { $trace->give_up }));
    my $left = $assignment->{deadline} / 1000 - MARGIN - (clock_gettime(CLOCK_MONOTONIC) - $began);
    setitimer(ITIMER_REAL, $left > 0.1 ? $left : 0.1);
    unless (eval { check($adapter, $assignment); $adapter->{run}->($assignment, $trace); 1 }) {
        my $error = $@;
        die $error unless blessed $error && $error->isa('Proctor::Unimplemented');
        $trace->say('unimplemented', $error->{task}, arg => $error->{reason});
    }
    setitimer(ITIMER_REAL, 0);
}

# The whole program; gives its exit code.
sub main ($adapter) {
    if (@ARGV == 1 && $ARGV[0] eq '--version') {
        print "$adapter->{client} $adapter->{version}\n";
        return 0;
    }
    misuse($adapter, "unknown argument '$ARGV[0]'; expected none or --version") if @ARGV;
    perform($adapter, do { local $/; <STDIN> } // '') unless $is_many;
    while ($is_many && defined(my $text = <STDIN>)) {
        perform($adapter, $text);
        line();
    }
    return 0;
}

1;
