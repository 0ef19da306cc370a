# The test of the kit: perl proctor_test.pl. It needs nothing but Perl.
use v5.34;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';
use FindBin;
use IPC::Open2;
use JSON::PP;
use lib $FindBin::RealBin;
use Proctor;
use Test::More;

if (@ARGV && $ARGV[0] eq 'child') {
    # A client that answers by itself, and hangs where it is told to.
    @ARGV = ();
    exit Proctor::main({
        client => 'tiny', revision => '1', version => '1.0', abilities => ['redirects'], facts => [qw(status bytes body)], moments => [],
        run => sub ($assignment, $trace) {
            while (my ($index, $step) = each @{ $assignment->{steps} }) {
                $trace->say('resume', $index);
                sleep 60 if $step->{url} =~ m{/hang\z};
                $trace->say('result', $index, facts => { status => 200, Proctor::body_facts('ok', 2) });
            }
        } });
}

is Proctor::content({}), undef, 'no content';
is Proctor::content({ body => { text => 'abc', count => 7 } }), 'abcabca', 'a body that is repeated';
is Proctor::content({ body => { base64 => 'AP8=' } }), "\0\xFF", 'bytes';
is_deeply { Proctor::body_facts('ok', 2) }, { bytes => 2, body => 'ok' }, 'text';
is_deeply { Proctor::body_facts("\xFF", 1) }, { bytes => 1, bodyBase64 => '/w==' }, 'what is no text';
is_deeply { Proctor::body_facts('ok', 9) }, { bytes => 9 }, 'a body that is not all here';
is Proctor::mime('Text/Plain; charset=utf-8'), 'text/plain', 'a media type';
is Proctor::mime(''), undef, 'no media type';
my $names = { names => [{ name => 'a.test', port => 80, address => '[::1]:4711' }] };
is_deeply [Proctor::place($names, 'A.test.', 80)], ['::1', 4711], 'a name';
is_deeply [Proctor::place($names, 'a.test', 81)], [], 'another port';
is_deeply [Proctor::place($names, 'localhost', 81)], ['127.0.0.1', 81], 'localhost';

sub step ($url, %rest) {
    return { method => 'GET', url => $url, headers => [], bodyForm => 'data', onRedirect => [{ answer => 'follow' }], onChallenge => [],
        beforehand => { follow => JSON::PP::true }, %rest };
}
sub assignment ($steps, %rest) {
    return encode_json({ version => 1, deadline => 5000, session => { cookies => 'never' }, steps => $steps, %rest });
}
# What it wrote, and its exit code.
sub run ($input, $is_many = 0) {
    local $ENV{PROCTOR_ASSIGNMENTS} = $is_many ? 'many' : '';
    open my $nowhere, '>', '/dev/null';
    my $process = open2(my $out, my $in, 'sh', '-c', 'exec "$0" "$@" 2>/dev/null', $^X, $0, 'child');
    print $in $input;
    close $in;
    my $output = do { local $/; <$out> } // '';
    waitpid $process, 0;
    return ($output, $? >> 8);
}
sub events ($output) { my (undef, @lines) = split /\n/, $output; return map { decode_json($_) } grep { length } @lines }

my ($output, $code) = run(assignment([step('http://a/')]));
is $code, 0, 'it ends with 0';
is_deeply [map { $_->{ev} } events($output)], [qw(resume result)], 'a step';
($output) = run(assignment([step('http://a/')], needs => ['cookie-jar']));
is_deeply [map { $_->{arg} } events($output)], ['needs: tiny has no cookie-jar'], 'an ability that it lacks';
($output) = run(assignment([step('http://a/'), step('http://a/', cancelAt => { event => 'data', count => 1 })]));
is_deeply [map { $_->{arg} } events($output)], ["steps[1].cancelAt: tiny can't be cancelled then"], 'what it cannot be told';
($output, $code) = run(assignment([step('http://a/hang')], deadline => 500));
is_deeply [$code, (events($output))[-1]{facts}{domain}], [0, 'adapter'], 'it gives up at the deadline';
($output, $code) = run(assignment([step('http://a/')]) . "\n" . assignment([step('http://a/')]) . "\n", 1);
is_deeply [$code, scalar(() = $output =~ /\}\n\n/g)], [0, 2], 'many assignments';
is((run($_))[1], 64, "no assignment: '$_'") for '', '{}', '{"version": 2}', 'nothing';
done_testing;
