import { getEmailSuppression } from './get.ts'
import { updateEmailSuppression } from './update.ts'

export const emailSuppression = [getEmailSuppression, updateEmailSuppression]
