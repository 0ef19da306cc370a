<?php
// What the words of a command line ask: METHOD URL, then +follow, +retry, @FILE with the content, and fields as NAME: VALUE.
[, $method, $url] = $argv;
$follow = in_array("+follow", $argv);
$retry = in_array("+retry", $argv);
$body = null;
$headers = [];
foreach (array_slice($argv, 3) as $word) {
    if ($word[0] == "@") {
        $body = file_get_contents(substr($word, 1));
    } elseif ($word[0] != "+") {
        [$name, $value] = explode(": ", $word, 2);
        $headers[$name][] = $value;
    }
}
