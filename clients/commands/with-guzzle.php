<?php
require "asked.php";
require "GuzzleHttp/autoload.php";

$options = ["headers" => $headers, "body" => $body, "allow_redirects" => $follow, "http_errors" => false];
echo (new GuzzleHttp\Client())->request($method, $url, $options)->getBody();
