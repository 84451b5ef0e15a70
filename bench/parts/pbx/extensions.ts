/** The extensions that the measured engine knows. */
export const benchDomain = 'bench.ramal.localhost'
export const benchPassword = 's3nha-do-ramal'
/** Extension numbers run from `firstPhone` on; the endpoints answer all of them. */
export const firstPhone = 1010
export const phones = 50
export const destination = '5511900000010'
