use AnyEvent::HTTP;
use Asked;

my $end = AE::cv;
http_request $method, $url, headers => \%fields, body => $body, recurse => $follow ? 10 : 0, sub { $end->send(@_) };
my ($content, $head) = $end->recv;
die $head->{Reason} if $head->{Status} >= 590;
print $content;
