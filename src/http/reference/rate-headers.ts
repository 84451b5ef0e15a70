/** The headers that every answer of the API has. */
export const rateHeaderComponents = {
  'RateLimit-Limit': { description: 'Most requests in the window', schema: { type: 'integer' }, example: 60 },
  'RateLimit-Remaining': {
    description: 'Requests left in the window',
    schema: { type: 'integer' },
    example: 59,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window ends',
    schema: { type: 'integer' },
    example: 60,
  },
}

export const rateHeaders = Object.fromEntries(
  Object.keys(rateHeaderComponents).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)
