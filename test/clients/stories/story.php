<?php

/** A power dialer's round with the PHP client, against the running service; prints what it saw as JSON. */

declare(strict_types=1);

require 'vendor/autoload.php';

use Ramal\Client;
use Ramal\Exception\ApiException;
use Ramal\Exception\Call\ExtensionNotRegisteredException;

$ramal = new Client(getenv('RAMAL_URL'));
$ramal->login(getenv('EMAIL'), getenv('PASSWORD'), code: fn () => getenv('RECOVERY_CODE'));

$integration = $ramal->integrations->save([
    'gateway' => 'dialer',
    'webhook' => true,
    'webhookConstraint' => ['campaign' => 'spring'],
    'metadata' => ['webhookUrl' => getenv('HOOK'), 'webhookTypes' => ['channel-hangup', 'recording-ready']],
]);
$call = $ramal->calls->place(
    extension: '1000',
    called: '+55 48 99999-0102',
    metadata: ['lead' => 8, 'campaign' => 'spring'],
);
$seen = [];
$cursor = null;
foreach ($ramal->events->follow(pollInterval: 0.2, idleTimeout: 60) as $event) {
    $cursor = $event['cursor'];
    if ($event['id'] === $call['id']) {
        $seen[] = $event['eventType'];
        if ($event['eventType'] === 'recording-ready') {
            break;
        }
    }
}
$later = iterator_to_array($ramal->events->list(after: $cursor), false);

$calls = iterator_to_array($ramal->calls->list(['where' => ['metadata.lead' => 8]]), false);
$none = iterator_to_array($ramal->calls->list(['where' => ['metadata.lead' => 9]]), false);

$file = fopen('call.wav', 'wb');
$ramal->calls->recording($call['id'], $file);
fclose($file);
$mono = stream_get_contents($ramal->calls->recording($call['id'], channels: 1));
$ogg = stream_get_contents($ramal->calls->recording($call['id'], format: 'ogg'));

$other = $ramal->extensions->createNext([
    'senha' => 'a secret of hers',
    'first_name' => 'Bia',
    'last_name' => 'Lima',
    'email_address' => getenv('EMAIL'),
]);
try {
    $ramal->calls->place(extension: $other['ramal'], called: '190');
    $refused = false;
} catch (ExtensionNotRegisteredException $error) {
    $refused = is_string($error->requestId);
}
$ramal->logout();
try {
    $ramal->users->me();
    $isLoggedOut = null;
} catch (ApiException $error) {
    $isLoggedOut = $error->errorCode;
}

echo json_encode([
    'id' => $call['id'],
    'secret' => $integration['secret'],
    'seen' => $seen,
    'later' => $later,
    'calls' => array_map(fn (array $one) => [$one['id'], $one['status'], $one['metadata']], $calls),
    'none' => $none,
    'monoBytes' => strlen($mono),
    'ogg' => substr($ogg, 0, 4),
    'refused' => $refused,
    'isLoggedOut' => $isLoggedOut,
], JSON_THROW_ON_ERROR);
