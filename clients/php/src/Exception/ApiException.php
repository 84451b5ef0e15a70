<?php

declare(strict_types=1);

namespace Ramal\Exception;

/** The service, or a proxy before it, refused. */
class ApiException extends RamalException
{
    private const BY_CODE = [
        'SECOND_FACTOR_REQUIRED' => SecondFactorRequiredException::class,
        'INSUFFICIENT_CREDIT' => Payment\InsufficientCreditException::class,
        'CALL_ENDED' => Call\CallEndedException::class,
        'CHARGE_OPEN' => Payment\ChargeOpenException::class,
        'CALL_ALREADY_RINGING' => Call\CallAlreadyRingingException::class,
        'EXTENSION_NOT_REGISTERED' => Call\ExtensionNotRegisteredException::class,
        'DESTINATION_NOT_ALLOWED' => Call\DestinationNotAllowedException::class,
        'CALL_FAILED' => Call\CallFailedException::class,
        'PAYMENT_REFUSED' => Payment\PaymentRefusedException::class,
        'RATE_LIMITED' => RateLimitedException::class,
    ];

    private const BY_STATUS = [
        400 => BadRequestException::class,
        401 => AuthenticationException::class,
        403 => PermissionDeniedException::class,
        404 => NotFoundException::class,
        409 => ConflictException::class,
        422 => ValidationException::class,
        429 => LimitReachedException::class,
    ];

    /**
     * @param string $errorCode of the error catalogue; UNKNOWN if the answer has none, as that of a proxy
     * @param string $reason the sentence of the service
     * @param ?string $localizedReason in the language of Accept-Language, if that is not English
     * @param ?string $requestId to name when you ask the operator
     * @param array<string, mixed> $details
     * @param ?float $retryAfter seconds that the service asks to wait
     */
    final public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        public readonly string $reason,
        public readonly ?string $localizedReason,
        public readonly ?string $requestId,
        public readonly array $details,
        public readonly ?float $retryAfter,
    ) {
        parent::__construct("$reason ($errorCode" . ($requestId === null ? '' : ", request $requestId") . ')');
    }

    /**
     * The exception for an answer other than 2xx.
     *
     * @param array<string, string> $headers names in lower case
     */
    public static function of(int $status, array $headers, string $body): self
    {
        $decoded = json_decode($body, true);
        $error = is_array($decoded) && is_array($decoded['error'] ?? null) ? $decoded['error'] : [];
        $code = is_string($error['errorCode'] ?? null) ? $error['errorCode'] : 'UNKNOWN';
        $class = self::BY_CODE[$code]
            ?? self::BY_STATUS[$status]
            ?? ($status >= 500 ? ServerException::class : self::class);
        return new $class(
            $status,
            $code,
            is_string($error['message'] ?? null) ? $error['message'] : "The answer was $status.",
            is_string($error['localizedMessage'] ?? null) ? $error['localizedMessage'] : null,
            $headers['x-request-id'] ?? null,
            is_array($error['details'] ?? null) ? $error['details'] : [],
            self::secondsToWait($status, $headers),
        );
    }

    /**
     * Retry-After in seconds or as a date; after a 429 without it, RateLimit-Reset.
     *
     * @param array<string, string> $headers
     */
    private static function secondsToWait(int $status, array $headers): ?float
    {
        $after = $headers['retry-after'] ?? ($status === 429 ? $headers['ratelimit-reset'] ?? null : null);
        if ($after === null) {
            return null;
        }
        if (ctype_digit($after)) {
            return (float) $after;
        }
        $moment = strtotime($after);
        return $moment === false ? null : max(0.0, $moment - microtime(true));
    }
}
