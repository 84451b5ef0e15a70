/**
 * D341: the schemas of a route are compiled when it is first used. Compiling those of all routes was a quarter of the time
 * of a start, and most processes use few of them.
 */
import AjvCompiler, { type ValidatorFactory } from '@fastify/ajv-compiler'
import SerializerSelector, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

type Validate = { (data: unknown): boolean; errors?: unknown }

export function createSchemaCompilers() {
  const openValidators = AjvCompiler() as unknown as (...settings: unknown[]) => (route: unknown) => Validate
  const openSerializers = SerializerSelector()

  const buildValidator = (...settings: unknown[]) => {
    const compilerOf = once(() => openValidators(...settings))
    return (route: unknown) => {
      const compiled = once(() => compilerOf()(route))
      const validate: Validate = (data) => {
        const check = compiled()
        const isValid = check(data)
        // The framework reads them from the function it called.
        validate.errors = check.errors
        return isValid
      }
      return validate
    }
  }

  const buildSerializer: SerializerFactory = (...settings) => {
    const compilerOf = once(() => openSerializers(...settings))
    return (route) => {
      const compiled = once(() => compilerOf()(route))
      return (data) => compiled()(data)
    }
  }

  return { buildValidator: buildValidator as unknown as ValidatorFactory, buildSerializer }
}

function once<T>(create: () => T): () => T {
  let value: { created: T } | undefined
  return () => {
    value ??= { created: create() }
    return value.created
  }
}
