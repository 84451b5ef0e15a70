<?php

declare(strict_types=1);

namespace Ramal\Exception;

/** Too many requests in this minute. */
class RateLimitedException extends LimitReachedException
{
}
