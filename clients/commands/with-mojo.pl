use Asked;
use Mojo::UserAgent;

my $client = Mojo::UserAgent->new(max_redirects => $follow ? 10 : 0);
my $load = $client->start($client->build_tx($method => $url => \%fields => $body // ''));
die $load->error->{message} if $load->error && !$load->error->{code};
print $load->res->body;
