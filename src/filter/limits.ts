/** Limits of one list request (D20, D25, D27). */
export const limits = {
  pageSize: 100,
  largestPageSize: 1000,
  /** A list without pages answers at most this many rows (D27). */
  bareRows: 1000,
  /** Keeps offset + (page - 1) × size far below what a bigint holds. */
  largestPage: 2_147_483_647,
  largestOffset: 2_147_483_647,

  /** Characters of the whole filter, in either form. */
  filterLength: 65_536,
  depth: 12,
  conditions: 100,
  listedValues: 500,
  orderKeys: 10,
  pathKeys: 8,

  patternLength: 200,
  /** PostgreSQL keeps 32 compiled expressions; more in one filter would be compiled again for every row. */
  regexps: 5,
  /** The largest n of {n}. */
  regexpRepeat: 100,
} as const
