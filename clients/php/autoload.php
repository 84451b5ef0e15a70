<?php

/** Loads the classes where there is no Composer: require 'ramal/autoload.php'. */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Ramal\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Ramal\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
