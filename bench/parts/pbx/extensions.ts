/** Whom the engine under measurement knows. */
export const benchDomain = 'bench.ramal.localhost'
export const benchPassword = 's3nha-do-ramal'
/** Numbers from the first on; none of them ends in what makes the crowd misbehave. */
export const firstPhone = 1010
export const phones = 50
export const destination = '5511900000010'
