<?php
// The longest answered calls of an extension: php list-calls.php 1000
require 'vendor/autoload.php';

$ramal = new Ramal\Client(getenv('RAMAL_URL'), getenv('RAMAL_TOKEN'));
$where = ['from' => $argv[1], 'status' => 'completed', 'duration' => ['gt' => 0]];
foreach ($ramal->calls->list(['where' => $where, 'order' => 'duration DESC']) as $call) {
    echo "{$call['id']},{$call['to']},{$call['duration']}\n";
}
