<?php

declare(strict_types=1);

namespace Ramal\Exception\Call;

use Ramal\Exception\ValidationException;

class ExtensionNotRegisteredException extends ValidationException
{
}
