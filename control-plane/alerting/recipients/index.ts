import { confirmRecipient, unsubscribeRecipient } from './answer.ts'
import { getMailBudget } from './get-budget.ts'
import { resendQuestion } from './resend.ts'

export const mailRecipients = [resendQuestion, confirmRecipient, unsubscribeRecipient, getMailBudget]
