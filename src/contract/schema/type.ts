/** `Type.Object(...)` and the like, for the schemas of the contract. */
export type { Static, TObject, TSchema } from './schema-builders.ts'
export * as Type from './schema-builders.ts'
