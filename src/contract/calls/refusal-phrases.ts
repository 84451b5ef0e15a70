/** D610: SIP phrases that tell apart what one cause stands for; a phone that dialled may show them. */
export const refusalPhrases = {
  noCredit: 'Insufficient Credit',
  dailyLimit: 'Daily Limit Reached',
  emergency: 'Emergency Calls Not Available',
  ownExtension: 'Own Extension',
  featureCode: 'No Such Feature Code',
  suspended: 'Account Suspended',
} as const

export type RefusalPhrase = (typeof refusalPhrases)[keyof typeof refusalPhrases]
