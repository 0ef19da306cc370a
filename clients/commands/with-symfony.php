<?php
require "asked.php";
require "Symfony/Component/HttpClient/autoload.php";

$options = ["headers" => $headers, "body" => $body ?? "", "max_redirects" => $follow ? 20 : 0];
echo (new Symfony\Component\HttpClient\NativeHttpClient())->request($method, $url, $options)->getContent(false);
