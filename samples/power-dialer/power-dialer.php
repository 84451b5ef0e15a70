<?php
// Calls one number after the other from an extension, and waits for the end of each: php power-dialer.php 1000 NUMBER...
require 'vendor/autoload.php';

[, $extension] = $argv;
$ramal = new Ramal\Client(getenv('RAMAL_URL'), getenv('RAMAL_TOKEN'));

foreach (array_slice($argv, 2) as $called) {
    try {
        $placed = $ramal->calls->place(extension: $extension, called: $called);
        $call = $ramal->calls->waitForEnd($placed['id']);
        echo "$called {$call['hangup_cause']} {$call['duration']} s, R$ {$call['call_price']}\n";
    } catch (Ramal\Exception\ApiException $error) {
        echo "$called not called: {$error->errorCode}\n";
    } catch (Ramal\Exception\NetworkException $error) {
        // The call may have been placed all the same.
        echo "$called unknown: {$error->getMessage()}\n";
    }
}
