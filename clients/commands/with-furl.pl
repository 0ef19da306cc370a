use Asked;
use Furl;

my $reply = Furl->new(max_redirects => $follow ? 7 : 0)->request(method => $method, url => $url, headers => [%fields], content => $body);
die $reply->message if $reply->status == 500 && defined $reply->headers->header('X-Internal-Response');
print $reply->content;
