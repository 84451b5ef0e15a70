<?php

declare(strict_types=1);

namespace Ramal\Exception;

/** Base class of every exception of this package. */
class RamalException extends \RuntimeException
{
}
