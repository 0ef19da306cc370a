# What the words of a command line ask: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
package Asked;
use strict;
use warnings;
use parent 'Exporter';
our @EXPORT = qw($method $url $follow $body %fields);
our ($method, $url, @rest) = @ARGV;
our $follow = grep { $_ eq '+follow' } @rest;
our ($file) = map { substr $_, 1 } grep { /^@/ } @rest;
our $body = defined $file ? do { local (@ARGV, $/) = $file; <> } : undef;
our %fields = map { split /: /, $_, 2 } grep { !/^[@+]/ } @rest;
binmode STDOUT;
1;
