<?php
require "asked.php";
require "Symfony/Component/HttpClient/autoload.php";

$options = ["headers" => $headers, "body" => $body ?? "", "max_redirects" => $follow ? 20 : 0];
$client = new Symfony\Component\HttpClient\NativeHttpClient();
if ($retry) {
    $client = new Symfony\Component\HttpClient\RetryableHttpClient(
        $client, new Symfony\Component\HttpClient\Retry\GenericRetryStrategy(delayMs: 100, maxDelayMs: 1000), 3);
}
echo $client->request($method, $url, $options)->getContent(false);
