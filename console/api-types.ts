/** The types of the API, from its description: those of the TypeScript client. */
export type * from '../clients/typescript/src/api-types.ts'
