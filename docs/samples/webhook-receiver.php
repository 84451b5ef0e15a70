<?php
// A webhook receiver in PHP (no packages): WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4000 webhook-receiver.php
const MAX_AGE_SECONDS = 300;

/** Whether the service sent this body, a moment ago. $body is the text as it came, before it is parsed. */
function is_genuine(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > MAX_AGE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
if (!is_genuine((string) getenv('WEBHOOK_SECRET'), $headers, $body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log("{$event['eventType']} {$event['id']}");
// Answer first and work later: the service waits 15 seconds.
http_response_code(204);
