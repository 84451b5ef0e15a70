<?php
// Sends a POST without a body: php post.php <form> <url> <token>. Ends with 1 unless it is answered with 2xx.
[, $form, $url, $token] = $argv;
$headers = ["Authorization: $token"];

if (str_starts_with($form, 'guzzle')) {
    require 'GuzzleHttp/autoload.php';
    $client = new GuzzleHttp\Client(['headers' => ['Authorization' => $token], 'http_errors' => false]);
    $options = $form === 'guzzle-form' ? ['form_params' => []] : [];
    $answer = $client->post($url, $options);
    [$status, $body] = [$answer->getStatusCode(), (string) $answer->getBody()];
} else {
    $request = curl_init($url);
    curl_setopt_array($request, [CURLOPT_POST => true, CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $headers]);
    if ($form === 'curl-empty') {
        curl_setopt($request, CURLOPT_POSTFIELDS, '');
    }
    if ($form === 'curl-array') {
        curl_setopt($request, CURLOPT_POSTFIELDS, []);
    }
    $body = curl_exec($request);
    $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
}
fwrite(STDERR, "$status $body\n");
exit($status >= 200 && $status < 300 ? 0 : 1);
