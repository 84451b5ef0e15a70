<?php
// Receives webhooks: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:4000 receive-webhook.php
require 'vendor/autoload.php';

try {
    $event = Ramal\Webhooks::verify(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'));
    http_response_code(204);
    file_put_contents('php://stdout', "{$event['eventType']} {$event['id']}\n");
} catch (Ramal\Exception\WebhookVerificationException $error) {
    http_response_code(401);
    echo $error->getMessage();
}
