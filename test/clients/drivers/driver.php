<?php

/** Runs the shared cases with the PHP client: php driver.php < cases > outcomes. */

declare(strict_types=1);

require 'vendor/autoload.php';

use Ramal\Client;
use Ramal\Exception\RamalException;
use Ramal\Webhooks;

function rows(iterable $iterator, ?int $take = null): array
{
    $all = [];
    foreach ($iterator as $row) {
        $all[] = $row;
        if (count($all) === $take) {
            break;
        }
    }
    return $all;
}

$operations = [
    'users.me' => fn (Client $client) => $client->users->me(),
    'request' => fn (Client $client, string $method, string $path, ?array $body = null) =>
        $client->request($method, $path, body: $body),
    'login' => fn (Client $client, string $email, string $password, ?string $code = null, ?string $ask = null, ?int $ttl = null) =>
        $client->login($email, $password, $ask === null ? $code : fn () => $ask, $ttl),
    'logout' => fn (Client $client) => $client->logout(),
    'calls.place' => fn (Client $client, mixed ...$args) => $client->calls->place(...$args),
    'calls.get' => fn (Client $client, string $id) => $client->calls->get($id),
    'calls.waitForEnd' => fn (Client $client, mixed ...$args) => $client->calls->waitForEnd(...$args),
    'calls.waitForEnds' => fn (Client $client, mixed ...$args) => rows($client->calls->waitForEnds(...$args)),
    'calls.list' => fn (Client $client, ?array $filter = null, ?int $take = null) =>
        rows($client->calls->list($filter), $take),
    'calls.page' => fn (Client $client, int $page) => $client->calls->page(page: $page),
    'calls.updates' => fn (Client $client, mixed ...$args) => rows($client->calls->updates(...$args)),
    'charges.updates' => fn (Client $client, mixed ...$args) => rows($client->charges->updates(...$args)),
    'extensions.updates' => fn (Client $client, mixed ...$args) => rows($client->extensions->updates(...$args)),
    'calls.hangup' => fn (Client $client, string $id) => $client->calls->hangup($id),
    'calls.sendKeys' => fn (Client $client, string $id, string $digits) => $client->calls->sendKeys($id, $digits),
    'calls.transfer' => fn (Client $client, string $id, string $to) => $client->calls->transfer($id, $to),
    'calls.recording' => fn (Client $client, mixed ...$args) =>
        ['base64' => base64_encode(stream_get_contents($client->calls->recording(...$args)))],
    'charges.list' => fn (Client $client) => rows($client->charges->list()),
    'extensions.list' => fn (Client $client, array $filter) => $client->extensions->list($filter),
    'extensions.create' => fn (Client $client, mixed ...$fields) => $client->extensions->create($fields),
    'integrations.save' => fn (Client $client, mixed ...$fields) => $client->integrations->save($fields),
    'events.list' => fn (Client $client, mixed ...$args) => rows($client->events->list(...$args)),
    'events.follow' => fn (Client $client, ?int $take = null, mixed ...$args) =>
        rows($client->events->follow(...$args), $take),
    'webhooks.verify' => fn (Client $client, mixed ...$args) => Webhooks::verify(...$args),
];

function describe(Throwable $error): array
{
    if ($error instanceof InvalidArgumentException) {
        return ['class' => 'Argument', 'message' => $error->getMessage()];
    }
    if (!$error instanceof RamalException) {
        return ['class' => $error::class, 'message' => (string) $error];
    }
    $classes = [];
    for ($class = $error::class; is_a($class, RamalException::class, true); $class = get_parent_class($class)) {
        $classes[] = preg_replace('/^.*\\\\|Exception$/', '', $class);
    }
    $facts = [];
    foreach (['status', 'errorCode', 'requestId', 'reason', 'localizedReason', 'retryAfter'] as $name) {
        $facts[$name] = $error->$name ?? null;
    }
    foreach (['callId', 'fields'] as $name) {
        $facts[$name] = method_exists($error, $name) ? $error->$name() : null;
    }
    return ['class' => $classes[0], 'classes' => $classes, 'message' => $error->getMessage(), ...$facts];
}

$outcomes = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $case) {
    try {
        $client = new Client($case['baseUrl'], ...$case['options']);
        $result = null;
        foreach ($case['steps'] as $step) {
            $result = $operations[$step[0]]($client, ...($step[1] ?? []));
        }
        $outcomes[] = ['result' => $result];
    } catch (Throwable $error) {
        $outcomes[] = ['error' => describe($error)];
    }
}
echo json_encode($outcomes, JSON_THROW_ON_ERROR);
