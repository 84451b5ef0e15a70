/** Loaded before a program (node --import): its clock is ahead by CLOCK_AHEAD_SECONDS, which may be negative. */
const aheadMs = Number(process.env.CLOCK_AHEAD_SECONDS ?? 0) * 1000
const RightDate = Date

class ShiftedDate extends RightDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RightDate.now() + aheadMs)
    else super(...(given as [number]))
  }
  static override now() {
    return RightDate.now() + aheadMs
  }
}

globalThis.Date = ShiftedDate as DateConstructor
