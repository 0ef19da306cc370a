use Asked;
use HTTP::Tiny;

my %content = defined $body ? (content => $body) : ();
my $reply = HTTP::Tiny->new(max_redirect => $follow ? 5 : 0)->request($method, $url, { headers => \%fields, %content });
die $reply->{content} if $reply->{status} == 599;
print $reply->{content};
