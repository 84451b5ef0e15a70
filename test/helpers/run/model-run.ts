/**
 * D556: runs models with fast-check's commands, which are shrunk when one fails: some hundred commands, or as many as
 * MODEL_COMMANDS says (`npm run models`).
 */
import fc from 'fast-check'

export const wantedCommands = Number(process.env.MODEL_COMMANDS ?? 400)
const maxCommands = 80

/** One command: what it does to both, and what must hold then. */
export type Step<Model, Real> = { name: string; run(model: Model, real: Real): void }

type Options<Model extends object, Real> = {
  steps: fc.Arbitrary<Step<Model, Real>>[]
  open(): { model: Model; real: Real }
  /** Checks that must pass when nothing more happens. */
  finish(model: Model, real: Real): void
}

export function runModel<Model extends object, Real>({ steps, open, finish }: Options<Model, Real>) {
  let ran = 0
  const toCommand = (step: Step<Model, Real>): fc.Command<Model, Real> => ({
    check: () => true,
    run(model, real) {
      ran += 1
      step.run(model, real)
    },
    toString: () => step.name,
  })
  const commands = fc.commands(
    steps.map((step) => step.map(toCommand)),
    { maxCommands, size: 'max' },
  )
  const property = fc.property(commands, (chosen) => {
    const { model, real } = open()
    fc.modelRun(() => ({ model, real }), chosen)
    finish(model, real)
  })
  while (ran < wantedCommands) fc.assert(property, { numRuns: 10 })
}
