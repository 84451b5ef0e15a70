<?php

declare(strict_types=1);

namespace Ramal\Exception;

/** No answer came: connection refused, reset, name not found. Its text names the address. */
class NetworkException extends RamalException
{
}
