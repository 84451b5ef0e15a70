/** One thing the doctor looked at, in a sentence. */
export type Finding = { fine: boolean; sentence: string }

export const fine = (sentence: string): Finding => ({ fine: true, sentence })
export const ill = (sentence: string): Finding => ({ fine: false, sentence })
