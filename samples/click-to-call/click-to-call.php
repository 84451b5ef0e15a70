<?php
// Rings an extension and dials a number: php click-to-call.php 1000 '+55 48 99999-0103'
require 'vendor/autoload.php';

[, $extension, $called] = $argv;
$ramal = new Ramal\Client(getenv('RAMAL_URL'), getenv('RAMAL_TOKEN'));
try {
    $placed = $ramal->calls->place(extension: $extension, called: $called, metadata: ['source' => 'click']);
    echo $placed['id'], "\n";
} catch (Ramal\Exception\Call\ExtensionNotRegisteredException) {
    fwrite(STDERR, "No phone is registered to $extension.\n");
    exit(1);
}
